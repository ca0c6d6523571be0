import { cleanText } from '@zbc-signer/chain';
import { html, type Markup } from '../markup.js';
import { embedJson, renderPage } from '../page.js';
import type { RecordedFailure, Trace } from '../trace/trace.js';
import { describeTrace, type TraceStep } from './description.js';

/** Longer than any text that the firmware receives or shows. */
const MAX_TEXT = 2048;

/**
 * One HTML file that needs no network: the screens, presses, commands, replies and times of a trace, with a
 * time line to scrub. Throws PANEL_MISSING if the page's script is not built.
 */
export async function renderTracePage(trace: Trace, title: string): Promise<string> {
  const { failure } = trace;
  const heading = `${failure ? 'Failed' : 'Trace'}: ${cleanText(failure?.test ?? title, MAX_TEXT)}`;
  const content = html`<main class="trace">
${failure ? renderFailure(failure) : ''}<div id="line">
<div id="film" role="group" aria-label="Pages"></div>
<div id="time-line"><canvas id="strip" width="1200" height="28" aria-hidden="true"></canvas><i id="cursor"></i></div>
<div id="axis" aria-hidden="true"></div>
<input id="scrub" type="range" min="0" max="0" value="0" aria-label="Step">
<button id="first" type="button">First</button>
<button id="back" type="button">Back</button>
<button id="forward" type="button">Forward</button>
<button id="last" type="button">Last</button>
<label>Search <input id="search" type="search" autocomplete="off"></label>
<button id="found-before" type="button">Previous</button>
<button id="found-next" type="button">Next</button>
<span id="found" role="status"></span>
</div>
<div>
<canvas id="screen" width="128" height="64" role="img" aria-labelledby="texts"></canvas>
<div id="texts"></div>
</div>
<div>
<dl>
<dt id="position"></dt><dd id="time"></dd>
<dt>Input</dt><dd id="words"></dd><dd id="hex"></dd>
<dt>Reply</dt><dd id="reply"></dd><dd id="reply-hex"></dd>
</dl>
<ol id="list" aria-label="Steps"></ol>
</div>
</main>
${embedJson('trace', pageData(trace))}`;
  return renderPage({ heading, name: 'trace', content });
}

/** The failed expectation. The script draws the expected screen next to the shown screen. */
function renderFailure({ message, step, expected }: RecordedFailure): Markup {
  const beside = expected
    ? html`<figure><canvas id="expected" width="128" height="64" hidden></canvas><div>${expected.texts.map(text => html`<p>${cleanText(text, MAX_TEXT)}</p>`)}</div><figcaption>Expected</figcaption></figure>
<figure><canvas id="shown" width="128" height="64"></canvas><figcaption>Shown at step ${step}</figcaption></figure>`
    : '';
  return html`<section id="failure" aria-label="Failure">
<pre>${message.split('\n').map(line => `${cleanText(line, MAX_TEXT)}\n`)}</pre>
<div id="beside">${beside}</div>
</section>
`;
}

/** The format that emulator/panel/trace.ts reads. */
function pageData(trace: Trace): object {
  const frames = new Map<string, number>();
  const steps = describeTrace(trace).map(step => {
    const pixels = Buffer.from(step.frame).toString('base64');
    if (!frames.has(pixels)) frames.set(pixels, frames.size);
    return { ...cleanStep(step), frame: frames.get(pixels) };
  });
  const { failure } = trace;
  const { step, expected } = failure ?? {};
  const picture = expected?.frame === undefined ? {} : { expected: trace.frames[expected.frame] };
  return { frames: [...frames.keys()], steps, ...(failure && { failure: { step, ...picture } }) };
}

function cleanStep({ step: _, failure: _failure, reply, ...rest }: TraceStep): object {
  const clean = (text: string) => cleanText(text, MAX_TEXT);
  return {
    ...rest,
    words: clean(rest.words),
    texts: rest.texts.map(clean),
    ...(reply && { reply: { ...reply, words: clean(reply.words) } }),
  };
}
