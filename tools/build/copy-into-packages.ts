// Copies the licence into every package, and the golden cases into the emulator's, which uses them for conformance tests.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAMES = ['accounts', 'anti-exfil', 'contacts', 'messages', 'refusals', 'transactions'];

const root = fileURLToPath(new URL('../../..', import.meta.url));
const output = join(root, 'emulator/dist/vectors');
mkdirSync(output, { recursive: true });
for (const name of NAMES) copyFileSync(join(root, `vectors/${name}.json`), join(output, `${name}.json`));
const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  workspaces: string[];
};
for (const name of workspaces) copyFileSync(join(root, 'LICENSE'), join(root, name, 'LICENSE'));
