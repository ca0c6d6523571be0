// Copies the golden cases to the emulator, beside which it tests signers with them.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAMES = ['accounts', 'messages', 'refusals', 'transactions'];

const root = fileURLToPath(new URL('../../..', import.meta.url));
const output = join(root, 'emulator/dist/vectors');
mkdirSync(output, { recursive: true });
for (const name of NAMES) copyFileSync(join(root, `vectors/${name}.json`), join(output, `${name}.json`));
