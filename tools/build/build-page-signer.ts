// Bundles the emulated signer for pages into one script with both modules. Fails if it is too large.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { BROWSER_BUNDLE, checkSize } from './browser-files.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const output = join(root, 'emulator/dist');

await build({
  absWorkingDir: root,
  entryPoints: [join(output, 'page/index.js')],
  outfile: join(output, 'browser.js'),
  loader: { '.wasm': 'binary' },
  alias: { 'node:events': join(output, 'page/events.js') },
  ...BROWSER_BUNDLE,
});
checkSize('emulator in a page', output, ['browser.js']);
