import { addSeed, findBoard, hasSeed, type ImageFile, seedSegment } from '@zbc-signer/image';

const pico = findBoard('pico')!;
const seed = Uint8Array.from({ length: 64 }, (_, index) => index);
const SECTOR = 0x10200000 - 3 * 4096;
const empty: ImageFile = { format: 'bin', segments: [], start: [] };

/** CRC-32 of zlib, bit by bit. */
function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

test('a seed is a mark, 0, the seed and the CRC-32 of these, in the third sector from the end', () => {
  expect(crc32(Buffer.from('123456789'))).toBe(0xcbf43926);
  const { address, bytes } = seedSegment(pico, seed);
  const record = Buffer.from(bytes);
  expect(address).toBe(SECTOR);
  expect(record.subarray(0, 8)).toEqual(Buffer.from('ZBCS\0\0\0\0', 'latin1'));
  expect(record.subarray(8, 72)).toEqual(Buffer.from(seed));
  expect(record.readUInt32LE(72)).toBe(crc32(record.subarray(0, 72)));
  expect(record.length).toBe(76);
});

test('a seed has 64 bytes', () => {
  expect(() => seedSegment(pico, seed.subarray(1))).toThrow(RangeError);
});

describe('an image', () => {
  const code = { address: 0x10000000, bytes: Buffer.from('code') };

  test('gets a seed and keeps what it has', () => {
    const image = addSeed({ ...empty, segments: [code] }, pico, seed);
    expect(image.segments).toEqual([code, { ...seedSegment(pico, seed), bytes: expect.anything() }]);
    expect([hasSeed({ ...empty, segments: [code] }, pico), hasSeed(image, pico)]).toEqual([false, true]);
  });

  test('with a seed gets no other, unless that is wanted', () => {
    const first = addSeed(empty, pico, seed);
    const other = new Uint8Array(64).fill(7);
    expect(() => addSeed(first, pico, other)).toThrow('has a seed already');
    expect(addSeed(first, pico, other, true)).toEqual(addSeed(empty, pico, other));
  });

  test('that goes on over the seed sector gets none, and one that is erased there does', () => {
    const over = (byte: number) => ({
      ...empty,
      segments: [{ address: SECTOR - 8, bytes: new Uint8Array(5000).fill(byte) }],
    });
    expect(() => addSeed(over(0), pico, seed, true)).toThrow('something else');
    expect(hasSeed(addSeed(over(0xff), pico, seed), pico)).toBe(true);
  });
});
