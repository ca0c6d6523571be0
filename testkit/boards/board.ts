import { isContinuation } from '../device/apdu.js';
import { framed, ReplyReader } from '../device/reports.js';
import type { Driver, DriverOptions, Key } from './driver.js';
import { PicoDriver } from './pico-driver.js';
import { Lm3s6965 } from './qemu/lm3s6965.js';
import { Mps2An505 } from './qemu/mps2-an505.js';
import { Riscv } from './qemu/riscv.js';
import { Reference } from './reference.js';
import { emptyStorage } from './storage.js';

const BOARDS = {
  pico: PicoDriver.open,
  lm3s6965: Lm3s6965.open,
  riscv: Riscv.open,
  'mps2-an505': Mps2An505.open,
} as const satisfies Record<string, (options: DriverOptions) => Promise<Driver>>;
type BoardName = keyof typeof BOARDS;

declare global {
  /** The board under test. Each project of test/boards/jest.json sets its own board. */
  var BOARD: BoardName;
}

const DRAWN_MS = 3000;
/**
 * Time after which a missing frame is an error. It is long, because a simulator is slow on a loaded machine.
 * Mutation tests set a shorter time, because with a mutation a frame may never appear.
 */
const MAX_DRAWN_MS = Number(process.env.ZBC_BOARD_TURNS ?? 60_000);
/** The first channel that `send` uses. Tests that frame reports themselves use other channels, such as 7. */
const FIRST_CHANNEL = 0x1000;
const used = new Set<Driver>();
const ofOneTest = new Set<Driver>();
const kept = new Set<Driver>();

/** Expects that no simulator or host has reported a fault on any board since the last call. */
export function expectNoFaults(): void {
  const faults = [...used].flatMap(driver => driver.faults());
  used.clear();
  expect(faults).toEqual([]);
}

/** Stops the boards that `Board.start` started. */
export function closeBoards(): Promise<void> {
  return close(ofOneTest);
}

/** Stops the boards that `Board.keep` started. */
export function closeKeptBoards(): Promise<void> {
  return close(kept);
}

async function close(drivers: Set<Driver>): Promise<void> {
  for (const driver of drivers) await driver.close();
  drivers.clear();
}

function open(options: Partial<DriverOptions>): Promise<Driver> {
  return BOARDS[globalThis.BOARD]({ storage: emptyStorage(), ...options });
}

/** A simulated board on a host. It is compared with an emulator that gets the same commands and presses. */
export class Board<D extends Driver = Driver> {
  #channel = FIRST_CHANNEL;

  private constructor(
    readonly driver: D,
    readonly reference: Reference,
  ) {
    used.add(driver);
  }

  /** Starts the board under test, until the test ends. */
  static async start(options: Partial<DriverOptions> = {}, reference?: Reference): Promise<Board> {
    const board = Board.on(await open(options), reference ?? new Reference(options.passphrase));
    ofOneTest.add(board.driver);
    return board;
  }

  /** Starts the board under test, for all tests of a file. */
  static async keep(options: Partial<DriverOptions> = {}): Promise<Board> {
    const board = Board.on(await open(options));
    kept.add(board.driver);
    return board;
  }

  static on<Own extends Driver>(driver: Own, reference = new Reference()): Board<Own> {
    return new Board(driver, reference);
  }

  /** Sends a command only to the board, and waits for its reply. */
  async exchange(apdu: Uint8Array, link = 0): Promise<Uint8Array> {
    const channel = await this.send(apdu, link);
    return this.receive(channel, link);
  }

  /** Sends a command and returns its channel. */
  async send(apdu: Uint8Array, link = 0): Promise<number> {
    used.add(this.driver);
    if (!isContinuation(apdu)) this.#channel++;
    const channel = this.#channel;
    for (const report of framed(channel, apdu)) await this.driver.write(link, report);
    return channel;
  }

  /** Waits for the reply on a channel. */
  async receive(channel: number, link = 0): Promise<Uint8Array> {
    const reader = new ReplyReader(channel);
    for (;;) {
      const report = await this.driver.read(link);
      if (!report) throw new Error(`the board did not reply; ${this.driver.faults().join('; ')}`);
      const reply = reader.take(report);
      if (reply) return reply;
    }
  }

  /**
   * Sends commands to the board and the emulator, and expects equal replies. Returns the channel of the
   * command that waits for the user, if any.
   */
  async sendAll(apdus: readonly Uint8Array[], link = 0): Promise<number | undefined> {
    for (const apdu of apdus) {
      const expected = this.reference.command(apdu);
      const channel = await this.send(apdu, link);
      if (!expected) {
        await this.driver.run(DRAWN_MS, () => this.#showsFrame());
        return channel;
      }
      expect(hex(await this.receive(channel, link))).toBe(hex(expected));
    }
    return undefined;
  }

  /**
   * Presses a key of the board and the emulator, and expects equal frames afterwards. Returns the emulator's
   * reply if the press decided a review.
   */
  async press(key: Key): Promise<Uint8Array | undefined> {
    const reply = this.reference.press(key);
    await this.driver.press(key);
    return reply;
  }

  async pressAll(keys: readonly Key[]): Promise<void> {
    for (const key of keys) {
      await this.press(key);
      await this.expectFrame();
    }
  }

  async expectFrame(): Promise<void> {
    await this.driver.run(MAX_DRAWN_MS, () => this.#showsFrame());
    await this.driver.settle();
    if (await this.#showsFrame()) return;
    throw new Error(`the display does not show ${JSON.stringify(this.reference.texts)}`);
  }

  /** Pages through a review, compares every page, approves, and returns the reply. */
  async approve(channel: number, link = 0): Promise<Uint8Array> {
    await this.awaitApproval();
    const expected = await this.press('both');
    const reply = await this.receive(channel, link);
    expect(hex(reply)).toBe(hex(expected!));
    await this.expectFrame();
    return reply;
  }

  /** Pages through a review to the approve page, and compares every page. */
  async awaitApproval(): Promise<void> {
    while (this.reference.texts[1] !== 'approve: press both') {
      await this.expectFrame();
      await this.press('right');
    }
    await this.expectFrame();
  }

  /** Returns the board after a reset or a loss of power, with a restarted emulator. */
  async restarted(power: 'kept' | 'lost', reference?: Reference): Promise<Board> {
    const driver = await this.driver.restarted(power);
    ofOneTest.add(driver);
    return Board.on(driver, reference);
  }

  async #showsFrame(): Promise<boolean> {
    const frame = await this.driver.frame();
    return frame !== undefined && Buffer.compare(frame, this.reference.frame) === 0;
  }
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
