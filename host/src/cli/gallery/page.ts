import { createHash } from 'node:crypto';
import type { Screen } from '../../../../emulator/src/index.js';
import { describeFields, type FieldGroup } from './fields.js';
import { html, Markup } from './markup.js';
import type { Exhibit } from './photograph.js';
import { encodeScreenPng } from './screen-png.js';
import { STYLE } from './style.js';

/** The cases of one file. */
export interface Room {
  title: string;
  exhibits: readonly Exhibit[];
}

export interface GalleryCounts {
  cases: number;
  reviews: number;
  refusals: number;
  screens: number;
}

export function countExhibits(rooms: readonly Room[]): GalleryCounts {
  const exhibits = rooms.flatMap(room => room.exhibits);
  const reviews = exhibits.flatMap(exhibit => ('screens' in exhibit ? [exhibit.screens.length] : []));
  return {
    cases: exhibits.length,
    reviews: reviews.length,
    refusals: exhibits.length - reviews.length,
    screens: reviews.reduce((sum, screens) => sum + screens, 0),
  };
}

/** One HTML file that loads nothing and runs nothing; the same cases give the same text. */
export function renderGallery(rooms: readonly Room[]): string {
  const style = new Markup(STYLE);
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;
  const numbers = new Map(rooms.flatMap(room => room.exhibits).map((exhibit, index) => [exhibit, index + 1]));
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
<h1>What the ZBC signer shows</h1>
<p class="lead">Every screen of every review, drawn by the firmware itself, beside what was sent to it as
the host library reads it, in code of its own. A person signs on what these screens say: compare the two.</p>
${renderCounts(countExhibits(rooms))}
</header>
<nav aria-label="Cases"><ol>${[...numbers].map(([{ name }, number]) => html`<li><a href="#case-${number}">${name}</a></li>\n`)}</ol></nav>
<main>
${rooms.map(room => renderRoom(room, numbers))}</main>
</body>
</html>
`.text;
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

function renderRoom({ title, exhibits }: Room, numbers: ReadonlyMap<Exhibit, number>): Markup {
  const articles = exhibits.map(exhibit => renderExhibit(exhibit, numbers.get(exhibit)!));
  return html`<section aria-label="${title}">
<h2 class="file">${title}</h2>
${articles}</section>
`;
}

function renderExhibit(exhibit: Exhibit, number: number): Markup {
  const signed = 'screens' in exhibit;
  const verdict = signed
    ? html`<span class="verdict signed">signed after ${exhibit.screens.length} screens</span>`
    : html`<span class="verdict refused">refused</span>`;
  return html`<article id="case-${number}">
<header><span class="number">${number}</span><h2><a href="#case-${number}">${exhibit.name}</a></h2>${verdict}</header>
<div class="case">
<div class="fields">${describeFields(exhibit.request).map(renderFields)}</div>
${signed ? renderScreens(exhibit.screens) : renderRefusal(exhibit.refusal)}
</div>
</article>
`;
}

function renderFields({ title, rows, fault }: FieldGroup): Markup {
  return html`<h3>${title}</h3>
<dl>${rows.map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>\n`)}</dl>
${fault === undefined ? '' : html`<p class="fault">Cannot be read: ${fault}</p>`}`;
}

function renderScreens(screens: readonly Screen[]): Markup {
  return html`<ol class="screens">${screens.map(renderScreen)}</ol>`;
}

/** A screen reader says the texts as the device shows them. */
function renderScreen({ frame, texts }: Screen): Markup {
  const alternative = texts.map(({ text }) => text).join('\n');
  const png = encodeScreenPng(frame).toString('base64');
  return html`<li><img width="128" height="64" alt="${alternative}" src="data:image/png;base64,${png}"></li>
`;
}

function renderRefusal(refusal: string): Markup {
  return html`<p class="refusal">${refusal}<small>Nothing was shown, nothing was signed.</small></p>`;
}
