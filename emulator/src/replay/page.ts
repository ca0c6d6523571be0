import { cleanText } from '@zbc-signer/chain';
import { DIFFERENCE_STYLE, drawDifference, drawFigure, html, type Markup, renderReport } from '../report.js';
import type { Trace } from '../trace/trace.js';
import { describeTrace, type StepFailure, type TraceStep } from './description.js';

/** Longer than any text that the firmware receives or shows. */
const MAX_TEXT = 2048;
const clean = (text: string): string => cleanText(text, MAX_TEXT);
const seconds = (ms: number): string => (ms / 1000).toFixed(3);

/**
 * One HTML file without scripts or external resources: the failure, then every step with its time, input and
 * reply, and its screen if that changed.
 */
export function renderTracePage(trace: Trace, title: string): string {
  const steps = describeTrace(trace);
  const { failure, step } = steps[trace.failure?.step ?? 0]!;
  const heading = `${failure ? 'Failed' : 'Trace'}: ${clean(failure?.test ?? title)}`;
  const content = html`${failure ? renderFailure(failure, step, steps[step]!.frame) : ''}<table>
<thead><tr><th scope="col">Step</th><th scope="col">Seconds</th><th scope="col">Input and reply</th><th scope="col">Screen</th></tr></thead>
<tbody>
${steps.map(each => renderStep(each, steps[each.step - 1]?.frame))}</tbody>
</table>
`;
  return renderReport(heading, STYLE, content);
}

/** The failed expectation, with the expected screen next to the shown one, and what differs. */
function renderFailure(failure: StepFailure, step: number, reference: Uint8Array): Markup {
  const { message, expected, shown = reference } = failure;
  const texts = expected?.texts.map(text => html`<p>Expected: ${clean(text)}</p>`) ?? '';
  const pictures = drawDifference({ expected: expected?.frame, shown, caption: `shown at step ${step}` });
  return html`<section class="failure" aria-label="Failure">
<pre>${message.split('\n').map(line => `${clean(line)}\n`)}</pre>
${texts}${pictures}<p><a href="#step-${step}">Step ${step}</a></p>
</section>
`;
}

function renderStep(
  { step, atMs, tookMs, words, hex, reply, answers, texts, frame, failure }: TraceStep,
  before: Uint8Array | undefined,
): Markup {
  const isChanged = before === undefined || Buffer.compare(before, frame) !== 0;
  const to = answers === undefined ? '' : `, to step ${answers}`;
  const answered = reply
    ? html`<p class="${reply.outcome}">${reply.status}${reply.words && `: ${clean(reply.words)}`}${to}</p>${bytes(reply.hex)}`
    : '';
  return html`<tr id="step-${step}"${failure ? html` class="failure"` : ''}><td>${step}</td><td>${seconds(atMs)}<br>${tookMs.toFixed(3)} ms</td>
<td><p>${clean(words)}</p>${bytes(hex)}${answered}</td><td>${isChanged ? drawFigure(clean(texts.join(' / ')), frame) : 'unchanged'}</td></tr>
`;
}

const bytes = (hex = ''): Markup | string => hex && html`<code>${hex}</code>`;

const STYLE = `${DIFFERENCE_STYLE}
.failure { border-left: 4px solid #c8303b; padding-left: .8rem; }
pre { overflow: auto; }
p { margin: 0; }
td { overflow-wrap: anywhere; }
code { display: block; max-height: 6rem; overflow: auto; font-size: .8rem; }
.refused, .failed { color: #c8303b; }
`;
