import { readFile } from 'node:fs/promises';
import { cleanText } from '@zbc-signer/chain';
import { PanelMissingError } from '../errors.js';
import { html, Markup, sourceHash } from '../markup.js';
import type { Recording } from '../session/recording.js';
import { describeTrace, type TraceStep } from './description.js';

const DIRECTORY = new URL('../panel/', import.meta.url);
/** Longer than what the firmware can be sent or shows. */
const MAX_TEXT = 2048;

/**
 * One HTML file that needs no network: the screens, presses, commands, replies and times of a trace, with a
 * time line to scrub. Throws PanelMissingError when the page's script is not built.
 */
export async function renderTracePage(recording: Recording, title: string): Promise<string> {
  const [script, style] = await Promise.all([readPart('trace.js'), readPart('trace.css')]);
  const policy = [
    "default-src 'none'",
    `script-src '${sourceHash(script)}'`,
    `style-src '${sourceHash(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
  const heading = `Trace: ${cleanText(title, MAX_TEXT)}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<h1>${heading}</h1>
<main>
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
<script type="application/json" id="trace">${new Markup(embedJson(pageData(recording)))}</script>
<script type="module">${new Markup(script)}</script>
</body>
</html>
`.text;
}

async function readPart(name: string): Promise<string> {
  const text = await readFile(new URL(name, DIRECTORY), 'utf8').catch(error => {
    throw error.code === 'ENOENT' ? new PanelMissingError() : error;
  });
  return text.trim();
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

/** Nothing in it can end the element or begin another. */
function embedJson(value: object): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, escapeUnit);
}

const escapeUnit = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
