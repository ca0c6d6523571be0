import { developmentKey, findBoard, signImage, writeImageFile } from '@zbc-signer/image';
import { Board, hex } from '../../../testkit/boards/board.js';
import { BoardImage } from '../../../testkit/boards/board-image.js';
import { applyUf2, flashWith, readBuilt } from '../../../testkit/boards/image.js';
import { SimulatedPico } from '../../../testkit/boards/pico.js';
import { PicoDriver } from '../../../testkit/boards/pico-driver.js';
import { Reference } from '../../../testkit/boards/reference.js';
import { imageOf } from '../../../testkit/boards/slot-image.js';
import { getPublicKey } from '../../../testkit/device/apdu.js';
import { BareDevice } from '../../../testkit/device/bare-device.js';

const pico = findBoard('pico')!;
const { installed, staged } = pico.slots!;
const KEPT = pico.flashBytes - 3 * pico.sectorBytes;
const LOADER = 'zbc-signer-loader.uf2';
const START_MS = 2000;
const SKIP_MS = 40;
const RIGHT = 2;
const LONG_MS = 3_600_000;

/** Interval of tested steps in an update; STEPS=1 tests all. */
const STEPS = Number(process.env.STEPS ?? 5);

/** A firmware in the loader's format, with another version. */
function firmware(counter: number, revision: number): Uint8Array {
  const version = { major: 1, minor: 0, revision, build: 0 };
  return signImage(readBuilt('zbc-signer-slot.bin'), { version, counter, key: developmentKey() });
}

/** Copies an update file to a Pico in BOOTSEL mode. */
function copyUpdate(flash: Uint8Array, image: Uint8Array): void {
  const segments = [{ address: pico.flashStart + staged, bytes: image }];
  applyUf2(flash, writeImageFile({ format: 'uf2', segments, start: [] }, pico));
}

/** A board started by the loader, with an open keystore. */
function opened(pico: SimulatedPico): PicoDriver {
  const driver = PicoDriver.on(pico, undefined, START_MS);
  pico.openKeystore('', new BoardImage('pico', 'zbc-signer-slot'));
  return driver;
}

/** The frame of the menu page with the counter. */
async function counterPage(counter: number): Promise<Uint8Array> {
  const device = await BareDevice.start(counter, true);
  for (let press = 0; press < 3; press++) device.press(RIGHT);
  return device.frame;
}

async function expectCounter(board: Board, counter: number): Promise<void> {
  for (const _ of ['Settings', 'Version', 'Security counter']) await board.driver.press('right');
  const expected = await counterPage(counter);
  const shows = async () => Buffer.compare((await board.driver.frame()) ?? expected.fill(1), expected) === 0;
  expect(await board.driver.run(START_MS, shows)).toBe(true);
}

function runsSlot({ chip: { core } }: SimulatedPico): boolean {
  const first = pico.flashStart + installed;
  return core.PC >= first && core.PC < first + pico.slots!.bytes;
}

/** The program that starts from a flash: an image of the slot, or the boot ROM's drive. */
function startOf(flash: Uint8Array): { pico: SimulatedPico; outcome: 'started' | 'drive' } {
  const chip = new SimulatedPico(flash);
  if (!chip.run(START_MS, () => runsSlot(chip) || chip.rom.usbBoot !== undefined))
    throw new Error(chip.where);
  expect(chip.warnings).toEqual([]);
  if (!chip.rom.usbBoot) return { pico: chip, outcome: 'started' };
  // There is no activity pin, and PICOBOOT, which reads SRAM and runs code, is off.
  expect(chip.rom.usbBoot).toEqual([0, 2]);
  return { pico: chip, outcome: 'drive' };
}

function holds(flash: Uint8Array, image: Uint8Array): boolean {
  return Buffer.compare(flash.subarray(installed, installed + image.length), image) === 0;
}

/** A flash with the loader and, in the slot, a small image that loops. */
function smallFlash(image: Uint8Array): Uint8Array {
  const flash = flashWith(undefined, LOADER);
  flash.fill(0xff, installed, staged);
  flash.set(image, installed);
  return flash;
}

describe('the loader', () => {
  test('starts the firmware that is delivered with it, which gives public keys and shows its counter', async () => {
    const board = Board.on(opened(new SimulatedPico(flashWith(undefined, LOADER))));
    await board.expectFrame();
    const expected = new Reference().command(getPublicKey(0));
    expect(hex(await board.exchange(getPublicKey(0)))).toBe(hex(expected!));
    await expectCounter(board, 1);
  });

  test('installs an update, whose counter the menu shows, and keeps the settings', async () => {
    const flash = flashWith(undefined, LOADER);
    const first = opened(new SimulatedPico(flash));
    for (const key of ['right', 'both', 'both'] as const) await first.press(key);
    await first.run(200);
    const settings = first.pico.flash.slice(KEPT);
    expect(settings).not.toEqual(flash.slice(KEPT));

    copyUpdate(first.pico.flash, firmware(2, 1));
    const board = Board.on(opened(first.pico.restarted('lost')));
    expect(board.driver.pico.flash.slice(KEPT)).toEqual(settings);
    expect(holds(board.driver.pico.flash, firmware(2, 1))).toBe(true);
    await expectCounter(board, 2);
  });

  test('never starts an older image after an update, in whichever slot it is', () => {
    const flash = smallFlash(imageOf({ counter: 2 }));
    const { pico: started } = startOf(flash);
    copyUpdate(started.flash, imageOf({ counter: 1, revision: 9 }));
    const { pico: again, outcome } = startOf(started.flash);
    expect([outcome, holds(again.flash, imageOf({ counter: 2 }))]).toEqual(['started', true]);
    again.flash.set(imageOf({ counter: 1, revision: 9 }), installed);
    expect(startOf(again.flash).outcome).toBe('drive');
  });

  test.each([
    ['payload', 2000],
    ['header', 21],
    ['signature', imageOf({ counter: 1 }).length - 20],
  ])('becomes a USB drive when a bit of the %s is wrong', (_, at) => {
    const image = imageOf({ counter: 1 });
    image[at]! ^= 1;
    expect(startOf(smallFlash(image)).outcome).toBe('drive');
  });

  test(
    'starts no image with a wrong header, whichever instruction of the decision is skipped',
    () => {
      const loader = new BoardImage('pico', 'loader/loader');
      const image = imageOf({ counter: 1 });
      image[21]! ^= 1;
      const flash = smallFlash(image);
      const started: string[] = [];
      for (const name of ['update_and_start', 'image_read'])
        for (let at = 0; at < loader.sizeOf(name); at += 2) {
          const chip = new SimulatedPico(flash);
          chip.skipOnce(loader.symbol(name) + at);
          try {
            chip.run(SKIP_MS, () => runsSlot(chip) || chip.rom.usbBoot !== undefined);
          } catch {
            // The simulator throws if an instruction is invalid on the chip; no image runs after that.
          }
          if (runsSlot(chip)) started.push(`${name} + ${at}`);
        }
      expect(started).toEqual([]);
    },
    LONG_MS,
  );

  test(
    'completes an update after a power cut at any step, and keeps the settings',
    () => {
      const [old, next] = [imageOf({ counter: 1 }), imageOf({ counter: 2, revision: 1 })];
      const flash = startOf(smallFlash(old)).pico.flash.slice();
      copyUpdate(flash, next);
      const kept = flash.slice(KEPT);
      const updating = new SimulatedPico(flash);
      let steps = 0;
      updating.rom.beforeStep = step => {
        steps = step + 1;
        if (step % STEPS !== 0) return;
        const { pico: after, outcome } = startOf(updating.flash.slice());
        expect([step, outcome, holds(after.flash, next)]).toEqual([step, 'started', true]);
        expect(after.flash.slice(KEPT)).toEqual(kept);
        after.flash.fill(0xff, staged, staged + old.length);
        after.flash.set(old, installed);
        if (step % (4 * STEPS) === 0) expect(startOf(after.flash).outcome).toBe('drive');
      };
      const pages = Math.ceil(next.length / 256);
      updating.run(
        START_MS,
        () => updating.rom.calls.filter(name => name === 'RE').length === 3 && steps === 2 * (pages + 4),
      );
      expect(steps).toBe(2 * (pages + 2 + 1 + 1));
    },
    LONG_MS,
  );
});
