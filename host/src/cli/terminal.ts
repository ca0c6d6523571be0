import { styleText } from 'node:util';
import type { Ora } from 'ora';

/** What a command leaves on stdout: an object for programs, or lines for a person. */
export interface Outcome {
  json: Record<string, unknown>;
  text: string;
}

type Style = Parameters<typeof styleText>[0];

/** stdout for the outcome alone, stderr for everything on the way: a spinner on a terminal, plain lines elsewhere. */
export class Terminal {
  readonly #stderrIsTerminal = process.stderr.isTTY === true;
  #spinner: Ora | undefined;
  /** Changes whenever something else is said, so that a spinner still loading does not start after it. */
  #turn = 0;
  /** What to know when Ctrl-C comes now. */
  interruptionHint: string | undefined;

  /** What the process ends with when nothing fails: the code of a program that was run for the user. */
  exitCode = 0;

  /** With `json` the outcome is one object, and stderr stays silent unless it is a terminal. */
  constructor(
    public json: boolean,
    /** Fires at Ctrl-C. */
    readonly signal: AbortSignal,
  ) {}

  /** A finished step, or anything else that is worth a line. */
  say(line: string): void {
    this.#stop();
    if (this.#stderrIsTerminal || !this.json) {
      process.stderr.write(`${line}\n`);
    }
  }

  /** Says it in any case: what a person must see before something happens. */
  warn(line: string): void {
    this.#stop();
    process.stderr.write(`${this.style('yellow', line)}\n`);
  }

  /** What is being waited for. */
  async wait(text: string): Promise<void> {
    this.#stop();
    // ora never ends on a terminal without a width, which pseudo-terminals can be.
    if (!this.#stderrIsTerminal || process.stderr.columns === 0) {
      this.say(`${text}…`);
      return;
    }
    const turn = this.#turn;
    const { default: ora } = await import('ora');
    if (turn === this.#turn) {
      // Ctrl-C stays the process's own affair.
      const color = process.stderr.hasColors() ? 'cyan' : false;
      this.#spinner = ora({ text, color, discardStdin: false, stream: process.stderr }).start();
    }
  }

  async print({ json, text }: Outcome): Promise<void> {
    this.#stop();
    const { writeJson } = await import('../gateway/json.js');
    process.stdout.write(this.json ? `${writeJson(json)}\n` : `${text}\n`);
  }

  /** Colour on a terminal only, and not where NO_COLOR is set. */
  style(style: Style, text: string): string {
    return this.#stderrIsTerminal && process.stderr.hasColors() ? styleText(style, text) : text;
  }

  /** Resolves at Ctrl-C. */
  interrupted(): Promise<void> {
    return new Promise(resolve => {
      this.signal.addEventListener('abort', () => resolve(), { once: true });
      if (this.signal.aborted) {
        resolve();
      }
    });
  }

  /** Whether drawings on stderr are seen by a person. */
  get drawsOnStderr(): boolean {
    return this.#stderrIsTerminal;
  }

  close(): void {
    this.#stop();
  }

  #stop(): void {
    this.#turn += 1;
    this.#spinner?.stop();
    this.#spinner = undefined;
  }
}
