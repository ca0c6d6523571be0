import { crc32, deflateSync } from 'node:zlib';
import type { Screen } from '@zbc-signer/emulator';
import { html, Markup, sourceHash } from '@zbc-signer/emulator/markup';
import { SCREEN_HEIGHT, SCREEN_WIDTH } from '@zbc-signer/protocol/limits';
import type { CapturedCase } from './capture.js';
import { describeFields, type FieldGroup } from './fields.js';
import { STYLE } from './style.js';

/** The cases of one file. */
export interface Section {
  title: string;
  cases: readonly CapturedCase[];
}

interface GalleryCounts {
  cases: number;
  reviews: number;
  refusals: number;
  screens: number;
}

export function countCases(sections: readonly Section[]): GalleryCounts {
  const all = sections.flatMap(section => section.cases);
  const reviews = all.flatMap(each => ('screens' in each ? [each.screens.length] : []));
  return {
    cases: all.length,
    reviews: reviews.length,
    refusals: all.length - reviews.length,
    screens: reviews.reduce((sum, screens) => sum + screens, 0),
  };
}

/** Renders an HTML page without scripts or external resources. The same cases always give the same text. */
export function renderGallery(sections: readonly Section[]): string {
  const style = new Markup(STYLE);
  const sources = `img-src data:; style-src '${sourceHash(STYLE)}'`;
  const policy = `default-src 'none'; ${sources}; base-uri 'none'; form-action 'none'`;
  const numbers = new Map(sections.flatMap(section => section.cases).map((each, index) => [each, index + 1]));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reviews of the ZBC signer</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>Reviews of the ZBC signer</h1>
<p class="lead">Every screen of every review, drawn by the firmware, next to the request as the host library
decodes it with independent code. A user signs what these screens show: compare the two.</p>
${renderCounts(countCases(sections))}
</header>
<nav aria-label="Cases"><ol>${[...numbers].map(renderLink)}</ol></nav>
<main>
${sections.map(section => renderSection(section, numbers))}</main>
</body>
</html>
`.text;
}

function renderLink([{ name }, number]: readonly [CapturedCase, number]): Markup {
  return html`<li><a href="#case-${number}">${name}</a></li>\n`;
}

function renderCounts({ cases, reviews, refusals, screens }: GalleryCounts): Markup {
  const rows = [
    [cases, 'cases'],
    [reviews, 'reviewed and signed'],
    [refusals, 'refused'],
    [screens, 'screens'],
  ] as const;
  return html`<ul class="counts">${rows.map(([count, what]) => html`<li><b>${count}</b> ${what}</li>`)}</ul>`;
}

function renderSection({ title, cases }: Section, numbers: ReadonlyMap<CapturedCase, number>): Markup {
  const articles = cases.map(each => renderCase(each, numbers.get(each)!));
  return html`<section aria-label="${title}">
<h2 class="file">${title}</h2>
${articles}</section>
`;
}

function renderCase(captured: CapturedCase, number: number): Markup {
  const signed = 'screens' in captured;
  const verdict = signed
    ? html`<span class="verdict signed">signed after ${captured.screens.length} screens</span>`
    : html`<span class="verdict refused">refused</span>`;
  return html`<article id="case-${number}">
<header><span class="number">${number}</span><h2><a href="#case-${number}">${captured.name}</a></h2>${verdict}</header>
<div class="case">
<div class="fields">${describeFields(captured.request).map(renderFields)}</div>
${signed ? renderScreens(captured.screens) : renderRefusal(captured.refusal)}
</div>
</article>
`;
}

function renderFields({ title, rows, fault }: FieldGroup): Markup {
  return html`<h3>${title}</h3>
<dl>${rows.map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>\n`)}</dl>
${fault === undefined ? '' : html`<p class="fault">Cannot be decoded: ${fault}</p>`}`;
}

function renderScreens(screens: readonly Screen[]): Markup {
  return html`<ol class="screens">${screens.map(renderScreen)}</ol>`;
}

/** The alternative text repeats the texts on the device's screen. */
function renderScreen({ frame, texts }: Screen): Markup {
  const alternative = texts.map(({ text }) => text).join('\n');
  const png = encodeScreenPng(frame).toString('base64');
  return html`<li><img width="128" height="64" alt="${alternative}" src="data:image/png;base64,${png}"></li>
`;
}

function renderRefusal(refusal: string): Markup {
  return html`<p class="refusal">${refusal}<small>Nothing was shown, nothing was signed.</small></p>`;
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const BACKGROUND = [0x0b, 0x0e, 0x14];
const FOREGROUND = [0xe6, 0xf1, 0xff];
const ROW = SCREEN_WIDTH / 8;

/**
 * Encodes a frame as a PNG with one bit per pixel, a fifth of the size of a colour PNG; pngjs cannot write
 * it.
 */
function encodeScreenPng(frame: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SCREEN_WIDTH, 0);
  header.writeUInt32BE(SCREEN_HEIGHT, 4);
  // The bit depth is 1, and the colour type is 3, a palette.
  header.set([1, 3], 8);
  // Each row starts with its filter type: 0 for none.
  const rows = Buffer.alloc(SCREEN_HEIGHT * (ROW + 1));
  for (let y = 0; y < SCREEN_HEIGHT; y++) rows.set(frame.subarray(y * ROW, (y + 1) * ROW), y * (ROW + 1) + 1);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([...BACKGROUND, ...FOREGROUND])),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  bytes.set(body, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}
