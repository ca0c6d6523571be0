import type { Board, Core } from './boards.js';
import { ImageError } from './errors.js';
import { DEFAULT_HEADER, OWN_TAGS_BYTES } from './mcuboot.js';

const WORD = 4;
const VECTORS_BYTES = 2 * WORD;

/** Throws ImageError if no board's loader would start the payload. */
export function checkSlotProgram(boards: readonly Board[], payload: Uint8Array): void {
  const problems = boards.map(board => slotProblem(board, payload));
  const [first] = problems;
  if (first && !problems.includes(undefined)) throw first;
}

function slotProblem(board: Board, payload: Uint8Array): ImageError | undefined {
  const { name, slots, core, flashStart } = board;
  if (!slots || !core) return new ImageError('BAD_IMAGE', `${name} has no loader`);
  const largest = slots.bytes - DEFAULT_HEADER - OWN_TAGS_BYTES;
  const start = flashStart + slots.installed + DEFAULT_HEADER;
  if (payload.length > largest) {
    return new ImageError(
      'BAD_IMAGE',
      `the image has ${payload.length} bytes, but a slot of ${name} holds ${largest}`,
    );
  }
  const isWhole = payload.length >= VECTORS_BYTES && payload.length % WORD === 0;
  if (isWhole && vectorsFit(payload, core, start, payload.length)) return undefined;
  return new ImageError(
    'BAD_IMAGE',
    `the loader of ${name} would not start the image, which is not linked for the loader's slot`,
    'Sign the file zbc-signer-slot.bin that `make image LOADER=yes` writes.',
  );
}

/** Makes the same check as the loader (firmware/boards/pico/loader/pico.c). */
function vectorsFit(
  bytes: Uint8Array,
  { sramStart, sramBytes }: Core,
  codeStart: number,
  codeBytes: number,
): boolean {
  const words = new DataView(bytes.buffer, bytes.byteOffset, VECTORS_BYTES);
  const stack = words.getUint32(0, true) - sramStart;
  const reset = words.getUint32(WORD, true) - codeStart;
  return (
    stack >= 0 &&
    stack <= sramBytes &&
    stack % WORD === 0 &&
    reset >= 0 &&
    reset < codeBytes &&
    reset % 2 === 1
  );
}
