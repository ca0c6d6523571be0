// Bundles the wallet page into one script beside its document and style, and refuses a page that is too
// large.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { collectLicences } from './bundle-licences.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'wallet/page');
const output = join(root, 'wallet/dist/bundle');

const MAX_PAGE = 150_000;
const DOCUMENT = 'wallet.html';

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [{ in: 'wallet/page/main.ts', out: 'wallet' }, 'wallet/page/wallet.css'],
  outdir: output,
  bundle: true,
  minify: true,
  platform: 'browser',
  format: 'esm',
  target: 'es2022',
  legalComments: 'none',
  // As the page says that it is written in: no escapes.
  charset: 'utf8',
  metafile: true,
  logLevel: 'warning',
});
const document = readFileSync(join(source, DOCUMENT), 'utf8');
writeFileSync(join(output, DOCUMENT), document.replaceAll(/^\s+/gm, ''));
writeFileSync(join(output, 'THIRD-PARTY-LICENSES'), collectLicences(root, Object.keys(metafile.inputs)));

const sizes = [DOCUMENT, 'wallet.css', 'wallet.js'].map(name => statSync(join(output, name)).size);
const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
console.log(`wallet page: ${size} bytes`);
if (size > MAX_PAGE) {
  console.error(`the wallet page is longer than ${MAX_PAGE} bytes`);
  process.exitCode = 1;
}
