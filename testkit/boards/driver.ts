export type Key = 'left' | 'right' | 'both';

/** The first bytes of the settings' sectors, and of a vault's. */
export interface Storage {
  settings: [Uint8Array, Uint8Array];
  vault?: [Uint8Array, Uint8Array];
}
export const STORED_BYTES = 256;

export interface DriverOptions {
  storage: Storage;
  /** The passphrase of the vectors' words, whose seed is open after the start; `null` for no seed. */
  passphrase?: string | null;
  /** The output of the noise source on a board with a vault. */
  noise?: Uint8Array;
  /** Whether the display answers; default: true. */
  hasDisplay?: boolean;
  /** Functions whose calls' paths are recorded, on machines that count no cycles. */
  traced?: readonly string[];
  /** An address in RAM, where `costs` waits for the last bytes. */
  watched?: number;
}

/** Numbers with a unit, and a trace if available: equal texts mean equal times. */
export interface Costs {
  calls: string[];
  /** Undefined if it was not observed. */
  reached: string | undefined;
  /**
   * The count at each store to the watched bytes, on machines whose memory is observed from outside;
   * otherwise empty.
   */
  stores: string[];
}

/**
 * A simulated board, with a host on its links, a user at its keys and a view of its display. Milliseconds are
 * those of the board if it is simulated cycle by cycle, otherwise real ones.
 */
export interface Driver {
  /** Number of links, numbered from 0. */
  readonly links: number;
  /** Whether the board can detect a missing display. */
  readonly seesDisplay: boolean;
  hasDisplay: boolean;
  /** Whether a host receives 6F00 after a trap. */
  readonly answersTraps: boolean;
  /** Number of places at which `powerCutWhile` can interrupt a change of the settings. */
  readonly cuts: number;
  /** Complaints of the simulator or the host; any of them is a failure. */
  faults(): string[];

  /** Sends a report; with `waits`, waits until the board accepted it. */
  write(link: number, report: Uint8Array, waits?: boolean): Promise<void>;
  /** Sends bytes that are not a report of the transport. */
  writeGarbage(link: number, bytes: Uint8Array): Promise<void>;
  /** The next report of the board; undefined if none arrives in time. */
  read(link: number, milliseconds?: number): Promise<Uint8Array | undefined>;
  /** Disconnects and reconnects the host. */
  reconnect(): Promise<void>;

  /** Lets time pass until `until` holds; returns whether it does. */
  run(milliseconds: number, until?: () => boolean | Promise<boolean>): Promise<boolean>;
  /** Runs until the board is idle. */
  settle(): Promise<void>;
  hold(key: Key, isDown: boolean): Promise<void>;
  /** Presses like a user: down for a while, and up again. */
  press(key: Key): Promise<void>;
  /** Lets `act` hold keys for exact times. */
  exactly(act: () => Promise<void>): Promise<void>;
  /** The frame of 64 rows of 16 bytes, most significant bit left; undefined while nothing is shown. */
  frame(): Promise<Uint8Array | undefined>;
  /** Makes the display lose its state. */
  loseDisplayPower(): void;

  storage(): Promise<Storage>;
  /** The storage if power fails at a place, from 0, during the change of settings by `act`. */
  powerCutWhile(act: () => Promise<void>, at: number): Promise<Storage>;
  /** The board after a reset or a loss of power. */
  restarted(power: 'kept' | 'lost'): Promise<Driver>;

  /** Calls a function of the image from any point of the program, which does not continue. */
  jump(name: string, ...values: number[]): Promise<void>;
  /** Sets the stack pointer to the value of a symbol less `below` bytes at the next entry of a function. */
  moveStack(name: string, symbol: string, below: number): Promise<void>;
  /** Whether the chip is reset within a time. */
  isReset(milliseconds: number): Promise<boolean>;
  /** The RAM that the image uses, starting at `usedMemoryAt`. */
  usedMemory(): Promise<Uint8Array>;
  readonly usedMemoryAt: number;
  /** Number of written bytes of the stack; undefined if its previous content is unknown. */
  readonly usedStack: number | undefined;
  /**
   * Makes an idle board assume that no key was pressed for this long, and waits until it has counted another
   * second.
   */
  setIdle(seconds: number): Promise<void>;
  /** Opens the seed of the vectors' words and a passphrase on an idle board. */
  openKeystore(passphrase: string): Promise<void>;

  /**
   * The cost of each call of a function during `act`; with `until`, also the cost until these bytes were
   * written at the watched address.
   */
  costs(name: string, act: () => Promise<unknown>, until?: Uint8Array): Promise<Costs>;
  close(): Promise<void>;
}
