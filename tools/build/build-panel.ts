// Copies the web panel's page and style next to its compiled script. Fails if the panel is too large.
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkSize } from './browser-files.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const source = join(root, 'emulator/panel');
const output = join(root, 'emulator/dist/panel');

for (const name of readdirSync(source).filter(name => /\.(html|css|svg)$/.test(name))) {
  copyFileSync(join(source, name), join(output, name));
}
checkSize('web panel', output, readdirSync(output));
