// Puts the web panel's page and style beside its compiled script, and refuses a panel that is too large.
import { copyFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'emulator/panel');
const output = join(root, 'emulator/dist/panel');

const MAX_PANEL = 50_000;

for (const name of readdirSync(source).filter(name => /\.(html|css|svg)$/.test(name))) {
  copyFileSync(join(source, name), join(output, name));
}
const size = readdirSync(output).reduce((sum, name) => sum + statSync(join(output, name)).size, 0);
console.log(`web panel: ${size} bytes`);
if (size > MAX_PANEL) {
  console.error(`the web panel is longer than ${MAX_PANEL} bytes`);
  process.exitCode = 1;
}
