import { Board } from '../../../testkit/boards/board.js';
import { flashWith, symbol } from '../../../testkit/boards/image.js';
import { SimulatedPico } from '../../../testkit/boards/pico.js';
import { PicoDriver } from '../../../testkit/boards/pico-driver.js';
import { emptyStorage, TEST_SEED } from '../../../testkit/boards/storage.js';
import { getPublicKey, signTransaction } from '../../../testkit/device/apdu.js';
import { framed } from '../../../testkit/device/reports.js';
import { transactionCases } from '../../../testkit/repository/vectors.js';

const [WFE, BACK_TO_WFE] = [0xbf20, 0xe7fd];
const RESET_MS = 200;
const [HANG_MS, LATE_MS] = [8000, 300];

/** Overwrites the start of a function with instructions. */
function patch(pico: SimulatedPico, name: string, ...code: number[]): void {
  pico.write(symbol(name) & ~1, new Uint8Array(Uint16Array.from(code).buffer));
}

function copiesOfSeed({ chip }: SimulatedPico): number {
  const sram = Buffer.from(chip.sram);
  let copies = 0;
  for (let at = 0; at >= 0; copies += at >= 0 ? 1 : 0) at = sram.indexOf(TEST_SEED.subarray(0, 16), at + 1);
  return copies;
}

async function start(): Promise<Board<PicoDriver>> {
  return Board.on(await PicoDriver.open({ storage: emptyStorage() }));
}

describe('a main loop that hangs', () => {
  test('resets the chip after 8 s although interrupts continue, and no secret is left in RAM', async () => {
    const board = await start();
    const { pico } = board.driver;
    pico.run(20);
    expect(copiesOfSeed(pico)).toBeGreaterThan(0);
    for (const at of [symbol('bss_end') + 64, symbol('stack_bottom') + 16, symbol('stack_bottom') - 128])
      pico.write(at, TEST_SEED);
    patch(pico, 'Z_signerZ_report', WFE, BACK_TO_WFE);
    await board.send(getPublicKey(0));
    expect(pico.run(HANG_MS - LATE_MS, () => pico.resets > 0)).toBe(false);
    expect(pico.run(2 * LATE_MS, () => pico.resets > 0)).toBe(true);
    expect(copiesOfSeed(pico)).toBeGreaterThan(3);
    expect(copiesOfSeed(pico.restarted('kept').boot())).toBe(0);
  });

  test('is not confused with an idle board, which is not reset', () => {
    const pico = new SimulatedPico(flashWith()).boot();
    expect(pico.run(HANG_MS + LATE_MS, () => pico.resets > 0)).toBe(false);
  });
});

test.each(['erased', 'written'])(
  'a fault while flash is %s is a trap: RAM is cleared, and the chip is reset',
  step => {
    const pico = new SimulatedPico(flashWith()).boot().openKeystore();
    pico.run(20);
    pico.rom.beforeStep = number => {
      if (number === (step === 'erased' ? 1 : 3)) pico.fault();
    };
    for (const key of ['right', 'both', 'both'] as const) {
      pico.press(key);
      pico.run(RESET_MS, () => pico.isIdle || pico.resets > 0);
    }
    expect(pico.run(RESET_MS, () => pico.resets > 0)).toBe(true);
    expect(pico.rom.isWriting).toBe(true);
    const used = pico.memory(symbol('text_end'), symbol('stack_top') - symbol('text_end'));
    expect(used.every(byte => byte === 0)).toBe(true);
    expect([...pico.warnings, ...pico.refusals]).toEqual([]);
  },
);

describe('memory protection', () => {
  test('is on, and does not hinder a signature, a change of settings or a trap', async () => {
    const board = await start();
    const { pico } = board.driver;
    expect(pico.mpu.isOn).toBe(true);
    await board.approve((await board.sendAll(signTransaction(transactionCases[0]!)))!);
    await board.pressAll(['right', 'both', 'both']);
    expect(pico.rom.calls).toContain('RP');
    await board.driver.jump('wasm_rt_trap', 1);
    expect(await board.driver.isReset(RESET_MS)).toBe(true);
    expect(pico.refusals).toEqual([]);
  });

  const STR_R1_TO_R0 = 0x6001;
  test.each<[string, (pico: SimulatedPico) => void, RegExp]>([
    [
      'a store into code',
      ({ chip: { core } }) => {
        core.registers[0] = symbol('text_start') + 64;
      },
      /^write of 20000040/,
    ],
    [
      'a store into the start of flash',
      ({ chip: { core } }) => {
        core.registers[0] = 0x10000100;
      },
      /^write of 10000100/,
    ],
    [
      'a jump to code in data',
      ({ chip: { core } }) => {
        core.PC = symbol('keystore_memory');
      },
      /^fetch of 2002/,
    ],
    [
      'a jump to code on the stack',
      ({ chip: { core } }) => {
        core.PC = symbol('stack_bottom');
      },
      /^fetch of 20040000/,
    ],
    [
      'a jump to code in flash',
      ({ chip: { core } }) => {
        core.PC = 0x10000100;
      },
      /^fetch of 10000100/,
    ],
  ])('resets the chip at %s', async (_, plant, refused) => {
    const pico = new SimulatedPico(flashWith()).boot().openKeystore();
    pico.run(20);
    patch(pico, 'Z_signerZ_button', STR_R1_TO_R0);
    pico.onCall('Z_signerZ_button', () => plant(pico));
    pico.press('right');
    expect(pico.run(RESET_MS, () => pico.resets > 0)).toBe(true);
    expect(pico.refusals).toEqual([expect.stringMatching(refused)]);
  });

  test('refuses accesses below the stack, after which the watchdog resets the chip', () => {
    const pico = new SimulatedPico(flashWith()).boot().openKeystore();
    pico.run(20);
    pico.onCall('exchange_step', () => {
      pico.chip.core.SP = symbol('stack_bottom') + 8;
    });
    expect(pico.run(HANG_MS + LATE_MS, () => pico.resets > 0)).toBe(true);
    expect(pico.refusals[0]).toMatch(/^write of 2003ff/);
  });
});

describe('a copy that a fault skips', () => {
  /** Skips later copies into a range of bytes. */
  function skipCopies(pico: SimulatedPico, at: number, length: number): void {
    const { core } = pico.chip;
    pico.onCall('memcpy', () => {
      const to = core.registers[0]!;
      if (to >= at && to < at + length) core.PC = core.LR & ~1;
    });
  }

  test('of a report to the outgoing report is a trap', async () => {
    const { driver } = await start();
    const report = framed(7, getPublicKey(0))[0]!;
    await driver.write(0, report);
    await driver.read(0);
    skipCopies(driver.pico, symbol('outgoing_report'), 1);
    await driver.write(0, framed(8, getPublicKey(1))[0]!);
    expect(driver.pico.run(RESET_MS, () => driver.pico.resets > 0)).toBe(true);
  });

  test('of a page to the frame that is shown is a trap', async () => {
    const { driver } = await start();
    skipCopies(driver.pico, symbol('signer_hal'), 16);
    driver.pico.press('right');
    expect(driver.pico.run(RESET_MS, () => driver.pico.resets > 0)).toBe(true);
  });
});
