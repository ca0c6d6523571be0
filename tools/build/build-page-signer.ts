// Bundles the emulated signer for pages into one script with both modules. Fails if it is too large.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { BROWSER_BUNDLE, checkSize } from './browser-files.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const output = join(root, 'emulator/dist');

await build({
  absWorkingDir: root,
  entryPoints: [join(output, 'page/index.js')],
  outfile: join(output, 'browser.js'),
  alias: { 'node:events': join(output, 'page/events.js') },
  ...BROWSER_BUNDLE,
  plugins: [
    {
      name: 'compressed-modules',
      setup: ({ onLoad }) =>
        onLoad({ filter: /\.wasm$/ }, ({ path }) => ({
          contents: gzipSync(readFileSync(path), { level: 9 }),
          loader: 'binary',
        })),
    },
  ],
});
checkSize('emulator in a page', output, ['browser.js']);
