import { GET_APP_VERSION, signTransaction } from '../../testkit/apdu.js';
import { Board, HID, hex, VENDOR } from '../../testkit/boards/board.js';
import { PowerCut } from '../../testkit/boards/boot-rom.js';
import { provisionedFlash, SETTINGS_SECTORS, symbol, TEST_SEED } from '../../testkit/boards/image.js';
import { type Key, SimulatedPico } from '../../testkit/boards/pico.js';
import { Reference } from '../../testkit/boards/reference.js';
import { framed } from '../../testkit/reports.js';
import { transactionCases } from '../../testkit/vectors.js';

const [FIRST, SECOND] = transactionCases as [(typeof transactionCases)[0], (typeof transactionCases)[0]];
const MODULE_MEMORY_BYTES = 24576;
/** From the menu to the setting of unknown chains, and toggle it. */
const TOGGLE: readonly Key[] = ['right', 'both', 'both'];

function pressAll(board: Board, keys: readonly Key[]): void {
  for (const key of keys) {
    board.press(key);
    board.expectFrame();
  }
}

/** Opens a review, and goes so many pages into it. */
function review(board: Board, pages = 0): number {
  const channel = board.sendAll(signTransaction(FIRST))!;
  board.expectFrame();
  pressAll(
    board,
    Array.from({ length: pages }, () => 'right' as const),
  );
  return channel;
}

function signsSecond(board: Board): void {
  const channel = board.sendAll(signTransaction(SECOND))!;
  expect(hex(board.approve(channel)).slice(0, 128)).toBe(SECOND.expect.signature);
}

describe('the menu', () => {
  test('shows every page of the emulator, there and back', () => {
    const board = Board.start();
    pressAll(board, ['right', 'right', 'right', 'left', 'left', 'left', 'left', 'both']);
    pressAll(board, ['right', 'both', 'right', 'right', 'right', 'left', 'left', 'both', 'both']);
  });

  test('settings are stored by the functions of the boot ROM, in order', () => {
    const board = Board.start();
    pressAll(board, TOGGLE);
    expect(board.pico.rom.calls).toEqual(['IF', 'EX', 'RE', 'RP', 'FC', 'CX']);
  });

  test('settings survive the loss of power, again and again', () => {
    let board = Board.start();
    for (let turn = 0; turn < 3; turn++) {
      pressAll(board, TOGGLE);
      board = Board.on(board.pico.restarted('lost'), new Reference(TEST_SEED, board.reference.settings));
      pressAll(board, ['right', 'both']);
      pressAll(board, ['right', 'right', 'both']);
      expect(board.reference.texts[0]).toBe('ZBC Signer');
    }
  });
});

describe('when power goes while settings are stored', () => {
  const texts = (settings: Uint8Array | undefined) => {
    const reference = new Reference(TEST_SEED, settings);
    reference.press('right');
    reference.press('both');
    return reference.frame;
  };

  /** The flash after a change of settings that power interrupted at a step; the settings before and after. */
  function cut(step: number, flash: Uint8Array, settings: Uint8Array | undefined) {
    const board = Board.start(flash, new Reference(TEST_SEED, settings));
    pressAll(board, TOGGLE.slice(0, 2));
    const before = board.reference.settings;
    board.pico.rom.cutAt = step;
    board.reference.press('both');
    expect(() => board.pico.press('both', 60)).toThrow(PowerCut);
    return { flash: board.pico.flash.slice(), before, after: board.reference.settings };
  }

  test.each([0, 1, 2, 3])('at step %d, the settings are those before, or those after', step => {
    let flash = provisionedFlash();
    let settings: Uint8Array | undefined;
    for (let turn = 0; turn < 3; turn++) {
      const board = Board.start(flash, new Reference(TEST_SEED, settings));
      pressAll(board, TOGGLE);
      const stored = board.reference.settings;
      const interrupted = cut(step, board.pico.flash.slice(), stored);
      const after = new SimulatedPico(interrupted.flash).boot();
      after.press('right');
      after.press('both');
      const shown = Buffer.from(after.display.frame()!);
      const isBefore = shown.equals(texts(interrupted.before));
      expect(isBefore || shown.equals(texts(interrupted.after))).toBe(true);
      flash = interrupted.flash;
      settings = isBefore ? interrupted.before : interrupted.after;
    }
  });

  test('at the first change, the settings are the defaults', () => {
    for (const step of [0, 1, 2, 3]) {
      const { flash } = cut(step, provisionedFlash(), undefined);
      const board = Board.start(flash);
      pressAll(board, ['right', 'both']);
    }
  });

  test('a damaged record gives way to the one before', () => {
    const board = Board.start();
    pressAll(board, TOGGLE);
    const stored = board.reference.settings;
    board.press('both');
    const flash = board.pico.flash.slice();
    flash[SETTINGS_SECTORS[1] + 10]! ^= 1;
    pressAll(Board.start(flash, new Reference(TEST_SEED, stored)), ['right', 'both']);
  });
});

describe('a reset', () => {
  test.each([0, 3])('in page %d of a review leaves nothing of it', pages => {
    const board = Board.start();
    review(board, pages);
    const after = Board.on(board.pico.restarted('kept'));
    after.expectFrame();
    expect(after.reference.texts).toEqual(['ZBC Signer', 'is ready']);
    signsSecond(after);
  });

  test('in the middle of an upload leaves nothing of it', () => {
    const board = Board.start();
    board.sendAll(signTransaction(FIRST).slice(0, 1));
    signsSecond(Board.on(board.pico.restarted('kept')));
  });

  test('in the middle of a computation leaves nothing of it', () => {
    const board = Board.start();
    for (const report of framed(7, signTransaction(FIRST)[0]!)) board.host.write(HID, report);
    board.pico.run(3);
    signsSecond(Board.on(board.pico.restarted('kept')));
  });
});

describe('buttons', () => {
  test('a key that bounces is pressed once', () => {
    const board = Board.start();
    const bounce = (isDown: boolean) => {
      for (let turn = 0; turn < 9; turn++) {
        board.pico.hold('right', turn % 2 === 0 ? isDown : !isDown);
        board.pico.run(0.7);
      }
      board.pico.hold('right', isDown);
      board.pico.run(40);
    };
    bounce(true);
    bounce(false);
    board.reference.press('right');
    board.expectFrame();
  });

  test('a key that is down for 5 ms is not pressed', () => {
    const board = Board.start();
    for (let turn = 0; turn < 5; turn++) {
      board.pico.hold('right', true);
      board.pico.run(5);
      board.pico.hold('right', false);
      board.pico.run(20);
    }
    board.expectFrame();
  });

  test('keys that are held one after the other, and let go apart, are both', () => {
    const board = Board.start();
    pressAll(board, ['right']);
    for (const [key, isDown] of [
      ['left', true],
      ['right', true],
      ['left', false],
      ['right', false],
    ] as const) {
      board.pico.hold(key, isDown);
      board.pico.run(30);
    }
    board.reference.press('both');
    board.expectFrame();
  });

  test('keys that were down when a review opened do not count for it', () => {
    const board = Board.start();
    board.pico.hold('right', true);
    board.pico.run(30);
    review(board);
    board.pico.hold('right', false);
    board.pico.run(30);
    board.expectFrame();
    pressAll(board, ['right']);
  });
});

describe('a display', () => {
  test('that is missing: the board answers, and no press decides', () => {
    const pico = new SimulatedPico(provisionedFlash(), { hasDisplay: false });
    const board = Board.on(pico);
    expect(hex(board.exchange(GET_APP_VERSION))).toMatch(/9000$/);
    const channel = board.sendAll(signTransaction(FIRST))!;
    for (let turn = 0; turn < 12; turn++) pico.press('right', 30);
    for (let turn = 0; turn < 4; turn++) pico.press('both', 30);
    expect(board.host.read(HID, 100)).toBeUndefined();
    pico.hasDisplay = true;
    pico.press('right', 40);
    board.expectFrame();
    expect(hex(board.approve(channel)).slice(0, 128)).toBe(FIRST.expect.signature);
  });

  test('that lost power for a moment shows the next frame whole', () => {
    const board = Board.start();
    board.pico.display.losePower();
    pressAll(board, ['right', 'left']);
  });
});

describe('garbage', () => {
  test('of any bytes on both links is not answered with a signature, and harms nothing', () => {
    const board = Board.start();
    let state = 1;
    const next = () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 16;
    for (let turn = 0; turn < 60; turn++) {
      const report = Uint8Array.from({ length: 64 }, next);
      if (turn % 2) report[2] = 5;
      if (turn % 4 === 3) report.fill(0, 3, 6);
      board.host.write(turn % 3 ? HID : VENDOR, report, false);
      board.pico.run(2);
      for (const endpoint of [HID, VENDOR]) {
        const reply = board.host.read(endpoint, 2);
        if (reply instanceof Uint8Array) expect(reply[5]! * 256 + reply[6]!).toBe(2);
      }
    }
    board.reference.cancel();
    board.host.enumerate();
    signsSecond(board);
  });

  test('of short packets is taken as reports with zeros', () => {
    const board = Board.start();
    board.host.write(VENDOR, new Uint8Array());
    board.host.write(HID, Uint8Array.of(1, 2, 5, 0, 0));
    expect(hex(board.receive(0x0102))).toBe('6700');
    signsSecond(board);
  });

  test('of reports out of order drops the command', () => {
    const board = Board.start();
    const [first, second] = framed(9, new Uint8Array(100));
    board.host.write(HID, second!);
    board.host.write(HID, first!);
    board.host.write(HID, first!);
    board.pico.run(5);
    signsSecond(board);
  });
});

describe('a trap', () => {
  const trapped = (board: Board, name = 'wasm_rt_trap') => {
    board.pico.jump(name, 1);
    board.pico.run(400, () => board.pico.resets > 0);
    return board.pico;
  };

  test('clears all memory and resets the chip', () => {
    const board = Board.start();
    review(board, 2);
    const pico = trapped(board);
    expect(pico.resets).toBe(1);
    const used = pico.memory(symbol('stack_bottom'), symbol('bss_end') - symbol('stack_bottom'));
    expect(used.every(byte => byte === 0)).toBe(true);
    signsSecond(Board.on(pico.restarted('kept')));
  });

  test('answers 6F00 to the host whose review it ends', () => {
    const board = Board.start();
    const channel = review(board, 2);
    board.pico.jump('wasm_rt_trap', 1);
    expect(hex(board.receive(channel))).toBe('6f00');
    expect(trapped(board, 'trap').resets).toBe(1);
  });

  test('comes of a stack that is used up, and of an access outside the memory', () => {
    for (const act of [exhaust, reachOutside]) {
      const board = Board.start();
      act(board);
      expect(board.pico.resets).toBe(1);
    }
  });

  function exhaust(board: Board): void {
    board.pico.onCall('Z_signerZ_report', () => {
      board.pico.chip.core.SP = symbol('stack_guard') - 8;
    });
    board.host.write(HID, framed(1, GET_APP_VERSION)[0]!, false);
    board.pico.run(400, () => board.pico.resets > 0);
  }

  function reachOutside(board: Board): void {
    board.pico.jump('Z_halZ_seed', 0, MODULE_MEMORY_BYTES - 8);
    board.pico.run(400, () => board.pico.resets > 0);
  }
});
