// Bundles the wallet page into one script next to its document and style, and refuses a page that is too
// large.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { collectLicences } from '../bundle/bundle-licences.js';
import { isRemedyShown } from '../generate/wallet-messages.js';
import { BROWSER_BUNDLE, checkSize } from './browser-files.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const source = join(root, 'wallet/page');
const output = join(root, 'wallet/dist/bundle');

const MAX_PAGE = 72_300;
const DOCUMENT = 'wallet.html';

/** Remedies that the page does not show are removed. */
const REMEDY = /^ +([A-Z_]+): ".*",\n/gm;

const remedies: Plugin = {
  name: 'remedies',
  setup: ({ onLoad }) =>
    onLoad({ filter: /chain\/dist\/generated\/remedies\.js$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8').replace(REMEDY, (line, code) =>
        isRemedyShown(code) ? line : '',
      );
      return { contents };
    }),
};

/** An attribute whose value needs no quotes in HTML. */
const ATTRIBUTE = /="([\w.:#/-]+)"(?=[ >])/g;

/** Removes indentation and unneeded quotes; links that the gateway replaces stay unchanged. */
function shorten(html: string): string {
  const lines = html.replaceAll(/^\s+/gm, '').split('\n');
  const isReplaced = (line: string) => /wallet\.(?:css|js)/.test(line);
  return lines.map(line => (isReplaced(line) ? line : line.replaceAll(ATTRIBUTE, '=$1'))).join('\n');
}

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [{ in: 'wallet/page/main.ts', out: 'wallet' }, 'wallet/page/wallet.css'],
  outdir: output,
  ...BROWSER_BUNDLE,
  legalComments: 'none',
  metafile: true,
  plugins: [remedies],
});
const document = readFileSync(join(source, DOCUMENT), 'utf8');
writeFileSync(join(output, DOCUMENT), shorten(document));
writeFileSync(join(output, 'THIRD-PARTY-LICENSES'), collectLicences(root, Object.keys(metafile.inputs)));

checkSize('wallet page', output, [DOCUMENT, 'wallet.css', 'wallet.js'], MAX_PAGE);
