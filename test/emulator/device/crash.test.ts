import { Emulator, FirmwareCrashError, NoReviewError } from '@zbc-signer/emulator';
import { apdu, splitReply } from '../../../testkit/device/apdu.js';
import { crashingFirmware } from '../../../testkit/device/crashing-firmware.js';

const PING = apdu(1);
const REVIEW = apdu(2);
const TRAP = apdu(3);

let emulator: Emulator;

beforeEach(async () => {
  emulator = await Emulator.start({ module: await crashingFirmware() });
});

afterEach(() => emulator.stop());

const send = async (command: Uint8Array) => splitReply(await emulator.exchange(command)).status;

describe('a command that traps', () => {
  test('is answered with 6F00 and recorded, and the firmware restarts', async () => {
    expect(await send(TRAP)).toBe('6F00');
    expect(emulator.crashes).toHaveLength(1);
    expect(emulator.crashes[0]).toBeInstanceOf(FirmwareCrashError);
    expect(emulator.crashes[0]!.message).toContain('unreachable');
    expect(await send(PING)).toBe('9000');
    expect(emulator.crashes).toHaveLength(1);
  });

  test('leaves nothing that it drew on the screen of the restarted firmware', async () => {
    await send(TRAP);
    expect(emulator.texts()).toEqual(['MENU']);
  });

  test('also answers the pending exchange with 6F00', async () => {
    const pending = send(REVIEW);
    expect(emulator.texts()).toEqual(['ITEM']);
    expect(await send(TRAP)).toBe('6F00');
    expect(await pending).toBe('6F00');
    expect(emulator.reviewing).toBe(false);
  });

  test('makes a pending wait for a review fail with the crash', async () => {
    const wait = emulator.waitForReview();
    await send(TRAP);
    await expect(wait).rejects.toBe(emulator.crashes[0]);
  });
});

describe('the memory of the firmware', () => {
  const RealInstance = WebAssembly.Instance;
  let memories: WebAssembly.Memory[];

  beforeEach(async () => {
    memories = [];
    class WatchedInstance extends RealInstance {
      constructor(...args: ConstructorParameters<typeof RealInstance>) {
        super(...args);
        memories.push(this.exports.memory as WebAssembly.Memory);
      }
    }
    Object.assign(WebAssembly, { Instance: WatchedInstance });
    emulator = await Emulator.start({ module: await crashingFirmware() });
  });

  afterEach(() => Object.assign(WebAssembly, { Instance: RealInstance }));

  const isWiped = ({ buffer }: WebAssembly.Memory) => new Uint8Array(buffer).every(byte => byte === 0);

  test('is wiped when the firmware traps, and the next instance has its own memory', async () => {
    expect(memories.map(isWiped)).toEqual([false]);
    await send(TRAP);
    expect(memories.map(isWiped)).toEqual([true, false]);
  });

  test('is wiped when the emulator is stopped', () => {
    emulator.stop();
    expect(memories.map(isWiped)).toEqual([true]);
  });
});

describe('a press that traps', () => {
  test('throws, and answers the pending exchange with 6F00', async () => {
    const pending = send(REVIEW);
    expect(() => emulator.press('left')).toThrow(FirmwareCrashError);
    expect(await pending).toBe('6F00');
    expect(emulator.texts()).toEqual(['MENU']);
  });
});

test('treats an overlong reply as a crash', async () => {
  expect(await send(apdu(4))).toBe('6F00');
  expect(emulator.crashes[0]!.message).toContain('2147483647 bytes');
});

test('answers every command with 6F00 when the firmware cannot restart', async () => {
  expect(await send(apdu(5))).toBe('6F00');
  expect(emulator.crashes).toHaveLength(2);
  expect(await send(PING)).toBe('6F00');
  expect(() => emulator.press('both')).not.toThrow();
});

test('refuses to start a firmware that traps at boot', async () => {
  const settings = Uint8Array.of(5, ...new Uint8Array(15));
  const start = Emulator.start({ module: await crashingFirmware(), settings });
  await expect(start).rejects.toBeInstanceOf(FirmwareCrashError);
});

test('approve() reports a review without an approve page instead of paging forever', async () => {
  const pending = send(REVIEW);
  await expect(emulator.approve()).rejects.toBeInstanceOf(NoReviewError);
  emulator.press('both');
  expect(await pending).toBe('9000');
});

test('keeps settings across a crash, as a board keeps them across a restart', async () => {
  await send(apdu(5));
  expect(emulator.settings?.[0]).toBe(5);
});
