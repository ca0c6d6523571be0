export type Key = 'left' | 'right' | 'both';

/** The first bytes of the sectors that the settings are in, and of those of a vault. */
export interface Storage {
  settings: [Uint8Array, Uint8Array];
  vault?: [Uint8Array, Uint8Array];
}
export const STORED_BYTES = 256;

export interface DriverOptions {
  storage: Storage;
  /** Of the seed of the vectors' words that is open once the board has started; `null`: it has none. */
  passphrase?: string | null;
  /** What the noise source of a board with a vault gives. */
  noise?: Uint8Array;
  /** Whether a display answers; true when absent. */
  hasDisplay?: boolean;
  /** The path of each call of these functions is recorded, of machines that count no cycles. */
  traced?: readonly string[];
  /** An address in RAM at which `costs` waits for its last bytes. */
  watched?: number;
}

/** Numbers with a unit, and a trace where there is one: equal texts, equal times. */
export interface Costs {
  calls: string[];
  /** Undefined when nobody looked at the right time. */
  reached: string | undefined;
  /** At each store to the watched bytes, of machines whose memory is looked at from outside; else none. */
  stores: string[];
}

/**
 * A board in its simulator, with a host on its links, a user at its keys and someone who looks at its
 * display.
 * Milliseconds are those of the board where it is simulated cycle by cycle, else real ones.
 */
export interface Driver {
  /** How many links there are, numbered from 0. */
  readonly links: number;
  /** Whether the board can detect that its display is missing. */
  readonly seesDisplay: boolean;
  hasDisplay: boolean;
  /** Whether a host gets 6F00 from a trap. */
  readonly answersTraps: boolean;
  /** At how many places `powerCutWhile` may cut a change of the settings. */
  readonly cuts: number;
  /** What the simulator or the host complained of; anything is a failure. */
  faults(): string[];

  /** Sends a report, and waits until the board took it if `waits`. */
  write(link: number, report: Uint8Array, waits?: boolean): Promise<void>;
  /** Sends bytes that are no report of the transport. */
  writeGarbage(link: number, bytes: Uint8Array): Promise<void>;
  /** The next report of the board; undefined when there is none for so long. */
  read(link: number, milliseconds?: number): Promise<Uint8Array | undefined>;
  /** The host goes away and comes again. */
  reconnect(): Promise<void>;

  /** Lets time pass, until `until` holds; whether it does. */
  run(milliseconds: number, until?: () => boolean | Promise<boolean>): Promise<boolean>;
  /** Runs until the board has nothing to do. */
  settle(): Promise<void>;
  hold(key: Key, isDown: boolean): Promise<void>;
  /** A press that a user would make: down for a while, and up again. */
  press(key: Key): Promise<void>;
  /** Lets `act` hold keys for exact milliseconds. */
  exactly(act: () => Promise<void>): Promise<void>;
  /** 64 rows of 16 bytes, most significant bit left; undefined while nothing is shown. */
  frame(): Promise<Uint8Array | undefined>;
  /** The display forgets what it was sent. */
  loseDisplayPower(): void;

  storage(): Promise<Storage>;
  /** The storage when power goes at a place, from 0, of the change of settings that `act` causes. */
  powerCutWhile(act: () => Promise<void>, at: number): Promise<Storage>;
  /** The board after a reset, or after power was gone. */
  restarted(power: 'kept' | 'lost'): Promise<Driver>;

  /** Calls a function of the image from wherever the program is; it does not return to there. */
  jump(name: string, ...values: number[]): Promise<void>;
  /** Puts the stack pointer at the value of a symbol less `below` bytes when a function is next entered. */
  moveStack(name: string, symbol: string, below: number): Promise<void>;
  /** Whether the chip was reset within so long. */
  isReset(milliseconds: number): Promise<boolean>;
  /** The RAM that the image uses, from `usedMemoryAt` on. */
  usedMemory(): Promise<Uint8Array>;
  readonly usedMemoryAt: number;
  /** How many bytes of the stack were written; undefined where it is not known what was there before. */
  readonly usedStack: number | undefined;
  /** Has an idle board take it that nobody has pressed for so long, and waits until it has counted a second more. */
  setIdle(seconds: number): Promise<void>;
  /** Opens the seed of the vectors' words and a passphrase while the board is idle. */
  openKeystore(passphrase: string): Promise<void>;

  /**
   * What each call of a function that `act` causes cost; with `until`, and what it cost until these bytes
   * were written at the watched address.
   */
  costs(name: string, act: () => Promise<unknown>, until?: Uint8Array): Promise<Costs>;
  close(): Promise<void>;
}
