import { BOARDS, findBoard, type ImageFile, readImageFile, writeImageFile } from '@zbc-signer/image';
import { readText } from '../../testkit/repository/repository.js';

const pico = findBoard('pico')!;
const FLASH = 0x10000000;
const counting = (length: number) => Uint8Array.from({ length }, (_, index) => index & 0xff);
const written = (segments: ImageFile['segments'], format: ImageFile['format']) =>
  Buffer.from(writeImageFile({ format, segments, start: [] }, pico));

test('the flash of pico has the size that its code defines', () => {
  expect(BOARDS.map(({ name }) => name)).toContain('pico');
  expect(readText('firmware/boards/pico/flash.c')).toMatch(/FLASH_BYTES = 2 << 20, SECTOR_BYTES = 4096,/);
  expect(pico).toMatchObject({ flashBytes: 0x200000, sectorBytes: 4096 });
});

describe('UF2', () => {
  test('has a block of 512 bytes for each page, as in its specification', () => {
    const file = written([{ address: FLASH + 0x1000, bytes: counting(300) }], 'uf2');
    const words = (at: number) => Array.from({ length: 8 }, (_, index) => file.readUInt32LE(at + 4 * index));
    expect(file.length).toBe(1024);
    expect(words(512)).toEqual([0x0a324655, 0x9e5d5157, 0x2000, 0x10001100, 256, 1, 2, 0xe48bff56]);
    expect(file.readUInt32LE(1020)).toBe(0x0ab16f30);
    expect(file.subarray(512 + 32, 512 + 32 + 44)).toEqual(Buffer.from(counting(44)));
    expect(file[512 + 32 + 44]).toBe(0xff);
  });

  // RP2040-E14: the boot ROM erases only the sector of the first of every 16 blocks.
  test('has 16 separate blocks for each sector, regardless of the segments of the file', () => {
    const segments = [
      { address: FLASH, bytes: counting(0x8700) },
      { address: FLASH + 0x9100, bytes: counting(400) },
      { address: FLASH + 0x40000, bytes: counting(5000) },
    ];
    const whole = written(segments, 'uf2');
    const addresses = Array.from({ length: whole.length / 512 }, (_, at) =>
      whole.readUInt32LE(512 * at + 12),
    );
    const sectors = addresses.map(address => address >>> 12);
    expect(sectors).toEqual(sectors.map((_, number) => sectors[number - (number % 16)]));
    expect(new Set(sectors.filter((_, number) => number % 16 === 0)).size).toBe(
      Math.ceil(sectors.length / 16),
    );
    for (const { address, bytes } of segments) {
      const { segments: read } = readImageFile(whole, pico);
      const around = read.find(
        each => each.address <= address && address < each.address + each.bytes.length,
      )!;
      expect(Buffer.from(around.bytes.subarray(address - around.address)).indexOf(bytes)).toBe(0);
    }
  });

  test('is not written for a segment that does not begin at a page', () => {
    expect(() => written([{ address: FLASH + 100, bytes: counting(1) }], 'uf2')).toThrow(
      'not the start of a page',
    );
  });

  const file = written([{ address: FLASH, bytes: counting(700) }], 'uf2');
  const withWord = (value: number, at: number) => (bytes: Buffer) => {
    bytes.writeUInt32LE(value, at);
    return bytes;
  };

  test('is read as it was written', () => {
    const { format, segments } = readImageFile(file, pico);
    expect(format).toBe('uf2');
    expect(segments.map(({ address, bytes }) => [address, bytes.length])).toEqual([[FLASH, 768]]);
    expect(Buffer.from(segments[0]!.bytes.subarray(0, 700))).toEqual(Buffer.from(counting(700)));
  });

  test.each<[string, (bytes: Buffer) => Buffer, string]>([
    ['of another chip', withWord(1, 28), 'for another chip'],
    ['that is truncated', bytes => bytes.subarray(0, 600), 'incomplete block'],
    ['without its last block', bytes => bytes.subarray(0, 1024), 'block 0 of 3 in place of block 0 of 2'],
    ['with a block that has a broken end', withWord(1, 508), 'invalid block 0'],
    ['with two values for the same byte', withWord(FLASH, 512 + 12), 'two values'],
    ['for addresses outside flash', withWord(0x20000000, 12), 'does not fit the flash'],
  ])('a file %s is refused', (_, damage, message) => {
    expect(() => readImageFile(damage(Buffer.from(file)), pico)).toThrow(message);
  });
});

describe('Intel HEX', () => {
  // The output of GNU objcopy -O ihex for 20 bytes at 1000FFF8 and an entry point.
  const LINES = [
    ':020000041000EA',
    ':08FFF8000001020304050607E5',
    ':020000041001E9',
    ':0C00000008090A0B0C0D0E0F1011121352',
    ':040000051000010BDB',
    ':00000001FF',
    '',
  ].join('\r\n');
  const bytes = Buffer.from(LINES);

  test('is read and written as GNU objcopy writes it', () => {
    const image = readImageFile(bytes, pico);
    expect(image.segments).toEqual([{ address: 0x1000fff8, bytes: Buffer.from(counting(20)) }]);
    expect(Buffer.from(writeImageFile(image, pico)).toString()).toBe(LINES);
  });

  test.each([
    ['a wrong checksum', LINES.replace('07E5', '07E6'), 'line 2'],
    ['a wrong length', LINES.replace(':08FFF8', ':09FFF8').replace('07E5', '07E4'), 'line 2'],
    ['an unknown record', ':020000061000E8\r\n:00000001FF\r\n', 'line 1'],
    ['no end record', LINES.replace(':00000001FF\r\n', ''), 'no end record'],
    ['data after its end', `${LINES}:00000001FF\r\n`, 'line 6'],
    ['a digit that is not hex', LINES.replace('FFF8', 'FFFG'), 'line 2'],
  ])('with %s is refused', (_, text, message) => {
    expect(() => readImageFile(Buffer.from(text), pico)).toThrow(message);
  });
});

describe('BIN', () => {
  test('is a copy of flash from its start, with FF where nothing is written', () => {
    const file = written([{ address: FLASH + 4, bytes: counting(3) }], 'bin');
    expect([...file]).toEqual([255, 255, 255, 255, 0, 1, 2]);
    expect(readImageFile(file, pico).segments).toEqual([{ address: FLASH, bytes: file }]);
  });

  test('is refused if it is larger than flash, an ELF file or empty', () => {
    expect(() => readImageFile(new Uint8Array((2 << 20) + 1), pico)).toThrow(
      'does not fit the flash of pico',
    );
    expect(() => readImageFile(Buffer.from('\x7fELF'), pico)).toThrow('ELF');
    expect(() => readImageFile(new Uint8Array(0), pico)).toThrow('empty');
  });
});
