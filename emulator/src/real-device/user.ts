import { createInterface, type Interface } from 'node:readline/promises';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { callListener } from '@zbc-signer/protocol/callbacks';
import { type Screen, textsOf } from '../device/platform.js';
import { EmulatorError } from '../errors.js';
import { drawScreen } from '../screen-art.js';
import {
  type DeviceControls,
  describePlace,
  type ScreenStep,
  type WrongScreen,
} from './signer-under-test.js';

const DRAWING_COLUMNS = 66;
const DEFAULT_COLUMNS = 80;
const SAME = ['', 'y', 'yes', 's', 'same'];
const DIFFERS = ['n', 'no', 'd', 'differs'];

/** The terminal of a person. */
export interface UserTerminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream & { columns?: number };
  /** Called at Ctrl-C, which does not cause a signal on a terminal in raw mode. */
  onInterrupt(): void;
}

/** Presses of one button, with the step of the last of them. */
interface Turn extends ScreenStep {
  times: number;
}

/** Asks a person at the terminal to press buttons and to compare the pages. */
export class TerminalUser implements DeviceControls {
  readonly #lines: Interface;
  readonly #closed: Promise<never>;

  constructor(
    private readonly terminal: UserTerminal,
    private readonly signal: AbortSignal,
  ) {
    bindMembers(this);
    this.#lines = createInterface({ input: terminal.input, output: terminal.output });
    this.#lines.on('SIGINT', () => void callListener(() => terminal.onInterrupt()));
    this.#closed = new Promise((_, reject) => {
      this.#lines.once('close', () => reject(new EmulatorError('NO_TERMINAL', 'the terminal was closed')));
    });
    this.#closed.catch(() => undefined);
  }

  async follow(steps: readonly ScreenStep[]): Promise<WrongScreen | undefined> {
    for (const turn of takeTurns(steps)) {
      this.say(`\n${describeTurn(turn)}\n${describeScreen(turn.screen)}`);
      if ((this.terminal.output.columns || DEFAULT_COLUMNS) >= DRAWING_COLUMNS) {
        this.say(drawScreen(turn.screen.frame));
      }
      if (await this.#agrees('Is it the same? Enter if it is, d if it differs: ')) continue;
      const seen = (await this.#ask('What does it show instead? Some words, or Enter: ')).trim();
      const words = seen === '' ? '' : `; it shows: ${seen}`;
      return {
        complaint: `${describePlace(turn)}the user says that the display does not show "${textsOf(turn.screen).join(' / ')}"${words}`,
        step: turn,
      };
    }
    return undefined;
  }

  cutPower(): Promise<boolean> {
    return this.#agrees(
      '\nUnplug the signer and plug it in again. Then press Enter, or type n if you cannot: ',
    );
  }

  async enterWords(mnemonic: string): Promise<void> {
    this.say(
      `\nThe signer is locked. Choose "Restore seed" and enter the words below, without a passphrase. If it asks for a PIN, enter any:\n\n  ${mnemonic}\n`,
    );
    await this.#ask('Press Enter when it shows "is ready": ');
  }

  /** Prints a line. */
  say(text: string): void {
    this.terminal.output.write(`${text}\n`);
  }

  /** Restores the terminal. */
  close(): void {
    this.#lines.close();
  }

  async #agrees(question: string): Promise<boolean> {
    for (;;) {
      const answer = (await this.#ask(question)).trim().toLowerCase();
      if (SAME.includes(answer)) return true;
      if (DIFFERS.includes(answer)) return false;
    }
  }

  #ask(question: string): Promise<string> {
    return Promise.race([this.#lines.question(question, { signal: this.signal }), this.#closed]);
  }
}

/** Combines presses of the same button into a turn if nothing new is shown between them. */
function takeTurns(steps: readonly ScreenStep[]): Turn[] {
  const turns: Turn[] = [];
  for (const step of steps) {
    const { press, screen } = step;
    const last = turns.at(-1);
    const isSame = last !== undefined && Buffer.compare(last.screen.frame, screen.frame) === 0;
    const goesOn = last?.press === press && (last?.seen || isSame);
    if (last !== undefined && press !== undefined && (goesOn || (last.press === undefined && isSame))) {
      turns[turns.length - 1] = { ...step, times: last.times + 1 };
    } else {
      turns.push({ ...step, times: press === undefined ? 0 : 1 });
    }
  }
  return turns;
}

function describeTurn({ press, times }: Turn): string {
  if (press === undefined) return 'Press nothing. The signer must show:';
  const button = press === 'both' ? 'both buttons together' : `the ${press} button`;
  const often = times === 1 ? 'once' : `${times} times`;
  return `Press ${button} ${often}. Then the signer must show:`;
}

function describeScreen(screen: Screen): string {
  return textsOf(screen)
    .map(text => `  ${text}`)
    .join('\n');
}
