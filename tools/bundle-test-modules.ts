// Bundles third-party packages that most tests load into one file each, in dist/test-modules: jest evaluates
// the hundreds of files of such a package again for every test file.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const PACKAGES = ['fastify', 'undici'];

const root = fileURLToPath(new URL('../..', import.meta.url));

await build({
  absWorkingDir: root,
  entryPoints: PACKAGES,
  outdir: join(root, 'dist/test-modules'),
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  format: 'cjs',
  minifyWhitespace: true,
  logLevel: 'warning',
});
