// Bundles the script and the style of the web panel. Copies its page and icon to the same directory. Fails if
// the panel is too large.
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { BROWSER_BUNDLE, checkSize } from './browser-files.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const source = join(root, 'emulator/panel');
const output = join(root, 'emulator/dist/panel');
const COPIED = ['index.html', 'icon.svg'];

rmSync(output, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: ['panel.ts', 'panel.css'].map(name => join(source, name)),
  outdir: output,
  ...BROWSER_BUNDLE,
});
for (const name of COPIED) copyFileSync(join(source, name), join(output, name));
checkSize('web panel', output, [...COPIED, 'panel.css', 'panel.js']);
