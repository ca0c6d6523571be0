// Puts the web panel's page and style beside its compiled script, and refuses a panel that is too large.
import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PANEL_FILES } from '../emulator/src/panel-files.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const output = join(root, 'dist/emulator/panel');

const MAX_PANEL = 50_000;

const names = Object.keys(PANEL_FILES);
for (const name of names.filter(name => !name.endsWith('.js'))) {
  copyFileSync(join(root, 'emulator/panel', name), join(output, name));
}
const size = names.reduce((sum, name) => sum + statSync(join(output, name)).size, 0);
console.log(`web panel: ${size} bytes`);
if (size > MAX_PANEL) {
  console.error(`the web panel is longer than ${MAX_PANEL} bytes`);
  process.exitCode = 1;
}
