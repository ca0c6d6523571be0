import { createHash } from 'node:crypto';
import { Board } from '../../../testkit/boards/board.js';
import type { Key } from '../../../testkit/boards/driver.js';
import { flashWith, OLD_SEED_SECTOR } from '../../../testkit/boards/image.js';
import { SimulatedPico } from '../../../testkit/boards/pico.js';
import { PicoDriver } from '../../../testkit/boards/pico-driver.js';
import { Reference } from '../../../testkit/boards/reference.js';
import { emptyStorage } from '../../../testkit/boards/storage.js';
import { GET_APP_VERSION } from '../../../testkit/device/apdu.js';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const NOISE = Buffer.concat(
  Array.from({ length: 16 }, (_, index) => createHash('sha512').update(`${index}`).digest()),
);
const NEW_SEED: readonly Key[] = ['right', 'both', 'left', 'left'];
/** Presses that lead from the page with the device's part of one seed to that page of another seed. */
const ANOTHER_SEED: readonly Key[] = ['left', 'both', 'both', 'both', 'left', 'left'];
const RAW = 1024;
const [DEBOUNCE_MS, PAUSE_MS] = [8, 20];
const [PRESS_MS, STRETCH_MS, MOST_MS] = [50, 1350, 5000];
/** Time that a host waits after a press, and the upper limit of its wait if there was no press. */
const [QUIET_MS, SOON_MS] = [100, 50];

/** A board whose oscillator gives these bits, on the page with the device's part of a new seed. */
async function newSeed(noise: Uint8Array, expected = noise, isRunning = true): Promise<Board<PicoDriver>> {
  const pico = new SimulatedPico(flashWith(), { noise });
  pico.rosc.isRunning = isRunning;
  const board = Board.on(PicoDriver.on(pico), new Reference(null, undefined, { noise: expected }));
  await board.pressAll(NEW_SEED);
  return board;
}

describe('the noise of a Pico', () => {
  test('consists of every bit of its oscillator, in order', async () => {
    const { reference } = await newSeed(NOISE);
    const [title, ...lines] = reference.texts;
    expect(title).toBe("Device's part");
    expect(lines.join('')).toBe(sha256(NOISE));
  });

  test('depends on every bit of the register, whatever its value', async () => {
    const flipped = Array.from({ length: 8 }, (_, bit) => {
      const bytes = Buffer.from(NOISE);
      bytes[Math.floor((bit * (RAW - 1)) / 7)]! ^= 0x80 >> bit;
      return bytes;
    });
    const given = [NOISE, NOISE.map(byte => ~byte), ...flipped];
    const board = await newSeed(Buffer.concat(given));
    for (const [i, bytes] of given.entries()) {
      if (i > 0) await board.pressAll(ANOTHER_SEED);
      expect(board.reference.texts.slice(1).join('')).toBe(sha256(bytes));
    }
    expect(new Set(given.map(sha256)).size).toBe(given.length);
  });

  test('of an oscillator that is stuck makes no seed', async () => {
    const { reference } = await newSeed(new Uint8Array(), new Uint8Array(1024));
    expect(reference.texts).toEqual(['Noise source', 'has failed']);
  });

  test('of an oscillator that stands still makes no seed, whatever its register contains', async () => {
    const { reference } = await newSeed(NOISE, new Uint8Array(), false);
    expect(reference.texts).toEqual(['Noise source', 'has failed']);
  });
});

describe('a seed that older firmware left in flash', () => {
  const flash = flashWith();
  const sector = () => flash.subarray(OLD_SEED_SECTOR, OLD_SEED_SECTOR + 4096);

  test.each<[string, (bytes: Uint8Array) => void]>([
    ['whole', bytes => bytes.set(NOISE.subarray(0, 76))],
    ['in part', bytes => bytes.set(NOISE.subarray(0, 8), 4000)],
  ])('is erased at the first start, %s', (_, leave) => {
    sector().fill(0xff);
    leave(sector());
    const pico = new SimulatedPico(flash).boot();
    expect(pico.flash.subarray(OLD_SEED_SECTOR, OLD_SEED_SECTOR + 4096).every(byte => byte === 0xff)).toBe(
      true,
    );
    expect(pico.rom.calls.filter(name => name === 'RE')).toHaveLength(1);
    expect(pico.restarted('lost').boot().rom.calls).not.toContain('RE');
  });
});

test('no press waits longer than 50 ms for its page, and a seed opens in 1.3 s', async () => {
  const pico = new SimulatedPico(flashWith(), { slowDisplay: true }).boot();
  pico.run(PAUSE_MS);
  const reference = new Reference(null);
  /** Time from the end of a press until its page is complete. */
  const press = (key: Key): number => {
    reference.press(key);
    pico.hold(key, true);
    pico.run(14);
    pico.hold(key, false);
    const start = pico.milliseconds + DEBOUNCE_MS;
    const shows = () => Buffer.compare(pico.display.frame()!, reference.frame) === 0;
    while (!shows() && pico.milliseconds < start + MOST_MS) pico.run(1);
    const taken = pico.milliseconds - start;
    // A press does not count if it begins before the board knows that its page is complete.
    pico.run(PAUSE_MS);
    return taken;
  };
  for (const key of ['right', 'right', 'both', 'both'] as const) press(key);
  const times: number[] = [];
  // This selects the first choice for each of the words.
  while (reference.texts[0] !== 'Passphrase') {
    times.push(press(reference.texts.at(-1) === '>  Keep' ? 'right' : 'left'));
  }
  const longest = Math.max(...times);
  const stretched = press('left');
  console.log(
    `${times.length} presses: ${longest.toFixed(1)} ms at most; a seed: ${stretched.toFixed(0)} ms`,
  );
  expect(longest).toBeLessThan(PRESS_MS);
  expect(stretched).toBeLessThan(STRETCH_MS);
  expect(reference.texts[0]).toBe('Fingerprint');
});

test('after a press in the keystore, a host is answered only when 100 ms have passed', async () => {
  const board = Board.on(
    await PicoDriver.open({ storage: emptyStorage(), passphrase: null }),
    new Reference(null),
  );
  const { pico } = board.driver;
  const answeredIn = async (start: number) => {
    await board.exchange(GET_APP_VERSION);
    return pico.milliseconds - start;
  };
  expect(await answeredIn(pico.milliseconds)).toBeLessThan(SOON_MS);
  pico.hold('right', true);
  pico.run(PAUSE_MS);
  pico.hold('right', false);
  const start = pico.milliseconds + DEBOUNCE_MS;
  pico.run(PAUSE_MS);
  const took = await answeredIn(start);
  expect(took).toBeGreaterThan(QUIET_MS);
  expect(took).toBeLessThan(QUIET_MS + SOON_MS);
});
