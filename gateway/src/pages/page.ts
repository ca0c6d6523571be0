import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { entityTagOf } from '../http/entity-tag.js';

const BROWSER_FILES = new URL('../browser/', import.meta.url);

/** A self-contained HTML document, and headers that allow only its own style and script. */
interface Page {
  html: string;
  headers: Record<string, string>;
}

const OWN = { style: 'page.css', connections: "'self'", opener: 'same-origin' };
/** The wallet's devices are emulators and the bridge on this machine, on any port. */
const WALLET = {
  ...OWN,
  style: 'wallet.css',
  connections: "'self' http://127.0.0.1:* http://localhost:*",
};
/** Of the pages, only the connect page and the page that opened it keep a reference to each other's window. */
const SOURCES = { admin: OWN, faucet: OWN, wallet: WALLET, connect: { ...WALLET, opener: 'unsafe-none' } };

type PageName = keyof typeof SOURCES;

/** Pages by the URL of their HTML file. */
const pages = new Map<string, Promise<Page>>();

/** Reads a built page, by default one of the gateway's own, and keeps it in memory. */
export function readPage(name: PageName, directory = BROWSER_FILES): Promise<Page> {
  const { href } = new URL(`${name}.html`, directory);
  const known = pages.get(href);
  if (known !== undefined) return known;
  const page = buildPage(name, directory);
  pages.set(href, page);
  page.catch(() => pages.delete(href));
  return page;
}

/** Sends a page with its headers. For a 304, the caller omits `html`. */
export function sendPage(reply: FastifyReply, { headers, html }: Partial<Page>): FastifyReply {
  return reply.headers(headers ?? {}).send(html);
}

async function buildPage(name: PageName, directory: URL): Promise<Page> {
  const source = SOURCES[name];
  const readText = (file: string) => readFile(new URL(file, directory), 'utf8');
  const [frame, style, script] = await Promise.all([
    readText(`${name}.html`),
    readText(source.style),
    readText(`${name}.js`),
  ]);
  const styleLink = `<link rel="stylesheet" href="${source.style}">`;
  const scriptLink = `<script type="module" src="${name}.js"></script>`;
  const html = frame
    .replace(styleLink, () => `<style>${style}</style>`)
    .replace(scriptLink, () => `<script type="module">${script}</script>`);
  return { html, headers: headersFor({ html, style, script }, source) };
}

/**
 * Returns headers that allow the page's own style and script, by their hashes, and requests to its origin.
 */
function headersFor(
  { html, style, script }: Record<'html' | 'style' | 'script', string>,
  { connections, opener }: typeof OWN,
): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      'img-src data:',
      `style-src ${sourceHash(style)}`,
      `script-src ${sourceHash(script)}`,
      `connect-src ${connections}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ].join('; '),
    etag: entityTagOf(Buffer.from(html)),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': opener,
    'cross-origin-resource-policy': 'same-origin',
  };
}

function sourceHash(source: string): string {
  return `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
}

/**
 * Whether the client accepts HTML explicitly, as browsers do. A client that sends only a wildcard gets JSON.
 */
export function wantsPage({ headers }: FastifyRequest): boolean {
  const ranges = (headers.accept ?? '').split(',').map(range => range.split(';')[0]!.trim().toLowerCase());
  return ranges.includes('text/html');
}
