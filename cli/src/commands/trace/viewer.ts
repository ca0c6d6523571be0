import { emitKeypressEvents } from 'node:readline';
import type { TraceStep } from '@zbc-signer/emulator/trace';
import { formatStep, hasText } from './listing.js';

/** A key as Node's readline names it. */
export interface Key {
  name?: string | undefined;
  sequence?: string | undefined;
  ctrl?: boolean | undefined;
}

const LEAP = 10;
const HELP = '← → step   PgUp PgDn ten   Home End   / search   n N next, previous   g step number   q quit';

/** The terminal view of a trace: keys in, text out. */
export class Viewer {
  #step: number;
  #query = '';
  #message = '';
  /** The text typed so far after `/` or `g`. */
  #prompt: { kind: '/' | 'g'; text: string } | undefined;

  constructor(
    private readonly steps: readonly TraceStep[],
    first = 0,
  ) {
    this.#step = first;
  }

  /** Returns false to close the view. */
  press(key: Key): boolean {
    this.#message = '';
    if (key.ctrl === true && (key.name === 'c' || key.name === 'd')) return false;
    if (this.#prompt !== undefined) this.#type(this.#prompt, key);
    else if (key.sequence === 'q' || key.name === 'escape') return false;
    else this.#move(key);
    return true;
  }

  draw(): string {
    const prompt = this.#prompt === undefined ? this.#message : `${this.#prompt.kind}${this.#prompt.text}`;
    return `${formatStep(this.steps[this.#step]!, this.#last)}\n${prompt}\n${HELP}`;
  }

  get #last(): number {
    return this.steps.length - 1;
  }

  #move({ name, sequence = '' }: Key): void {
    if (sequence === '/' || sequence === 'g') this.#prompt = { kind: sequence, text: '' };
    else if (sequence === 'n') this.#search(1);
    else if (sequence === 'N') this.#search(-1);
    else if (name === 'right' || name === 'down' || name === 'space') this.#go(this.#step + 1);
    else if (name === 'left' || name === 'up') this.#go(this.#step - 1);
    else if (name === 'pagedown') this.#go(this.#step + LEAP);
    else if (name === 'pageup') this.#go(this.#step - LEAP);
    else if (name === 'home') this.#go(0);
    else if (name === 'end') this.#go(this.#last);
  }

  #type(prompt: { kind: '/' | 'g'; text: string }, { name, sequence = '' }: Key): void {
    if (name === 'return' || name === 'enter') {
      this.#prompt = undefined;
      if (prompt.kind === '/') this.#query = prompt.text;
      if (prompt.kind === '/') this.#search(1);
      else if (/^\d{1,6}$/.test(prompt.text)) this.#go(Number(prompt.text));
    } else if (name === 'escape') this.#prompt = undefined;
    else if (name === 'backspace') prompt.text = prompt.text.slice(0, -1);
    else if (/^[^\p{C}]+$/u.test(sequence)) prompt.text += sequence;
  }

  #go(step: number): void {
    this.#step = Math.min(this.#last, Math.max(0, step));
  }

  #search(direction: 1 | -1): void {
    const count = this.steps.length;
    for (let away = 1; this.#query !== '' && away <= count; away++) {
      const step = (((this.#step + direction * away) % count) + count) % count;
      if (!hasText(this.steps[step]!, this.#query)) continue;
      this.#message = `/${this.#query}`;
      this.#step = step;
      return;
    }
    this.#message = this.#query === '' ? 'search with /' : `not found: ${this.#query}`;
  }
}

const ENTER = '\x1b[?1049h\x1b[?25l';
const LEAVE = '\x1b[?25h\x1b[?1049l';
const CLEAR = '\x1b[H\x1b[2J';

/** Shows a trace on the terminal until the user quits or `signal` is aborted; then restores the terminal. */
export async function viewTrace(
  steps: readonly TraceStep[],
  first: number,
  signal: AbortSignal,
): Promise<void> {
  const { stdin, stdout } = process;
  const viewer = new Viewer(steps, first);
  const draw = () => stdout.write(CLEAR + viewer.draw());
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.resume();
  stdout.write(ENTER);
  draw();
  try {
    await new Promise<void>(resolve => {
      stdin.on('keypress', (_text: string | undefined, key: Key) => {
        if (viewer.press(key)) draw();
        else resolve();
      });
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    stdin.removeAllListeners('keypress');
    stdin.setRawMode(false);
    stdin.pause();
    stdout.write(LEAVE);
  }
}
