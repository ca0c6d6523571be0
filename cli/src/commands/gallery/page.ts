import type { Screen } from '@zbc-signer/emulator';
import { drawScreen, html, type Markup, renderReport } from '@zbc-signer/emulator/report';
import type { CapturedCase } from './capture.js';
import { describeFields, type FieldGroup } from './fields.js';

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
  const numbers = new Map(sections.flatMap(section => section.cases).map((each, index) => [each, index + 1]));
  const content = html`<p>Every screen of every review, drawn by the firmware, next to the request as the host library
decodes it with independent code. A user signs what these screens show: compare the two.</p>
${renderCounts(countCases(sections))}
<ol>${[...numbers].map(renderLink)}</ol>
${sections.map(section => renderSection(section, numbers))}`;
  return renderReport('Reviews of the ZBC signer', STYLE, content);
}

function renderLink([{ name }, number]: readonly [CapturedCase, number]): Markup {
  return html`<li><a href="#case-${number}">${name}</a></li>\n`;
}

function renderCounts({ cases, reviews, refusals, screens }: GalleryCounts): Markup {
  return html`<p>${cases} cases: ${reviews} reviewed and signed, ${refusals} refused; ${screens} screens.</p>`;
}

function renderSection({ title, cases }: Section, numbers: ReadonlyMap<CapturedCase, number>): Markup {
  return html`<h2>${title}</h2>
${cases.map(each => renderCase(each, numbers.get(each)!))}`;
}

function renderCase(captured: CapturedCase, number: number): Markup {
  const isSigned = 'screens' in captured;
  const verdict = isSigned ? `signed after ${captured.screens.length} screens` : 'refused';
  return html`<article id="case-${number}">
<h3>${number}. ${captured.name}: ${verdict}</h3>
${isSigned ? renderScreens(captured.screens) : renderRefusal(captured.refusal)}
${describeFields(captured.request).map(renderFields)}</article>
`;
}

function renderFields({ title, rows, fault }: FieldGroup): Markup {
  return html`<table>
<caption>${title}</caption>
${rows.map(([term, value]) => html`<tr><th scope="row">${term}</th><td>${value}</td></tr>\n`)}</table>
${fault === undefined ? '' : html`<p>Cannot be decoded: ${fault}</p>`}`;
}

function renderScreens(screens: readonly Screen[]): Markup {
  return html`<p>${screens.map(renderScreen)}</p>`;
}

/** The alternative text repeats the texts on the device's screen. */
function renderScreen({ frame, texts }: Screen): Markup {
  return html`${drawScreen(texts.map(({ text }) => text).join('\n'), frame)}
`;
}

function renderRefusal(refusal: string): Markup {
  return html`<p>${refusal} Nothing was shown, nothing was signed.</p>`;
}

const STYLE = `
article { break-inside: avoid; }
caption { text-align: left; font-weight: 600; }
th { width: 12rem; font-weight: normal; }
td { overflow-wrap: anywhere; white-space: pre-wrap; }
img { margin: .2rem; }
`;
