import { createInterface, type Interface } from 'node:readline/promises';
import type { Screen } from '@zbc-signer/emulator';
import { drawScreen } from '../output/screen-art.js';
import type { Hands, Step, WrongScreen } from './signer-under-test.js';

/** A user at the terminal, who presses and compares as asked. */
export class User implements Hands {
  readonly #terminal: Interface;

  constructor(private readonly signal: AbortSignal) {
    this.#terminal = createInterface({ input: process.stdin, output: process.stderr });
  }

  async follow(steps: readonly Step[]): Promise<WrongScreen | undefined> {
    const last = steps.at(-1)?.screen;
    if (last === undefined) return undefined;
    this.#say(steps.map(describeStep).join('\n'));
    this.#say(drawScreen(last.frame));
    const answer = await this.#ask('Was every screen as listed, and is the last one the picture? [y/n] ');
    if (answer === 'y') return undefined;
    const complaint = `by the user, the display does not show what it has to: ${describeScreen(last)}`;
    return { complaint, expected: last.frame };
  }

  async cut(): Promise<boolean> {
    const answer = await this.#ask(
      'Unplug the signer and plug it in again, then type y; n if you cannot. [y/n] ',
    );
    return answer === 'y';
  }

  close(): void {
    this.#terminal.close();
  }

  #say(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  async #ask(question: string): Promise<string> {
    for (;;) {
      const answer = (await this.#terminal.question(question, { signal: this.signal })).trim().toLowerCase();
      if (answer === 'y' || answer === 'n') return answer;
    }
  }
}

function describeStep({ press, screen }: Step): string {
  const what = press === undefined ? 'The display shows' : `Press ${press === 'both' ? 'both' : press}:`;
  return `  ${what.padEnd(18)} ${describeScreen(screen)}`;
}

function describeScreen({ texts }: Screen): string {
  return texts.map(({ text }) => text).join(' / ');
}
