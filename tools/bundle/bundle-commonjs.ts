// Bundles the emulator's entries for CommonJS test suites into emulator/dist/commonjs, because Jest loads ES
// modules only with an option.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const output = join(root, 'emulator/dist/commonjs');

await build({
  absWorkingDir: root,
  entryPoints: { zemu: 'emulator/dist/speculos/zemu.js' },
  outdir: output,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  minifyWhitespace: true,
  legalComments: 'inline',
  external: ['ajv', 'fastify', 'pngjs', '@zbc-signer/host/*'],
  define: { 'import.meta.url': 'moduleUrl' },
  banner: { js: `const moduleUrl = require('node:url').pathToFileURL(__filename).href;` },
  logLevel: 'warning',
});
copyFileSync(join(root, 'emulator/src/speculos/zemu.d.cts'), join(output, 'zemu.d.cts'));
