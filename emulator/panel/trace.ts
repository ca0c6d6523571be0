// The script of a trace's page.
import { byId, element } from './elements.js';
import { drawFrame } from './screen.js';

/** The content of the page. Texts have no control characters; pictures are base64 of 64 rows of 16 bytes. */
interface PageData {
  frames: string[];
  steps: PageStep[];
  /** The step at which a test failed; `expected` is the picture of the snapshot, if the test compared one. */
  failure?: { step: number; expected?: string };
}

interface PageStep {
  kind: 'start' | 'command' | 'press' | 'cancel' | 'restart';
  words: string;
  texts: string[];
  /** Index in `frames` of the screen after this step. */
  frame: number;
  atMs: number;
  tookMs: number;
  hex?: string;
  reply?: { outcome: string; status: string; words: string; hex: string };
  /** If this step is a decision, the index of the step whose command it answers. */
  answers?: number;
}

/** Colours of the steps' marks on the time line. */
const COLOURS = {
  start: '#888',
  command: '#3b82c4',
  press: '#8a939b',
  cancel: '#d98e04',
  restart: '#d98e04',
};
const FAULT = '#d13b3b';
/** Number of rows that the list shows before and after the current step. */
const ROWS_AROUND = 12;
const LEAP = 10;
/** Width of a mark in pixels. */
const MARK = 3;

const { frames, steps, failure } = JSON.parse(byId('trace', HTMLScriptElement).text) as PageData;
const last = steps.length - 1;
const screen = byId('screen', HTMLCanvasElement);
const strip = byId('strip', HTMLCanvasElement);
const cursor = byId('cursor', HTMLElement);
const scrub = byId('scrub', HTMLInputElement);
const search = byId('search', HTMLInputElement);
const found = byId('found', HTMLElement);
const list = byId('list', HTMLElement);
/** Lower-case text that a search examines, by step. */
const searched = steps.map(step =>
  [step.words, step.hex ?? '', ...step.texts, step.reply?.status ?? '', step.reply?.words ?? '']
    .join('\n')
    .toLowerCase(),
);

let at = 0;

function show(step: number): void {
  at = Math.min(last, Math.max(0, step));
  const { words, texts, frame, atMs, tookMs, hex, reply, answers } = steps[at]!;
  drawFrame(screen, frames[frame]!);
  scrub.value = `${at}`;
  scrub.setAttribute('aria-valuetext', `step ${at}: ${words}`);
  write('position', `Step ${at} of ${last}`);
  write('time', `${seconds(atMs)} s, took ${tookMs.toFixed(3)} ms`);
  write('words', words);
  write('hex', hex ?? '');
  write('reply', reply === undefined ? '' : describeReply(reply, answers));
  byId('reply', HTMLElement).className = reply?.outcome ?? '';
  write('reply-hex', reply?.hex ?? '');
  byId('texts', HTMLElement).replaceChildren(...texts.map(text => element('p', '', text)));
  cursor.style.left = `${100 * shareOf(at)}%`;
  for (const picture of document.querySelectorAll<HTMLElement>('#film button')) {
    picture.ariaCurrent = Number(picture.dataset.step) === firstOf(at) ? 'step' : null;
  }
  drawList();
}

/** The first of the consecutive steps that show the same screen as `step`. */
function firstOf(step: number): number {
  let first = step;
  while (first > 0 && steps[first - 1]!.frame === steps[step]!.frame) first--;
  return first;
}

const write = (id: string, text: string): void => {
  byId(id, HTMLElement).textContent = text;
};

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

function describeReply({ status, words }: { status: string; words: string }, answers?: number): string {
  const waited = answers === undefined ? '' : `, to step ${answers} after ${seconds(waitOf(answers))} s`;
  return `${status}${words === '' ? '' : `: ${words}`}${waited}`;
}

const waitOf = (command: number): number => steps[at]!.atMs - (steps[command]?.atMs ?? 0);

/** Draws the marks of all steps on the time line. */
function drawStrip(): void {
  const context = strip.getContext('2d');
  if (!context) return;
  const { width, height } = strip;
  for (const [index, { kind, reply }] of steps.entries()) {
    const isFault = reply !== undefined && reply.outcome !== 'ok';
    context.fillStyle = isFault ? FAULT : COLOURS[kind];
    const tall = kind === 'press' && !isFault ? height / 2 : height;
    const left = shareOf(index) * (width - MARK);
    context.fillRect(left, height - tall, MARK, tall);
  }
}

/** End of the time line, on which positions are proportional to time. */
const endMs = Math.max(0.001, steps[last]!.atMs + steps[last]!.tookMs);

const shareOf = (step: number): number => steps[step]!.atMs / endMs;

/** Labels the start, the middle and the end. */
function drawAxis(): void {
  const marks = [0, 0.5, 1].map(share => element('span', '', `${seconds(share * endMs)} s`));
  byId('axis', HTMLElement).replaceChildren(...marks);
}

/** Limit of the pictures in the row of screens, which has one picture for each change of the screen. */
const MAX_FILM = 200;

function drawFilm(): void {
  const changes = [...steps.keys()].filter(step => steps[step]!.frame !== steps[step - 1]?.frame);
  const pictures = changes.slice(0, MAX_FILM).map(step => {
    const button = document.createElement('button');
    const canvas = Object.assign(document.createElement('canvas'), { width: 128, height: 64 });
    drawFrame(canvas, frames[steps[step]!.frame]!);
    button.type = 'button';
    button.dataset.step = `${step}`;
    button.setAttribute('aria-label', `Step ${step}: ${steps[step]!.texts.join(' / ')}`);
    if (step === failure?.step) button.className = 'differs';
    button.append(canvas);
    button.addEventListener('click', () => show(step));
    return button;
  });
  byId('film', HTMLElement).replaceChildren(...pictures);
}

function drawFailure(): void {
  if (!failure || !document.getElementById('shown')) return;
  drawFrame(byId('shown', HTMLCanvasElement), frames[steps[failure.step]!.frame]!);
  if (failure.expected === undefined) return;
  const canvas = byId('expected', HTMLCanvasElement);
  canvas.hidden = false;
  drawFrame(canvas, failure.expected);
}

function drawList(): void {
  const first = Math.max(0, Math.min(at - ROWS_AROUND, last - 2 * ROWS_AROUND));
  const shown = steps.slice(first, first + 2 * ROWS_AROUND + 1);
  list.replaceChildren(...shown.map((step, index) => drawRow(step, first + index)));
}

function drawRow({ words, reply, atMs }: PageStep, step: number): HTMLElement {
  const row = element(
    'li',
    '',
    element('b', '', `${step}`),
    element('time', '', seconds(atMs)),
    element('span', '', words),
    element('span', reply?.outcome ?? '', reply?.status ?? ''),
  );
  row.dataset.step = `${step}`;
  if (step === at) row.setAttribute('aria-current', 'step');
  return row;
}

/** Shows the next or previous step that matches the search. */
function searchOn(direction: 1 | -1): void {
  const words = search.value.trim().toLowerCase();
  const hits = words === '' ? 0 : searched.filter(text => text.includes(words)).length;
  found.textContent = words === '' ? '' : `${hits} found`;
  if (hits === 0) return;
  let step = at;
  do step = (step + direction + steps.length) % steps.length;
  while (!searched[step]!.includes(words));
  show(step);
}

const KEYS: Record<string, () => void> = {
  ArrowLeft: () => show(at - 1),
  ArrowRight: () => show(at + 1),
  ArrowUp: () => show(at - 1),
  ArrowDown: () => show(at + 1),
  PageUp: () => show(at - LEAP),
  PageDown: () => show(at + LEAP),
  Home: () => show(0),
  End: () => show(last),
  '/': () => search.focus(),
  n: () => searchOn(1),
  N: () => searchOn(-1),
};

document.addEventListener('keydown', event => {
  const act = KEYS[event.key];
  if (act === undefined || event.target === search || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act();
});
search.addEventListener('keydown', event => {
  if (event.key === 'Enter') searchOn(event.shiftKey ? -1 : 1);
  if (event.key === 'Escape') scrub.focus();
});
scrub.max = `${last}`;
scrub.addEventListener('input', () => show(Number(scrub.value)));
list.addEventListener('click', event => {
  const row = event.target instanceof Element ? event.target.closest('li') : null;
  if (row) show(Number(row.dataset.step));
});

function scrubTo(event: PointerEvent): void {
  const { left, width } = strip.getBoundingClientRect();
  const ms = ((event.clientX - left) / width) * endMs;
  const away = (step: number) => Math.abs(steps[step]!.atMs - ms);
  show([...steps.keys()].reduce((best, step) => (away(step) < away(best) ? step : best), 0));
}
strip.addEventListener('pointerdown', event => {
  strip.setPointerCapture(event.pointerId);
  scrubTo(event);
});
strip.addEventListener('pointermove', event => {
  if (event.buttons !== 0) scrubTo(event);
});
for (const [id, act] of [
  ['first', () => show(0)],
  ['back', () => show(at - 1)],
  ['forward', () => show(at + 1)],
  ['last', () => show(last)],
  ['found-before', () => searchOn(-1)],
  ['found-next', () => searchOn(1)],
] as const) {
  byId(id, HTMLButtonElement).addEventListener('click', act);
}

drawStrip();
drawAxis();
drawFilm();
drawFailure();
show(Number(/^#(\d{1,6})$/.exec(location.hash)?.[1] ?? failure?.step ?? 0));
