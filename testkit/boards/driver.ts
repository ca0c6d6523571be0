export type Key = 'left' | 'right' | 'both';

/** The first bytes of each of the two sectors of the settings, and of each of the two sectors of a vault. */
export interface Storage {
  settings: [Uint8Array, Uint8Array];
  vault?: [Uint8Array, Uint8Array];
}
export const STORED_BYTES = 256;

export interface DriverOptions {
  storage: Storage;
  /** Passphrase for the words of the vectors, whose seed is open after the start; `null` for no seed. */
  passphrase?: string | null;
  /** The output of the noise source on a board with a vault. */
  noise?: Uint8Array;
  /** Whether the display answers; default: true. */
  hasDisplay?: boolean;
  /** Functions for which the path of each call is recorded, on machines that do not count cycles. */
  traced?: readonly string[];
  /** An address in RAM that is watched for the argument `until` of `costs`. */
  watched?: number;
}

/**
 * The costs of calls as texts: numbers with a unit, and a trace if available. Equal texts mean equal times.
 */
export interface Costs {
  calls: string[];
  /** The cost until the watched bytes were written; undefined if that was not observed. */
  reached: string | undefined;
  /** The cost until each store to the watched bytes, on machines that observe stores; otherwise empty. */
  stores: string[];
}

/**
 * A simulated board, with a host on its links, a user at its keys and a view of its display. Milliseconds are
 * the time of the board if it is simulated cycle by cycle, otherwise real time.
 */
export interface Driver {
  /** Number of links. They are numbered from 0. */
  readonly links: number;
  /** Whether the board can detect a missing display. */
  readonly seesDisplay: boolean;
  hasDisplay: boolean;
  /** Whether a host receives 6F00 after a trap. */
  readonly answersTraps: boolean;
  /** Number of places at which `powerCutWhile` can interrupt a change of the settings. */
  readonly cuts: number;
  /** Faults that the simulator or the host has reported. Any fault fails the test. */
  faults(): string[];

  /** Sends a report. If `waits`, waits until the board has accepted it. */
  write(link: number, report: Uint8Array, waits?: boolean): Promise<void>;
  /** Sends bytes that are not a report. */
  writeGarbage(link: number, bytes: Uint8Array): Promise<void>;
  /** Returns the next report of the board, or undefined if no report arrives in time. */
  read(link: number, milliseconds?: number): Promise<Uint8Array | undefined>;
  /** Disconnects and reconnects the host. */
  reconnect(): Promise<void>;

  /**
   * Lets time pass until `until` returns true, but for at most `milliseconds`. Returns the last result of
   * `until`.
   */
  run(milliseconds: number, until?: () => boolean | Promise<boolean>): Promise<boolean>;
  /** Runs until the board is idle. */
  settle(): Promise<void>;
  hold(key: Key, isDown: boolean): Promise<void>;
  /** Presses a key as a user does: down for some time, and up again. */
  press(key: Key): Promise<void>;
  /** Runs `act`, in which `run` lets exactly the given time pass on the board. */
  exactly(act: () => Promise<void>): Promise<void>;
  /**
   * Returns the displayed frame: 64 rows of 16 bytes, with the left pixel in the most significant bit.
   * Undefined while nothing is shown.
   */
  frame(): Promise<Uint8Array | undefined>;
  /** Makes the display lose its state. */
  loseDisplayPower(): void;

  storage(): Promise<Storage>;
  /**
   * Runs `act`, which changes the settings, and cuts the power during the change, at the place with number
   * `at`, from 0. Returns the resulting storage.
   */
  powerCutWhile(act: () => Promise<void>, at: number): Promise<Storage>;
  /** Returns the board after a reset or a loss of power. */
  restarted(power: 'kept' | 'lost'): Promise<Driver>;

  /** Makes the processor call a function of the image. The interrupted program does not continue. */
  jump(name: string, ...values: number[]): Promise<void>;
  /** At the next entry of a function, sets the stack pointer to `below` bytes below a symbol. */
  moveStack(name: string, symbol: string, below: number): Promise<void>;
  /** Returns whether the chip is reset within this time. */
  isReset(milliseconds: number): Promise<boolean>;
  /** Returns the RAM that the image uses, from address `usedMemoryAt` on. */
  usedMemory(): Promise<Uint8Array>;
  readonly usedMemoryAt: number;
  /** Number of bytes of the stack that have been written; undefined if the previous content is unknown. */
  readonly usedStack: number | undefined;
  /**
   * Changes an idle board so that it has counted this many seconds without a press, and waits until it has
   * counted another second.
   */
  setIdle(seconds: number): Promise<void>;
  /** Opens the seed of the vectors' words with a passphrase on an idle board. */
  openKeystore(passphrase: string): Promise<void>;

  /**
   * Returns the cost of each call of a function during `act`. With `until`, also returns the cost until these
   * bytes were written at the watched address.
   */
  costs(name: string, act: () => Promise<unknown>, until?: Uint8Array): Promise<Costs>;
  close(): Promise<void>;
}
