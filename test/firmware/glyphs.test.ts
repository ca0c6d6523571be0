import { createHash } from 'node:crypto';
import { Emulator } from '@zbc-signer/emulator';
import { send, signMessage } from '../../testkit/device/apdu.js';
import { BareDevice } from '../../testkit/device/bare-device.js';
import { readText } from '../../testkit/repository/repository.js';

// The position of a value's first line on the screen, and the size of a character's cell.
const [LEFT, TOP, WIDTH, HEIGHT] = [1, 11, 6, 12];
const ADDRESS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567_'];
const LETTERS_AND_DIGITS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'];

/** The lit pixels that the device draws for each character between two others. */
async function drawnCells(characters: string[]): Promise<Map<string, Set<string>>> {
  const emulator = await Emulator.start();
  const cells = new Map<string, Set<string>>();
  for (const character of characters) {
    const done = send(apdu => emulator.exchange(apdu), signMessage(0, Buffer.from(`.${character}.`)));
    await emulator.waitForReview();
    while (emulator.texts()[0] !== 'Message') emulator.press('right');
    cells.set(character, cellOf(emulator.frame(), 1));
    await emulator.reject();
    await done;
  }
  emulator.stop();
  return cells;
}

function cellOf(frame: Uint8Array, column: number): Set<string> {
  const lit = new Set<string>();
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const pixel = LEFT + column * WIDTH + x;
      const bit = frame[(TOP + y) * 16 + (pixel >> 3)]! & (0x80 >> (pixel & 7));
      if (bit !== 0) lit.add(`${x},${y}`);
    }
  return lit;
}

const distance = (a: Set<string>, b: Set<string>) =>
  [...a].filter(pixel => !b.has(pixel)).length + [...b].filter(pixel => !a.has(pixel)).length;

/** Pairs that differ in fewer than `least` pixels. */
function tooClose(cells: Map<string, Set<string>>, characters: string[], least: number): string[] {
  return characters.flatMap((a, at) =>
    characters
      .slice(at + 1)
      .filter(b => distance(cells.get(a)!, cells.get(b)!) < least)
      .map(b => a + b),
  );
}

describe('the characters in which values are shown', () => {
  let cells: Map<string, Set<string>>;
  beforeAll(async () => {
    cells = await drawnCells([...LETTERS_AND_DIGITS, '_']);
  });

  test('of addresses differ in at least 8 pixels from each other', () => {
    expect(tooClose(cells, ADDRESS, 8)).toEqual([]);
  });

  test('that are letters or digits differ in at least 4 pixels from each other', () => {
    expect(tooClose(cells, LETTERS_AND_DIGITS, 4)).toEqual([]);
  });

  test('leave an empty column between each other', () => {
    for (const [character, cell] of cells) {
      expect([character, [...cell].filter(pixel => pixel.startsWith('5,'))]).toEqual([character, []]);
      expect(cell.size).toBeGreaterThan(4);
    }
  });
});

test('both typefaces have the pixels that were reviewed', async () => {
  const source = readText('firmware/assembly/screen/glyphs/font.ts').replace(/\/\/.*$/gm, '');
  const tables = [...source.matchAll(/memory\.data<u8>\(\[([^\]]*)\]/g)].map(([, numbers]) =>
    Buffer.from(numbers!.split(',').flatMap(each => (each.trim() === '' ? [] : [Number(each)]))),
  );
  const { memory } = await BareDevice.start();
  expect(tables.map(table => Buffer.from(memory).includes(table))).toEqual([true, true, true]);
  const hashes = tables.map(table => createHash('sha256').update(table).digest('hex').slice(0, 16));
  // Hashes of the widths and glyphs of titles, and the glyphs of values. If they change, check
  // docs/specimen.png and every title.
  expect(hashes).toEqual(['3486df5c2edb16e6', 'd08d758fd7cb6845', '3d10a18ecf1e22fd']);
});
