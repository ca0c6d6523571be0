// Bundles the script of each of the gateway's pages, puts the pages, their style and the installer beside
// them, and refuses a page that is too large.
import { copyFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'gateway/pages');
const output = join(root, 'gateway/dist/browser');

const MAX_PAGE = 24_000;

const names = readdirSync(source).filter(name => /\.(html|sh)$/.test(name));
const pages = names.filter(name => name.endsWith('.html'));
await build({
  absWorkingDir: root,
  entryPoints: [...pages.map(page => join(source, page.replace('.html', '.ts'))), join(source, 'page.css')],
  outdir: output,
  bundle: true,
  minify: true,
  platform: 'browser',
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  logLevel: 'warning',
});
for (const name of names) copyFileSync(join(source, name), join(output, name));

const sizeOf = (name: string) => statSync(join(output, name)).size;
for (const page of pages) {
  const size = sizeOf(page) + sizeOf('page.css') + sizeOf(page.replace('.html', '.js'));
  console.log(`gateway's ${page}: ${size} bytes`);
  if (size > MAX_PAGE) {
    console.error(`${page} is longer than ${MAX_PAGE} bytes`);
    process.exitCode = 1;
  }
}
