import { DIFFERENCE_STYLE, drawDifference, html, type Markup, renderReport } from '../report.js';
import { type CheckOutcome, type CheckResult, LEFT_OUT } from './run.js';

/** The data of a report. */
export interface ConformanceRun {
  /** Name of the signer. */
  signer: string;
  /** Version of this program. */
  version: string;
  results: readonly CheckResult[];
}

const OUTCOMES: readonly CheckOutcome[] = ['passed', 'failed', 'not tested'];

/** Counts the checks by outcome. */
export function countOutcomes(results: readonly CheckResult[]): Record<CheckOutcome, number> {
  const count = (wanted: CheckOutcome) => results.filter(({ outcome }) => outcome === wanted).length;
  return { passed: count('passed'), failed: count('failed'), 'not tested': count('not tested') };
}

/** A signer conforms if every check passed; a check that was not tested does not count as passed. */
export function conforms(results: readonly CheckResult[]): boolean {
  return results.length > 0 && results.every(({ outcome }) => outcome === 'passed');
}

/** The results without those that `--only` left out. */
export function withoutLeftOut(results: readonly CheckResult[]): CheckResult[] {
  return results.filter(({ detail }) => detail !== LEFT_OUT);
}

/** The verdict in words. It ignores the checks that `--only` left out. */
export function conformanceVerdict(results: readonly CheckResult[]): string {
  if (conforms(results)) return 'The signer conforms';
  const ran = withoutLeftOut(results);
  if (!conforms(ran)) return 'The signer does not conform';
  const groups = [...new Set(ran.map(({ group }) => group))];
  return `The signer conforms in the groups that ran (${groups.join(', ')})`;
}

/** One HTML file without scripts or external resources. */
export function renderPage({ signer, version, results }: ConformanceRun): string {
  const counts = countOutcomes(results);
  const groups = [...new Set(results.map(({ group }) => group))];
  const content = html`<p class="verdict ${conforms(withoutLeftOut(results)) ? 'passed' : 'failed'}">${conformanceVerdict(results)}.</p>
<p>${OUTCOMES.map(outcome => `${counts[outcome]} ${outcome}`).join(', ')}, by zbc-signer ${version}.</p>
${groups.map(group =>
  renderGroup(
    group,
    results.filter(result => result.group === group),
  ),
)}`;
  return renderReport(`Conformance of ${signer}`, STYLE, content);
}

function renderGroup(name: string, results: readonly CheckResult[]): Markup {
  return html`<h2>${name}</h2>
<table>
<thead><tr><th scope="col">Check</th><th scope="col">Outcome</th><th scope="col">ms</th></tr></thead>
<tbody>
${results.map(renderRow)}</tbody>
</table>
`;
}

function renderRow({ name, outcome, detail, screen, milliseconds }: CheckResult): Markup {
  const problem = detail === undefined ? '' : html`<p class="detail">${detail}</p>`;
  const pictures = screen ? drawDifference({ expected: screen.step.screen.frame, shown: screen.shown }) : '';
  return html`<tr><td>${name}${problem}${pictures}</td><td class="${outcome.split(' ')[0]!}">${outcome}</td><td>${milliseconds}</td></tr>
`;
}

const STYLE = `${DIFFERENCE_STYLE}
td:last-child, th:last-child { text-align: right; font-variant-numeric: tabular-nums; }
.verdict { font-size: 1.25rem; font-weight: 600; }
.passed { color: #18794e; }
.failed { color: #c8303b; }
.not { color: #946800; }
.detail { margin: .2rem 0; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) {
  .passed { color: #4cc38a; }
  .failed { color: #ff6369; }
  .not { color: #f1a10d; }
}
`;
