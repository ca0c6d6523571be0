// Bundles the emulator's entries for CommonJS test suites into emulator/dist/commonjs, because Jest loads ES
// modules only with an option. Also writes the licences of the third-party code in the emulator's files.
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { collectLicences, FIRMWARE_FILES } from './bundle-licences.js';
import { MODULE_URL } from './bundle-plugins.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const output = join(root, 'emulator/dist/commonjs');

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { zemu: 'emulator/dist/speculos/zemu.js' },
  outdir: output,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  metafile: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  minifyWhitespace: true,
  legalComments: 'inline',
  external: ['ajv', 'fastify', 'pngjs', '@zbc-signer/host/node'],
  define: MODULE_URL.define,
  banner: { js: MODULE_URL.banner },
  logLevel: 'warning',
});
copyFileSync(join(root, 'emulator/src/speculos/zemu.d.cts'), join(output, 'zemu.d.cts'));
writeFileSync(
  join(root, 'emulator/dist/THIRD-PARTY-LICENSES'),
  collectLicences(root, [...Object.keys(metafile.inputs), ...FIRMWARE_FILES]),
);
