import { html, type Markup } from '../markup.js';
import { renderReport } from '../page.js';
import { KINDS, type Kind } from './catalogue.js';
import {
  type CoverageSummary,
  percentOf,
  type Ratio,
  type SourceTally,
  type Tally,
  type ThingTally,
} from './tally.js';

/** Maximum number of test names in a row; the JSON has all of them. */
const MAX_TESTS = 5;

const HEADINGS: Readonly<Record<Kind, string>> = {
  title: 'Titles',
  decision: 'Decisions',
  'menu page': 'Menu pages',
  'refusal reason': 'Refusal reasons',
  'status word': 'Status words',
};

const STYLE = `
td { overflow-wrap: anywhere; }
small { opacity: .8; }
.seen { color: #18794e; }
.not { color: #c8303b; }
@media (prefers-color-scheme: dark) { .seen { color: #4cc38a; } .not { color: #ff6369; } }
`;

/** One HTML file without scripts or external resources. */
export function renderCoverage(tally: Tally, summary: CoverageSummary): string {
  const content = html`<p>${tally.tests.length} tests or sessions reached ${formatRatio(summary.lines)} lines,
${formatRatio(summary.branches)} branches and ${formatRatio(summary.things)} elements of the protocol.</p>
${KINDS.map(kind =>
  renderKind(
    kind,
    tally.things.filter(thing => thing.kind === kind),
  ),
)}<h2>Sources</h2>
<table>
<thead><tr><th scope="col">Source</th><th scope="col">Lines</th><th scope="col">Branches</th></tr></thead>
<tbody>
${tally.sources.map(renderSource)}</tbody>
</table>
`;
  return renderReport("Coverage of the signer's firmware", STYLE, content);
}

/** Markdown for the text of a pull request. */
export function renderMarkdown({ tests, lines, branches, things, unseen }: CoverageSummary): string {
  return [
    "### Coverage of the signer's firmware",
    '',
    `${tests.length} tests or sessions reached ${formatRatio(lines)} lines, ${formatRatio(branches)} branches and`,
    `${formatRatio(things)} elements of the protocol.`,
    ...(unseen.length === 0 ? [] : ['', 'No test saw:', '', ...unseen.map(name => `- ${name}`)]),
    '',
  ].join('\n');
}

function renderKind(kind: Kind, things: readonly ThingTally[]): Markup {
  const known = things.filter(thing => thing.known);
  const seen = known.filter(({ tests }) => tests.length > 0).length;
  return html`<h2>${HEADINGS[kind]}: ${formatRatio({ reached: seen, all: known.length })}</h2>
<table>
<thead><tr><th scope="col">Name</th><th scope="col">Seen</th><th scope="col">By</th></tr></thead>
<tbody>
${things.map(renderThing)}</tbody>
</table>
`;
}

function renderThing({ name, tests, known }: ThingTally): Markup {
  const more = tests.length - MAX_TESTS;
  const verdict = tests.length > 0 ? html`<td class="seen">yes</td>` : html`<td class="not">no</td>`;
  const names = tests.slice(0, MAX_TESTS).join('; ');
  const stranger = known ? '' : html` <strong class="not">unknown to the protocol</strong>`;
  return html`<tr><th scope="row">${name}${stranger}</th>${verdict}<td><small>${names}${more > 0 ? `; and ${more} more` : ''}</small></td></tr>
`;
}

function renderSource({ source, lines, branches }: SourceTally): Markup {
  const ways = branches.flatMap(({ tests }) => tests);
  const missed = lines.filter(({ tests }) => tests === 0).map(({ line }) => line);
  const places = missed.length === 0 ? '' : html`<br><small>not reached: ${missed.join(', ')}</small>`;
  const reached = { reached: lines.length - missed.length, all: lines.length };
  return html`<tr><th scope="row">${source}${places}</th><td>${formatRatio(reached)}</td><td>${formatRatio({ reached: ways.filter(Boolean).length, all: ways.length })}</td></tr>
`;
}

function formatRatio(ratio: Ratio): string {
  const { reached, all } = ratio;
  return `${reached} of ${all}${all === 0 ? '' : ` (${percentOf(ratio)})`}`;
}
