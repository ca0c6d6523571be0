// QR codes of version 5 (ISO/IEC 18004) with error correction M. Their 84 bytes are enough for a `zbc:` link
// with an address.
const SIZE = 37;
const DATA = 86;
const BLOCKS = 2;
const CORRECTION = 24;
const ALIGNMENT = 30;
/** Format bits of level M and mask 0, the checkerboard. */
const FORMAT = 0b101010000010010;
const DARK = 8;

/**
 * The path of an SVG that draws each dark module as a unit square. Throws RangeError for a text that does not
 * fit.
 */
export function drawQrCode(text: string): string {
  const runs = encodeQrCode(text).map((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join(''),
  );
  return runs.join('');
}

/** The modules of each row; `true` is a dark module. */
function encodeQrCode(text: string): boolean[][] {
  const rows: (boolean | undefined)[][] = Array.from({ length: SIZE }, () => Array(SIZE).fill(undefined));
  drawPatterns(rows);
  const codewords = interleave(encodeData(new TextEncoder().encode(text)));
  let bit = 0;
  for (const [row, column] of zigzag()) {
    if (rows[row]![column] !== undefined) continue;
    const isSet = (((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
    rows[row]![column] = isSet !== ((row + column) % 2 === 0);
    bit += 1;
  }
  return rows as boolean[][];
}

function encodeData(bytes: Uint8Array): number[] {
  if (bytes.length > DATA - 2) throw new RangeError(`${bytes.length} bytes do not fit into the QR code`);
  // The mode has four bits, so the bytes after it are not aligned. All values are therefore split into
  // halves.
  const halves = [4, bytes.length >> 4, bytes.length & 15];
  for (const byte of bytes) halves.push(byte >> 4, byte & 15);
  halves.push(0);
  const data = Array.from(
    { length: halves.length / 2 },
    (_, at) => halves[2 * at]! * 16 + halves[2 * at + 1]!,
  );
  for (let pad = 0xec; data.length < DATA; pad ^= 0xec ^ 0x11) data.push(pad);
  return data;
}

/** Interleaves the bytes of the blocks, then those of their error correction. */
function interleave(data: number[]): number[] {
  const length = DATA / BLOCKS;
  const blocks = Array.from({ length: BLOCKS }, (_, at) => data.slice(at * length, (at + 1) * length));
  const corrections = blocks.map(correct);
  return [blocks, corrections].flatMap(each => each[0]!.flatMap((_, at) => each.map(block => block[at]!)));
}

/** The error correction of a block: its remainder after division by the Reed-Solomon generator polynomial. */
function correct(block: number[]): number[] {
  let generator = [1];
  for (let root = 1, at = 0; at < CORRECTION; at += 1, root = multiply(root, 2)) {
    const shifted = [...generator, 0];
    generator = shifted.map((term, index) => term ^ multiply(generator[index - 1] ?? 0, root));
  }
  const remainder = [...block, ...Array<number>(CORRECTION).fill(0)];
  for (const at of block.keys()) {
    const factor = remainder[at]!;
    for (const [offset, term] of generator.entries()) remainder[at + offset]! ^= multiply(term, factor);
  }
  return remainder.slice(block.length);
}

/** Multiplies in the field of 256 elements with the polynomial 0x11d. */
function multiply(one: number, other: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ (product >> 7 === 1 ? 0x11d : 0);
    if ((other >> bit) & 1) product ^= one;
  }
  return product;
}

function drawPatterns(rows: (boolean | undefined)[][]): void {
  const drawRings = (y: number, x: number, radius: number, isDark: (distance: number) => boolean) => {
    for (let dy = -radius; dy <= radius; dy += 1) {
      for (let dx = -radius; dx <= radius; dx += 1) {
        const row = rows[y + dy];
        if (row !== undefined && x + dx >= 0 && x + dx < SIZE) {
          row[x + dx] = isDark(Math.max(Math.abs(dx), Math.abs(dy)));
        }
      }
    }
  };
  for (let at = 0; at < SIZE; at += 1) rows[6]![at] = rows[at]![6] = at % 2 === 0;
  for (const [y, x] of [
    [3, 3],
    [3, SIZE - 4],
    [SIZE - 4, 3],
  ] as const) {
    drawRings(y, x, 4, distance => distance !== 2 && distance !== 4);
  }
  drawRings(ALIGNMENT, ALIGNMENT, 2, distance => distance !== 1);
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = ((FORMAT >> bit) & 1) === 1;
    const near = bit < 6 ? bit : bit < 8 ? bit + 1 : SIZE - 15 + bit;
    const far = bit < 8 ? SIZE - 1 - bit : bit === 8 ? 7 : 14 - bit;
    rows[near]![DARK] = isDark;
    rows[DARK]![far] = isDark;
  }
  rows[SIZE - 8]![DARK] = true;
}

/** The positions of the bits: pairs of columns from right to left, alternately upwards and downwards. */
function* zigzag(): Iterable<[row: number, column: number]> {
  for (let right = SIZE - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1;
    const isUpwards = ((right + 1) & 2) === 0;
    for (let step = 0; step < SIZE; step += 1) {
      const row = isUpwards ? SIZE - 1 - step : step;
      yield [row, right];
      yield [row, right - 1];
    }
  }
}
