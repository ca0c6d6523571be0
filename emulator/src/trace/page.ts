import { cleanText } from '@zbc-signer/chain';
import { html } from '../markup.js';
import { embedJson, renderPage } from '../page.js';
import type { Recording } from '../recording/recording.js';
import { describeTrace, type TraceStep } from './description.js';

/** Longer than what the firmware can be sent or shows. */
const MAX_TEXT = 2048;

/**
 * One HTML file that needs no network: the screens, presses, commands, replies and times of a trace, with a
 * time line to scrub. Throws PanelMissingError when the page's script is not built.
 */
export async function renderTracePage(recording: Recording, title: string): Promise<string> {
  const heading = `Trace: ${cleanText(title, MAX_TEXT)}`;
  const content = html`<main>
<div id="line">
<div id="time-line"><canvas id="strip" width="1200" height="28" aria-hidden="true"></canvas><i id="cursor"></i></div>
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
${embedJson('trace', pageData(recording))}`;
  return renderPage({ heading, name: 'trace', content });
}

/** As emulator/panel/trace.ts reads it. */
function pageData(recording: Recording): object {
  const frames = new Map<string, number>();
  const steps = describeTrace(recording).map(step => {
    const pixels = Buffer.from(step.frame).toString('base64');
    if (!frames.has(pixels)) frames.set(pixels, frames.size);
    return { ...cleanStep(step), frame: frames.get(pixels) };
  });
  return { frames: [...frames.keys()], steps };
}

function cleanStep({ step: _, reply, ...rest }: TraceStep): object {
  const clean = (text: string) => cleanText(text, MAX_TEXT);
  return {
    ...rest,
    words: clean(rest.words),
    texts: rest.texts.map(clean),
    ...(reply && { reply: { ...reply, words: clean(reply.words) } }),
  };
}
