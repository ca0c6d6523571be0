// Puts the gateway's pages, their style and the installer beside their compiled scripts, and refuses a page
// that is too large.
import { copyFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'gateway/pages');
const output = join(root, 'gateway/dist/browser');

const MAX_PAGE = 24_000;

const names = readdirSync(source).filter(name => /\.(html|css|sh)$/.test(name));
for (const name of names) copyFileSync(join(source, name), join(output, name));

const sizeOf = (name: string) => statSync(join(output, name)).size;
for (const page of names.filter(name => name.endsWith('.html'))) {
  const size = sizeOf(page) + sizeOf('page.css') + sizeOf(page.replace('.html', '.js'));
  console.log(`gateway's ${page}: ${size} bytes`);
  if (size > MAX_PAGE) {
    console.error(`${page} is longer than ${MAX_PAGE} bytes`);
    process.exitCode = 1;
  }
}
