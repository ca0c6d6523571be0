import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanText } from '@zbc-signer/chain';
import { SCREEN_HEIGHT, SCREEN_WIDTH } from '@zbc-signer/protocol/limits';
import { encodeColours } from '../device/png.js';
import { html, Markup } from '../markup.js';
import { embedJson, renderPage } from '../page.js';
import { openCommand } from '../trace/trace-file.js';
import { writeWhole } from '../write-whole.js';
import { findSnapshotChanges, type MovedSet, type SnapshotChange } from './changes.js';
import type { Picture } from './picture.js';
import { comparePictures } from './picture-difference.js';

const MAX_TEXT = 1000;
const PAGE = 'differences.html';
/** Number of attempts, because several test processes may write at the same time. */
const ATTEMPTS = 5;

/** Options of a page of differences. */
export interface SnapshotPageOptions {
  /** Number of files that the search left out. */
  leftOut?: number;
  /** Whether a server accepts approvals from the page, as `snapshots review` does. Default: false. */
  served?: boolean;
}

/**
 * One HTML file that needs no network: each changed snapshot before and after, and the difference. Without a
 * server, it shows the command that approves the chosen changes.
 */
export async function renderSnapshotPage(
  changes: readonly SnapshotChange[],
  { leftOut = 0, served = false }: SnapshotPageOptions = {},
): Promise<string> {
  const count = changes.length;
  const heading = `${count === 0 ? 'No' : count} changed snapshot${count === 1 ? '' : 's'}`;
  const content = html`<div id="bar">
<label>Search <input id="search" type="search" autocomplete="off"></label>
<span id="found" role="status"></span>
<button id="all" type="button">Approve all</button>
<small><kbd>↓</kbd> <kbd>↑</kbd> next, previous · <kbd>a</kbd> approve · <kbd>/</kbd> search</small>
<div id="command" hidden><p>To write the approved pictures, run in <code>${cleanText(process.cwd(), MAX_TEXT)}</code>:</p>
<pre id="words"></pre><button id="copy" type="button">Copy</button></div>
</div>
${leftOut === 0 ? '' : html`<p>${leftOut} more files were left out, because they are not pictures of the screen, have names that cannot be shown, or exceed the maximum number.</p>\n`}<main>
${changes.map(renderChange)}</main>
${embedJson('changes', { served, changes: changes.map(pageData) })}`;
  const allow = ['img-src data:', ...(served ? ["connect-src 'self'"] : [])];
  return renderPage({ heading, name: 'snapshots', content, allow });
}

/** The format that emulator/panel/snapshots.ts reads. */
const pageData = ({ name, digest, together }: SnapshotChange): object => ({
  name,
  digest,
  ...(together && { set: together.path }),
});

const KINDS = { changed: 'changed', added: 'new page', removed: 'removed page' } as const;

function renderChange({ name, kind, before, after, texts, together, test, trace }: SnapshotChange): Markup {
  const compared = before && after && comparePictures(before, after);
  const difference = compared && `, ${compared.differing} of ${compared.difference.length} pixels`;
  const movedPages = together && describeMoved(together);
  const facts = [texts, movedPages, test && `Test: ${test}`, trace && `Trace: ${openCommand(trace)}`];
  return html`<article tabindex="-1" aria-label="${name}">
<h2>${name}</h2>
<p class="${kind}">${KINDS[kind]}${difference ?? ''}</p>
${facts.filter(Boolean).map(fact => html`<p>${cleanText(fact ?? '', MAX_TEXT)}</p>\n`)}<div class="pictures">
${renderPicture('Before', before, kind === 'added' ? 'there was no snapshot' : 'not a picture of the screen')}${renderPicture('After', after, 'the review no longer has this page')}${renderPicture('Difference', compared?.difference, '')}</div>
<button type="button" aria-pressed="false">Approve</button> <span role="status"></span>
</article>
`;
}

/** Says how many pages have new numbers, including those that also changed. */
function describeMoved({ moved, size }: MovedSet): string {
  const count = Object.keys(moved).length;
  const pages = count === 1 ? '1 page of the set has' : `${count} pages of the set have`;
  const rest = size === 1 ? '' : `, and the ${size} changes of the set are approved together`;
  return `${pages} a new number${rest}`;
}

function renderPicture(caption: string, picture: Picture | undefined, otherwise: string): Markup {
  if (picture === undefined) {
    return otherwise === ''
      ? new Markup('')
      : html`<figure><div class="none">${otherwise}</div><figcaption>${caption}</figcaption></figure>\n`;
  }
  const png = Buffer.from(encodeColours(picture, SCREEN_WIDTH, SCREEN_HEIGHT)).toString('base64');
  return html`<figure><img src="data:image/png;base64,${png}" width="${SCREEN_WIDTH}" height="${SCREEN_HEIGHT}" alt="${caption}"><figcaption>${caption}</figcaption></figure>
`;
}

/**
 * Writes `differences.html` with every changed set of snapshots in a directory, or removes the file if no set
 * has changed. Repeats this if another process has changed a set in the meantime, so that the last version is
 * complete. If the file cannot be written, does nothing, because the failure of the test matters more.
 */
export async function writeDifferences(directory: string): Promise<void> {
  try {
    let found = await findSnapshotChanges(directory, { flat: true });
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { changes, leftOut } = found;
      if (changes.length === 0) await rm(join(directory, PAGE), { force: true });
      else await writeWhole(join(directory, PAGE), await renderSnapshotPage(changes, { leftOut }));
      found = await findSnapshotChanges(directory, { flat: true });
      if (signatureOf(found.changes) === signatureOf(changes)) return;
    }
  } catch {
    // The directory cannot be written to.
  }
}

const signatureOf = (changes: readonly SnapshotChange[]): string =>
  changes.map(({ name, digest }) => `${name} ${digest}`).join('\n');
