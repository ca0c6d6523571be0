// Bundles the script of each page of the gateway. Copies the pages, their style and the installer to the same
// directory. Fails if a page is too large.
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { BROWSER_BUNDLE, checkSize } from './browser-files.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const source = join(root, 'gateway/pages');
const output = join(root, 'gateway/dist/browser');

const names = readdirSync(source).filter(name => /\.(html|sh)$/.test(name));
const pages = names.filter(name => name.endsWith('.html'));
await build({
  absWorkingDir: root,
  entryPoints: [...pages.map(page => join(source, page.replace('.html', '.ts'))), join(source, 'page.css')],
  outdir: output,
  ...BROWSER_BUNDLE,
});
for (const name of names) copyFileSync(join(source, name), join(output, name));

for (const page of pages) {
  checkSize(`gateway's ${page}`, output, [page, 'page.css', page.replace('.html', '.js')]);
}
