import { crc32 } from 'node:zlib';
import { Board, closeBoards, expectNoFaults, hex } from '../../testkit/boards/board.js';
import type { Driver, Key, Storage } from '../../testkit/boards/driver.js';
import { Reference } from '../../testkit/boards/reference.js';
import { emptyStorage } from '../../testkit/boards/storage.js';
import { GET_APP_VERSION, getPublicKey, signTransaction } from '../../testkit/device/apdu.js';
import { framed } from '../../testkit/device/reports.js';
import { transactionCases } from '../../testkit/repository/vectors.js';

const [FIRST, SECOND] = transactionCases as [(typeof transactionCases)[0], (typeof transactionCases)[0]];
const MODULE_MEMORY_BYTES = 24576;
/** Offsets in the settings' record, with 16 bytes between the two (common/record.h). */
const [RECORD_NUMBER_AT, RECORD_CRC_AT] = [4, 24];
/** Presses that lead from the menu to the setting of unknown chains, and toggle it. */
const TOGGLE: readonly Key[] = ['right', 'both', 'both'];

/** Opens a review, and moves forward by a number of pages. */
async function review(board: Board, pages = 0): Promise<number> {
  const channel = (await board.sendAll(signTransaction(FIRST)))!;
  await board.expectFrame();
  await board.pressAll(Array.from({ length: pages }, () => 'right' as const));
  return channel;
}

async function signsSecond(board: Board): Promise<void> {
  const channel = (await board.sendAll(signTransaction(SECOND)))!;
  expect(hex(await board.approve(channel)).slice(0, 128)).toBe(SECOND.expect.signature);
}

describe('the menu', () => {
  test('shows every page that the emulator shows, forwards and backwards', async () => {
    const board = await Board.start();
    await board.pressAll(['right', 'right', 'right', 'left', 'left', 'left', 'left', 'both']);
    await board.pressAll(['right', 'both', 'right', 'right', 'right', 'left', 'left', 'both', 'both']);
  });

  test('settings survive the loss of power repeatedly', async () => {
    let board = await Board.start();
    for (let turn = 0; turn < 3; turn++) {
      await board.pressAll(TOGGLE);
      board = await board.restarted('lost', new Reference('', board.reference.settings));
      await board.pressAll(['right', 'both']);
      await board.pressAll(['right', 'right', 'right', 'both']);
      expect(board.reference.texts[0]).toBe('ZBC Signer');
    }
  });
});

describe('when power fails while settings are stored', () => {
  const settingsPage = (settings: Uint8Array | undefined) => {
    const reference = new Reference('', settings);
    reference.press('right');
    reference.press('both');
    return reference.frame;
  };

  /** The stored data after an interrupted change of settings, and the settings before and after. */
  async function cut(place: number, storage: Storage, settings: Uint8Array | undefined) {
    const board = await Board.start({ storage }, new Reference('', settings));
    await board.pressAll(TOGGLE.slice(0, 2));
    const before = board.reference.settings;
    board.reference.press('both');
    const left = await board.driver.powerCutWhile(() => board.driver.press('both'), place);
    return { storage: left, before, after: board.reference.settings };
  }

  test('either the old or the new settings are in effect, wherever it fails', async () => {
    let storage = emptyStorage();
    let settings: Uint8Array | undefined;
    let place = 0;
    for (let turn = 0; turn < 2; turn++)
      for (place = 0; ; place++) {
        const board = await Board.start({ storage }, new Reference('', settings));
        if (place === board.driver.cuts) break;
        await board.pressAll(TOGGLE);
        const stored = board.reference.settings;
        const interrupted = await cut(place, await board.driver.storage(), stored);
        const after = await Board.start({ storage: interrupted.storage });
        await after.pressAll(['right']);
        await after.driver.press('both');
        const shows = async (wanted: Uint8Array) => {
          const frame = await after.driver.frame();
          return frame !== undefined && Buffer.compare(frame, wanted) === 0;
        };
        const pages = [settingsPage(interrupted.before), settingsPage(interrupted.after)] as const;
        const isOne = async () => (await shows(pages[0])) || (await shows(pages[1]));
        expect([place, await after.driver.run(10_000, isOne)]).toEqual([place, true]);
        storage = interrupted.storage;
        settings = (await shows(pages[0])) ? interrupted.before : interrupted.after;
        // A board that keeps running would take processor time from the next ones.
        expectNoFaults();
        await closeBoards();
      }
    expect(place).toBeGreaterThan(3);
  });

  test('at the first change, the default settings stay in effect', async () => {
    for (const place of [0, 2, 3]) {
      const { storage } = await cut(place, emptyStorage(), undefined);
      const board = await Board.start({ storage });
      await board.pressAll(['right', 'both']);
    }
  });

  test('a damaged record is ignored, and the previous record is used', async () => {
    const board = await Board.start();
    await board.pressAll(TOGGLE);
    const stored = board.reference.settings;
    await board.press('both');
    const storage = await board.driver.storage();
    storage.settings[1][10]! ^= 1;
    const after = await Board.start({ storage }, new Reference('', stored));
    await after.pressAll(['right', 'both']);
  });
});

test('the sector is erased before settings are stored in it, whatever it contained', async () => {
  const storage = emptyStorage();
  storage.settings[0].fill(0);
  const board = await Board.start({ storage });
  await board.pressAll(TOGGLE);
  const [sector] = (await board.driver.storage()).settings;
  expect(sector.subarray(RECORD_CRC_AT + 4).every(byte => byte === 0xff)).toBe(true);
});

test('settings that are stored when the record number wraps around count as the newest', async () => {
  const first = await Board.start();
  await first.pressAll(TOGGLE);
  const storage = await first.driver.storage();
  const record = Buffer.from(storage.settings[0].buffer);
  record.writeUInt32LE(0xffffffff, RECORD_NUMBER_AT);
  record.writeUInt32LE(crc32(record.subarray(0, RECORD_CRC_AT)), RECORD_CRC_AT);
  const board = await Board.start({ storage }, new Reference('', first.reference.settings));
  await board.pressAll(TOGGLE);
  const after = await board.restarted('lost', new Reference('', board.reference.settings));
  await after.pressAll(['right', 'both']);
});

describe('a reset', () => {
  test.each([0, 3])('in page %d of a review leaves no trace of the review', async pages => {
    const board = await Board.start();
    await review(board, pages);
    const after = await board.restarted('kept');
    await after.expectFrame();
    expect(after.reference.texts).toEqual(['ZBC Signer', 'is ready']);
    await signsSecond(after);
  });

  test('in the middle of an upload leaves no trace of the upload', async () => {
    const board = await Board.start();
    await board.sendAll(signTransaction(FIRST).slice(0, 1));
    await signsSecond(await board.restarted('kept'));
  });

  test('in the middle of a computation leaves no trace of the computation', async () => {
    const board = await Board.start();
    for (const report of framed(7, signTransaction(FIRST)[0]!)) await board.driver.write(0, report);
    await board.driver.run(3);
    await signsSecond(await board.restarted('kept'));
  });
});

describe('a host', () => {
  test('gets its reply although another host sends a command in the middle of its own', async () => {
    const board = await Board.start();
    const [first, ...rest] = framed(7, new Uint8Array(100));
    await board.driver.write(0, first!);
    for (let link = 0; link < board.driver.links; link++)
      expect(hex(await board.exchange(GET_APP_VERSION, link))).toBe(
        hex(board.reference.command(GET_APP_VERSION)!),
      );
    for (const report of rest) await board.driver.write(0, report);
    expect(hex(await board.receive(7))).toBe('6700');
  });

  test('that sends chunks or asks for a key during the upload of another changes nothing', async () => {
    const board = await Board.start();
    const [header, ...chunks] = signTransaction(FIRST);
    const channel = await board.send(header!);
    expect(hex(await board.receive(channel))).toBe('9000');
    const link = board.driver.links - 1;
    for (const apdu of [chunks[0]!, getPublicKey(7)]) {
      for (const report of framed(7, apdu)) await board.driver.write(link, report);
      const reply = hex(await board.receive(7, link));
      expect(reply).toBe(apdu === chunks[0] ? '6902' : hex(board.reference.command(apdu)!));
    }
    board.reference.command(header!);
    await board.sendAll(chunks);
    expect(hex(await board.approve(channel)).slice(0, 128)).toBe(FIRST.expect.signature);
  });

  test('that sends commands during a review gets BUSY, and changes nothing', async () => {
    const board = await Board.start();
    const channel = await review(board);
    for (let link = 0; link < board.driver.links; link++)
      expect(hex(await board.exchange(GET_APP_VERSION, link))).toBe('6901');
    expect(hex(await board.approve(channel)).slice(0, 128)).toBe(FIRST.expect.signature);
  });

  test('that disconnects ends its review', async () => {
    const board = await Board.start();
    await review(board);
    await board.driver.reconnect();
    board.reference.cancel();
    await board.expectFrame();
    expect(board.reference.texts).toEqual(['ZBC Signer', 'is ready']);
    await signsSecond(board);
  });

  test('that sends 300 bytes is refused, and the next command is answered', async () => {
    const board = await Board.start();
    expect(hex(await board.exchange(new Uint8Array(300)))).toBe('6700');
    expect(hex(await board.exchange(GET_APP_VERSION))).toBe(hex(board.reference.command(GET_APP_VERSION)!));
  });
});

describe('buttons', () => {
  test('a key that bounces counts as one press', async () => {
    const board = await Board.start();
    const bounce = async (isDown: boolean) => {
      for (let turn = 0; turn < 9; turn++) {
        await board.driver.hold('right', turn % 2 === 0 ? isDown : !isDown);
        await board.driver.run(1);
      }
      await board.driver.hold('right', isDown);
      await board.driver.run(40);
    };
    await board.driver.exactly(async () => {
      await bounce(true);
      await bounce(false);
    });
    board.reference.press('right');
    await board.expectFrame();
  });

  test('a key that is down for 5 ms does not count as a press', async () => {
    const board = await Board.start();
    await board.driver.exactly(async () => {
      for (let turn = 0; turn < 5; turn++) {
        await board.driver.hold('right', true);
        await board.driver.run(5);
        await board.driver.hold('right', false);
        await board.driver.run(20);
      }
    });
    await board.expectFrame();
    await board.pressAll(['right']);
  });

  test('keys that are held one after the other, and released one after the other, count as both buttons', async () => {
    const board = await Board.start();
    await board.pressAll(['right']);
    for (const [key, isDown] of [
      ['left', true],
      ['right', true],
      ['left', false],
      ['right', false],
    ] as const) {
      await board.driver.hold(key, isDown);
      await board.driver.run(30);
    }
    board.reference.press('both');
    await board.expectFrame();
  });

  test('keys that were down when a review opened do not act on the review', async () => {
    const board = await Board.start();
    await board.driver.hold('right', true);
    await board.driver.run(30);
    await review(board);
    await board.driver.hold('right', false);
    await board.driver.run(30);
    await board.expectFrame();
    await board.pressAll(['right']);
  });
});

describe('a display', () => {
  test('that is missing: the board still answers hosts, but presses decide nothing', async () => {
    const board = await Board.start({ hasDisplay: false });
    const { driver } = board;
    expect(hex(await board.exchange(GET_APP_VERSION))).toMatch(/9000$/);
    if (!driver.seesDisplay) return;
    const channel = (await board.sendAll(signTransaction(FIRST)))!;
    for (let turn = 0; turn < 12; turn++) await driver.press('right');
    for (let turn = 0; turn < 4; turn++) await driver.press('both');
    expect(await driver.read(0, 100)).toBeUndefined();
    await driver.settle();
    driver.hasDisplay = true;
    await driver.press('right');
    await board.expectFrame();
    expect(hex(await board.approve(channel)).slice(0, 128)).toBe(FIRST.expect.signature);
  });

  test('that lost power for a moment shows the next frame completely', async () => {
    const board = await Board.start();
    board.driver.loseDisplayPower();
    await board.pressAll(['right', 'left']);
  });
});

describe('garbage', () => {
  test('in the form of reports on any link gets no signature, and does no harm', async () => {
    const board = await Board.start();
    const { driver } = board;
    let state = 1;
    const next = () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 16;
    for (let turn = 0; turn < 60; turn++) {
      const report = Uint8Array.from({ length: 64 }, next);
      if (turn % 2) report[2] = 5;
      if (turn % 4 === 3) report.fill(0, 3, 6);
      await driver.write(turn % 3 ? 0 : driver.links - 1, report, false);
      for (let link = 0; link < driver.links; link++) {
        const reply = await driver.read(link, 4);
        if (reply) expect(reply[5]! * 256 + reply[6]!).toBe(2);
      }
    }
    board.reference.cancel();
    await driver.reconnect();
    await signsSecond(board);
  });

  test('in the form of random bytes does no harm', async () => {
    const board = await Board.start();
    const { driver } = board;
    let state = 7;
    const next = () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 16;
    for (let turn = 0; turn < 40; turn++) {
      await driver.writeGarbage(0, Uint8Array.from({ length: 1 + (next() % 200) }, next));
      if (turn % 8 === 7) while (await driver.read(0, 10));
    }
    board.reference.cancel();
    await driver.reconnect();
    await signsSecond(board);
  });

  test('in the form of reports out of order is refused', async () => {
    const board = await Board.start();
    const [first, second] = framed(9, new Uint8Array(100));
    for (const reports of [[second!], [first!, first!]]) {
      for (const report of reports) await board.driver.write(0, report);
      expect(hex(await board.receive(9))).toBe('6902');
    }
    await signsSecond(board);
  });
});

describe('a trap', () => {
  const RESET_MS = 3000;

  test('clears all memory and resets the chip', async () => {
    const board = await Board.start();
    await review(board, 2);
    await board.driver.jump('wasm_rt_trap', 1);
    expect(await board.driver.isReset(RESET_MS)).toBe(true);
    const used = await board.driver.usedMemory();
    expect(used.length).toBeGreaterThan(MODULE_MEMORY_BYTES);
    expect(used.every(byte => byte === 0)).toBe(true);
    await signsSecond(await board.restarted('kept'));
  });

  test('answers 6F00 to the host whose review it ends, not to the host that got BUSY', async () => {
    const board = await Board.start();
    const channel = await review(board, 2);
    expect(hex(await board.exchange(GET_APP_VERSION))).toBe('6901');
    await board.driver.jump('wasm_rt_trap', 1);
    if (board.driver.answersTraps) expect(hex(await board.receive(channel))).toBe('6f00');
    expect(await board.driver.isReset(RESET_MS)).toBe(true);
  });

  test.each<[string, (driver: Driver) => Promise<void>]>([
    [
      'a stack overflow',
      async driver => {
        await driver.moveStack('Z_signerZ_report', 'stack_guard', 8);
        await driver.write(0, framed(1, GET_APP_VERSION)[0]!, false);
      },
    ],
    ['an access outside the memory', driver => driver.jump('Z_halZ_seed', 0, MODULE_MEMORY_BYTES - 8)],
  ])('is caused by %s', async (_, act) => {
    const { driver } = await Board.start();
    await act(driver);
    expect(await driver.isReset(RESET_MS)).toBe(true);
  });
});
