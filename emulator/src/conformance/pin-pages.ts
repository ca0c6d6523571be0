// Pages on which a signer with a vault shows the digits of a PIN in random order.
import { SCREEN_WIDTH } from '@zbc-signer/protocol/limits';
import type { Button } from '../device/buttons.js';
import type { Screen, ScreenText } from '../device/platform.js';
import type { ScreenStep } from '../real-device/signer-under-test.js';

const TITLE = /PIN \d of 6$/;
const OPTIONS = { '<  ': 'left', '<> ': 'both', '>  ': 'right' } as const satisfies Record<string, Button>;
const MARK_LENGTH = 3;
const DIGITS = 9;
const ROW_BYTES = SCREEN_WIDTH / 8;

/** The position of a digit, in pixels. */
interface Cell {
  button: Button;
  digit: string;
  x: number;
  y: number;
  w: number;
  h: number;
}

/** The digits that each button stands for on a page: one or three. */
export type PinOptions = ReadonlyMap<Button, string>;

export function isPinPage({ texts: [title] }: Screen): boolean {
  return title !== undefined && TITLE.test(title.text);
}

/** Whether a frame shows the same page as a screen, whatever the order of the digits. */
export function isSamePinPage(frame: Uint8Array, screen: Screen): boolean {
  const cells = cellsOf(screen);
  const [shown, expected] = [frame, screen.frame].map(bytes => {
    const rest = bytes.slice();
    for (const cell of cells) pixelsOf(cell, (at, mask) => (rest[at]! &= ~mask));
    return rest;
  });
  return cells.every(cell => draw(frame, cell).includes('1')) && Buffer.compare(shown!, expected!) === 0;
}

/** Recognizes digits by comparison with the digits that a reference draws. */
export class PinReader {
  readonly #digits = new Map<string, string>();

  /**
   * The digits that each button stands for in `frame`, which shows the same page as `screen`. Returns
   * undefined if a digit cannot be recognized or occurs twice.
   */
  read(frame: Uint8Array, screen: Screen): PinOptions | undefined {
    const cells = cellsOf(screen);
    for (const cell of cells) this.#digits.set(draw(screen.frame, cell), cell.digit);
    const options = new Map<Button, string>();
    for (const cell of cells) {
      const digit = this.#digits.get(draw(frame, cell));
      if (digit === undefined) return undefined;
      options.set(cell.button, `${options.get(cell.button) ?? ''}${digit}`);
    }
    const all = [...options.values()].join('');
    return new Set(all).size === all.length ? options : undefined;
  }
}

/** Whether the options belong to the page that shows all nine digits. */
export function areAllDigits(options: PinOptions): boolean {
  return [...options.values()].join('').length === DIGITS;
}

/** The digit that the press of a step enters. Entering one takes two presses if a button stands for three. */
export function digitOf(steps: readonly ScreenStep[], index: number): string {
  const chosen = chosenBy(steps[index - 1]!.screen, steps[index]!.press!);
  return chosen.length === 1 ? chosen : chosenBy(steps[index]!.screen, steps[index + 1]!.press!);
}

function chosenBy(screen: Screen, press: Button): string {
  return cellsOf(screen)
    .filter(({ button }) => button === press)
    .map(({ digit }) => digit)
    .join('');
}

function cellsOf({ texts: [, ...lines] }: Screen): Cell[] {
  return lines.flatMap(line => cellsOfLine(line));
}

/** The font of these lines is monospaced. */
function cellsOfLine({ text, x, y, w, h }: ScreenText): Cell[] {
  const button = OPTIONS[text.slice(0, MARK_LENGTH) as keyof typeof OPTIONS];
  if (button === undefined) return [];
  const width = w / text.length;
  return [...text].flatMap((digit, place) =>
    /\d/.test(digit) ? [{ button, digit, x: x + place * width, y, w: width, h }] : [],
  );
}

function draw(frame: Uint8Array, cell: Cell): string {
  let drawn = '';
  pixelsOf(cell, (at, mask) => {
    drawn += frame[at]! & mask ? '1' : '0';
  });
  return drawn;
}

function pixelsOf({ x, y, w, h }: Cell, take: (at: number, mask: number) => void): void {
  for (let row = y; row < y + h; row++) {
    for (let column = x; column < x + w; column++) {
      take(row * ROW_BYTES + (column >> 3), 0x80 >> (column & 7));
    }
  }
}
