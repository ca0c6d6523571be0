// Tests which noise of the board is drawn and which is refused (docs/KEYSTORE.md#a-new-seed).
import { createHash } from 'node:crypto';
import { KeystoreDevice } from '../../../testkit/device/keystore-device.js';

const RAW = 1024;
const FAILED = ['Noise source', 'has failed'];
const good = createHash('shake256', { outputLength: 2 * RAW })
  .update('good noise')
  .digest();

/** The device before the first roll of a new seed of 12 words. */
function drawFrom(noise: Uint8Array, claim?: number): KeystoreDevice {
  const device = new KeystoreDevice({ noise, ...(claim && { claim }) });
  device.press('rbll');
  return device;
}

test("the device's part is the SHA-256 of the first 1,024 bytes of noise", () => {
  const part = createHash('sha256').update(good.subarray(0, RAW)).digest('hex');
  expect(drawFrom(good).texts.slice(1).join('')).toBe(part);
});

test("a change to any byte of the noise changes the device's part", () => {
  const parts = new Set<string>();
  for (let at = 0; at < RAW; at += 31) {
    const noise = good.slice();
    noise[at]! ^= 1;
    parts.add(drawFrom(noise).texts.join(''));
  }
  expect(parts.size).toBe(Math.ceil(RAW / 31));
});

test.each([0, 1, 63, 64, 960, 1023])('a noise source that ends after %d bytes gives no seed', length => {
  const device = drawFrom(good.subarray(0, length));
  expect(device.texts).toEqual(FAILED);
  expect(device.press('b')).toEqual(['New seed', 'press both']);
});

test('a noise source that does not answer gives no seed', () => {
  const device = new KeystoreDevice({ noise: good, answer: () => 2 });
  expect(device.press('rbll')).toEqual(FAILED);
});

/** `count` equal bytes in a row, within good noise. */
function withRun(count: number): Uint8Array {
  const noise = good.slice(0, RAW);
  noise.fill(0x55, 100, 100 + count);
  noise[99] = 1;
  noise[100 + count] = 1;
  return noise;
}

// The limit is 1 + ⌈20/H⌉ (NIST SP 800-90B §4.4.1).
test.each([
  [8, 4],
  [7, 4],
  [6, 5],
  [5, 5],
  [4, 6],
  [3, 8],
  [2, 11],
  [1, 21],
])(
  'with a claimed entropy of %d bits, %d equal bytes in a row fail the health test, and one fewer do not',
  (claim, cutoff) => {
    expect(drawFrom(withRun(cutoff), claim).texts).toEqual(FAILED);
    expect(drawFrom(withRun(cutoff - 1), claim).texts[0]).toBe("Device's part");
  },
);

/** Noise in which a window of 512 bytes has its first byte `count` times, never twice in a row. */
function withShare(window: number, count: number): Uint8Array {
  const noise = Uint8Array.from({ length: RAW }, (_, i) => (i % 2 === 0 ? 10 + (i % 97) : 120 + (i % 89)));
  const free = Array.from({ length: 512 }, (_, i) => i);
  for (const i of free.slice(0, 512)) if (noise[512 * window + i] === 7) noise[512 * window + i] = 8;
  const spacing = 512 / count;
  for (let k = 0; k < count; k++) noise[512 * window + Math.floor(k * spacing)] = 7;
  return noise;
}

// The cut-offs of SP 800-90B §4.4.2 for windows of 512 at 2^-20, from its formula.
test.each([
  [8, 13],
  [7, 18],
  [6, 25],
  [5, 39],
  [4, 62],
  [3, 103],
  [2, 177],
])(
  'with a claimed entropy of %d bits, %d equal bytes of 512 fail in either window, and one fewer do not',
  (claim, cutoff) => {
    for (const window of [0, 1]) {
      expect(drawFrom(withShare(window, cutoff), claim).texts).toEqual(FAILED);
      expect(drawFrom(withShare(window, cutoff - 1), claim).texts[0]).toBe("Device's part");
    }
  },
);

test.each([0, 0xff])('a noise source that gives only the byte %d is reported as failed', value => {
  expect(drawFrom(new Uint8Array(RAW).fill(value), 1).texts).toEqual(FAILED);
});

test.each([
  ['a vault without noise', 2],
  ['noise without claimed entropy', 1],
  ['a claimed entropy of more than 8 bits', 1 | (9 << 8)],
])('a keystore with %s does not start', (_, options) => {
  expect(() => new KeystoreDevice({ options })).toThrow('unreachable');
});
