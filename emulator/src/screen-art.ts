import { SCREEN_HEIGHT, SCREEN_WIDTH } from '@zbc-signer/protocol/limits';

const BRAILLE = 0x2800;
/** Bits of a Braille pattern by row, left and right: a character is 2 by 4 pixels. */
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;
const ROW_BYTES = SCREEN_WIDTH / 8;

/** Draws a 1024-byte frame as 16 lines of 64 characters in a border. */
export function drawScreen(frame: Uint8Array): string {
  const edge = '─'.repeat(SCREEN_WIDTH / 2);
  const lines = Array.from({ length: SCREEN_HEIGHT / 4 }, (_, line) => `│${drawLine(frame, line * 4)}│`);
  return [`┌${edge}┐`, ...lines, `└${edge}┘`].join('\n');
}

/** Draws the expected frame and, below it, the shown one. */
export function drawScreens(expected: Uint8Array, shown: Uint8Array): string {
  return `expected:\n${drawScreen(expected)}\nshown:\n${drawScreen(shown)}`;
}

function drawLine(frame: Uint8Array, top: number): string {
  const patterns = Array.from({ length: SCREEN_WIDTH / 2 }, (_, cell) =>
    DOTS.flatMap(([left, right], row) => [
      isLit(frame, cell * 2, top + row) ? left : 0,
      isLit(frame, cell * 2 + 1, top + row) ? right : 0,
    ]).reduce((pattern, dot) => pattern | dot, BRAILLE),
  );
  return String.fromCharCode(...patterns);
}

function isLit(frame: Uint8Array, x: number, y: number): boolean {
  return ((frame[y * ROW_BYTES + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0;
}
