import { styleText } from 'node:util';
import type { Ora } from 'ora';

/** A command's result for stdout: JSON for programs, an object except from `get`, or lines for the user. */
export interface Outcome {
  json: unknown;
  text: string;
  /** Printed to stderr if stdout cannot be written: the hash and status of a payment. */
  lastWords?: string;
}

type Style = Parameters<typeof styleText>[0];

/** Results go to stdout, progress to stderr: a spinner on a terminal, plain lines otherwise. */
export class Terminal {
  readonly #stderrIsTerminal = process.stderr.isTTY === true;
  #spinner: Ora | undefined;
  /**
   * Incremented with every line. A spinner is loaded asynchronously, and does not start if a newer line was
   * printed meanwhile.
   */
  #turn = 0;
  /** Printed if Ctrl-C interrupts the command now. */
  interruptionHint: string | undefined;

  /** Printed to stderr if the command ends early or stdout cannot be written. */
  lastWords = '';

  /** The exit code if the command throws no error. A command sets it if a check failed. */
  exitCode = 0;

  /** If `json` is set, the result is one object, and progress is printed only if stderr is a terminal. */
  constructor(
    public json: boolean,
    /** The signal that Ctrl-C aborts. */
    readonly signal: AbortSignal,
  ) {}

  /** Prints a progress line. */
  report(line: string): void {
    this.#stop();
    if (this.#stderrIsTerminal || !this.json) process.stderr.write(`${line}\n`);
  }

  /** Prints a line even with `--json`. */
  warn(line: string): void {
    this.#stop();
    process.stderr.write(`${this.style('yellow', line)}\n`);
  }

  /** Shows a spinner with the reason why the command waits. */
  async wait(text: string): Promise<void> {
    this.#stop();
    // ora hangs on a terminal without a width, as some pseudo-terminals are.
    if (!this.#stderrIsTerminal || process.stderr.columns === 0) {
      this.report(`${text}…`);
      return;
    }
    const turn = this.#turn;
    const { default: ora } = await import('ora');
    if (turn === this.#turn) {
      // Without this option, ora would handle Ctrl-C itself.
      const color = process.stderr.hasColors() ? 'cyan' : false;
      this.#spinner = ora({ text, color, discardStdin: false, stream: process.stderr }).start();
    }
  }

  async print({ json, text, lastWords = '' }: Outcome): Promise<void> {
    this.#stop();
    this.lastWords = lastWords;
    const { formatJsonLine } = await import('./json.js');
    process.stdout.write(this.json ? `${formatJsonLine(json)}\n` : `${text}\n`);
  }

  /** Styles text on a colour terminal, unless NO_COLOR is set. */
  style(style: Style, text: string): string {
    return this.#stderrIsTerminal && process.stderr.hasColors() ? styleText(style, text) : text;
  }

  /** Resolves at Ctrl-C. */
  interrupted(): Promise<void> {
    return new Promise(resolve => {
      this.signal.addEventListener('abort', () => resolve(), { once: true });
      if (this.signal.aborted) resolve();
    });
  }

  /** Whether stderr is a terminal on which drawings are visible. */
  get canDraw(): boolean {
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
