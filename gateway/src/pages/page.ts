import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

const BROWSER_FILES = new URL('../browser/', import.meta.url);

const STYLE_LINK = '<link rel="stylesheet" href="page.css">';

/** A self-contained HTML document, and headers that allow only its own style and script. */
interface Page {
  html: string;
  headers: Record<string, string>;
}

type PageName = 'admin' | 'faucet' | 'verify';

const pages = new Map<PageName, Promise<Page>>();

/** Reads a page from dist/browser, once. */
export function readPage(name: PageName): Promise<Page> {
  const known = pages.get(name);
  if (known !== undefined) {
    return known;
  }
  const page = buildPage(name);
  pages.set(name, page);
  page.catch(() => pages.delete(name));
  return page;
}

async function buildPage(name: PageName): Promise<Page> {
  const [frame, style, script] = await Promise.all([
    readText(`${name}.html`),
    readText('page.css'),
    readText(`${name}.js`),
  ]);
  const scriptLink = `<script type="module" src="${name}.js"></script>`;
  const html = frame
    .replace(STYLE_LINK, () => `<style>${style}</style>`)
    .replace(scriptLink, () => `<script type="module">${script}</script>`);
  return { html, headers: headersFor(style, script) };
}

function readText(name: string): Promise<string> {
  return readFile(new URL(name, BROWSER_FILES), 'utf8');
}

/** Allows the page's own style and script, by hash, and requests to its origin. */
function headersFor(style: string, script: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      'img-src data:',
      `style-src ${sourceHash(style)}`,
      `script-src ${sourceHash(script)}`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
  };
}

function sourceHash(source: string): string {
  return `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
}
