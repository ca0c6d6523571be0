// Bundles the scripts of the wallet page and of the connect page, and writes the pages and their style to the
// same directory. Fails if a page is too large.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { collectLicences } from '../bundle/bundle-licences.js';
import { BROWSER_BUNDLE, checkSize } from './browser-files.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const source = join(root, 'wallet/page');
const output = join(root, 'wallet/dist/bundle');

/** Each page with its document. */
const PAGES = [
  ['wallet', 'wallet.html'],
  ['connect', 'connect/connect.html'],
] as const;

/** Matches an attribute whose value needs no quotes in HTML. */
const ATTRIBUTE = /="([\w.:#/-]+)"(?=[ >])/g;

/**
 * These replace characters outside of ASCII, because a browser decodes and parses a page faster if each of its
 * characters has one byte.
 */
const escapeHtml = (html: string) => html.replaceAll(/[^\0-\x7f]/gu, each => `&#${each.codePointAt(0)};`);
const escapeScript = (script: string) =>
  script.replaceAll(/[^\0-\x7f]/g, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Removes indentation and unneeded quotes; links that the gateway replaces stay unchanged. */
function shorten(html: string): string {
  const lines = html.replaceAll(/^\s+/gm, '').split('\n');
  const isReplaced = (line: string) => /(?:wallet|connect)\.(?:css|js)/.test(line);
  return lines.map(line => (isReplaced(line) ? line : line.replaceAll(ATTRIBUTE, '=$1'))).join('\n');
}

/** Replaces each empty section or dialog by the element of the wallet page that has the same id. */
function takeParts(html: string, wallet: string): string {
  return html.replaceAll(/<(section|dialog) id="([\w-]+)"><\/\1>/g, (_, name: string, id: string) => {
    const [part] = new RegExp(`<${name} id="${id}"[^]*?</${name}>`).exec(wallet) ?? [];
    if (part === undefined) throw new Error(`wallet.html has no ${name} #${id}`);
    return part;
  });
}

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [
    { in: 'wallet/page/main.ts', out: 'wallet' },
    { in: 'wallet/page/connect/main.ts', out: 'connect' },
    'wallet/page/wallet.css',
  ],
  outdir: output,
  ...BROWSER_BUNDLE,
  legalComments: 'none',
  metafile: true,
});
const wallet = readFileSync(join(source, 'wallet.html'), 'utf8');
for (const [name, document] of PAGES) {
  const html = takeParts(readFileSync(join(source, document), 'utf8'), wallet);
  writeFileSync(join(output, `${name}.html`), escapeHtml(shorten(html)));
  const script = join(output, `${name}.js`);
  writeFileSync(script, escapeScript(readFileSync(script, 'utf8')));
}
writeFileSync(join(output, 'THIRD-PARTY-LICENSES'), collectLicences(root, Object.keys(metafile.inputs)));

for (const [name] of PAGES) {
  checkSize(`${name} page`, output, [`${name}.html`, 'wallet.css', `${name}.js`]);
}
