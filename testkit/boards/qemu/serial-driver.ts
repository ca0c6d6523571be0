import { setTimeout as sleep } from 'node:timers/promises';
import type { BoardImage } from '../board-image.js';
import type { Costs, Driver, DriverOptions, Key, Storage } from '../driver.js';
import { type Write, wordOf, writesThatOpen } from '../opened-keystore.js';
import type { Gdb } from './gdb.js';
import type { Machine } from './machine.js';
import { encodePacket, type Packet, PacketReader } from './packets.js';

export const KEY_BITS = { left: 1, right: 2, both: 3 } as const satisfies Record<Key, number>;
const STABLE_SAMPLES = 8;
/** Maximum number of bytes that are written to memory with one packet of the debugger. */
const WRITE_BYTES = 2000;
/**
 * Time limit of every wait. Mutation tests shorten it, because with a mutation the event may never happen.
 */
const PATIENCE_MS = Number(process.env.ZBC_BOARD_TURNS ?? 10_000);

/** Numbers of a core's registers in the debugger's stub. */
export interface Registers {
  stack: number;
  program: number;
  firstArgument: number;
  /** The register with the return address. */
  link: number;
  /** Matches the program counter in the output of QEMU's monitor. */
  programName: RegExp;
}

export const CORTEX_M: Registers = {
  stack: 13,
  program: 15,
  link: 14,
  firstArgument: 0,
  programName: /R15=([0-9a-f]+)/,
};

/** A board in QEMU whose link is a UART. Times are real time, except in `exactly`. */
export abstract class SerialDriver implements Driver {
  readonly links = 1;
  abstract readonly seesDisplay: boolean;
  readonly answersTraps: boolean = true;
  abstract readonly cuts: number;
  /** KEYSTORE_OPTIONS in the board.mk of this board. */
  protected abstract readonly keystoreOptions: number;
  hasDisplay: boolean;
  /** The debugger, during `exactly`, in which it controls the time. */
  protected gdb: Gdb | undefined;
  /** Set while a call is traced. */
  protected isMeasuring = false;
  readonly #readers: PacketReader[] = [];
  readonly #reports: Uint8Array[] = [];
  readonly #faults: string[] = [];
  #mayWrite = false;
  #taken = 0;
  #isDown = 0;

  constructor(
    protected readonly machine: Machine,
    protected readonly image: BoardImage,
    protected readonly registers: Registers,
    protected readonly options: DriverOptions,
  ) {
    this.hasDisplay = options.hasDisplay ?? true;
    for (const line of new Set([machine.uart, machine.panel])) {
      const reader = new PacketReader(text => this.#faults.push(text));
      this.#readers.push(reader);
      line.on('data', (chunk: Buffer) => {
        for (const packet of reader.take(chunk)) this.#takePacket(packet);
      });
    }
  }

  abstract frame(): Promise<Uint8Array | undefined>;
  abstract loseDisplayPower(): void;
  abstract storage(): Promise<Storage>;
  abstract powerCutWhile(act: () => Promise<void>, at: number): Promise<Storage>;
  /**
   * Returns whether the board has received the state of the display, on which the effect of a press depends.
   */
  protected async isReady(): Promise<boolean> {
    return true;
  }
  /** Sends the state of the keys to the board. During `exactly`, the machine is stopped. */
  protected abstract setKeys(bits: number): Promise<void>;
  protected abstract reopen(options: DriverOptions): Promise<Driver>;
  /** Stops or starts the interrupt that samples the keys. */
  protected abstract setTicking(isTicking: boolean): Promise<void>;
  /** Handles a packet that does not belong to the link. */
  protected takePanelPacket(packet: Packet): void {
    this.#faults.push(`the board sent an unexpected packet ${packet.type} of ${packet.body.length} bytes`);
  }

  /** Runs from power-on until the menu appears. */
  async boot(): Promise<this> {
    await this.setKeys(0);
    await this.machine.qmp.do('cont');
    if (!(await this.run(PATIENCE_MS, () => this.#mayWrite)))
      throw new Error(`the image did not start: ${await this.#where()}`);
    await this.awaitStable(this.#isDown);
    await this.settle();
    const { passphrase = '' } = this.options;
    if (passphrase !== null) await this.openKeystore(passphrase);
    return this;
  }

  faults(): string[] {
    const said = [...this.machine.log, ...this.machine.errors];
    return [...this.#faults, ...said.filter(line => !this.isExpected(line))];
  }

  protected isExpected(_line: string): boolean {
    return false;
  }

  async write(_link: number, report: Uint8Array, waits = true): Promise<void> {
    if (!(await this.run(PATIENCE_MS, () => this.#mayWrite)))
      throw new Error(`the board was not ready for a report: ${await this.#where()}`);
    this.#mayWrite = false;
    const before = this.#taken;
    this.machine.uart.write(encodePacket('R', report));
    if (waits && !(await this.run(PATIENCE_MS, () => this.#taken > before)))
      throw new Error(`the board did not accept the report: ${await this.#where()}`);
  }

  async writeGarbage(_link: number, bytes: Uint8Array): Promise<void> {
    this.machine.uart.write(bytes);
    await sleep(1);
  }

  async read(_link: number, milliseconds = PATIENCE_MS): Promise<Uint8Array | undefined> {
    await this.run(milliseconds, () => this.#reports.length > 0);
    return this.#reports.shift();
  }

  async reconnect(): Promise<void> {
    this.#mayWrite = false;
    this.machine.uart.write(encodePacket('C'));
    await this.run(PATIENCE_MS, () => this.#mayWrite);
    this.#reports.length = 0;
  }

  async run(milliseconds: number, until?: () => boolean | Promise<boolean>): Promise<boolean> {
    if (this.gdb) {
      for (let tick = 0; tick < Math.round(milliseconds); tick++) await this.#tick(this.gdb);
      return (await until?.()) ?? false;
    }
    if (!until) {
      await sleep(milliseconds);
      return false;
    }
    // The loop counts turns and does not use the clock, so a pause of this process or the machine counts as
    // one turn.
    for (let turn = 0; turn < milliseconds; turn++) {
      if (await until()) return true;
      await sleep(1);
    }
    return until();
  }

  async settle(): Promise<void> {
    const start = this.image.symbol('board_sleep');
    const end = start + this.image.sizeOf('board_sleep');
    const isAsleep = async () => {
      const at = await this.#programCounter();
      return at >= start && at < end;
    };
    const isIdle = async () => (await isAsleep()) && (await isAsleep()) && (await this.isReady());
    if (!(await this.run(PATIENCE_MS, isIdle)))
      throw new Error(`the board does not become idle: ${await this.#where()}`);
  }

  async hold(key: Key, isDown: boolean): Promise<void> {
    this.#isDown = isDown ? this.#isDown | KEY_BITS[key] : this.#isDown & ~KEY_BITS[key];
    await this.setKeys(this.#isDown);
    if (!this.gdb) await this.awaitStable(this.#isDown);
  }

  async press(key: Key): Promise<void> {
    await this.hold(key, true);
    await this.hold(key, false);
  }

  async exactly(act: () => Promise<void>): Promise<void> {
    await this.settle();
    const gdb = await this.machine.debug();
    await gdb.breakAt(this.image.symbol('tick_interrupt'));
    await gdb.resume();
    this.gdb = gdb;
    try {
      await act();
    } finally {
      this.gdb = undefined;
      await gdb.unbreakAt(this.image.symbol('tick_interrupt'));
      await gdb.detach();
    }
    await this.awaitStable(this.#isDown);
    await this.settle();
  }

  async restarted(power: 'kept' | 'lost'): Promise<Driver> {
    if (power === 'lost') {
      const storage = await this.storage();
      await this.close();
      return this.reopen({ ...this.options, storage });
    }
    await this.machine.reset();
    for (const reader of this.#readers) reader.reset();
    this.#reports.length = 0;
    this.#mayWrite = false;
    this.#isDown = 0;
    return this.boot();
  }

  async jump(name: string, ...values: number[]): Promise<void> {
    const gdb = await this.machine.debug();
    const { firstArgument, program } = this.registers;
    const given = Object.fromEntries(values.map((value, index) => [firstArgument + index, value]));
    await gdb.setRegisters({ ...given, [program]: this.image.symbol(name) });
    await gdb.detach();
  }

  async moveStack(name: string, symbol: string, below: number): Promise<void> {
    const gdb = await this.machine.debug();
    const at = this.image.symbol(name);
    await gdb.breakAt(at);
    void gdb.resume().then(async () => {
      await gdb.setRegisters({ [this.registers.stack]: this.image.symbol(symbol) - below });
      await gdb.unbreakAt(at);
      await gdb.detach();
    });
  }

  isReset(milliseconds: number): Promise<boolean> {
    return this.run(milliseconds, () => this.machine.isReset);
  }

  get usedMemoryAt(): number {
    return this.image.symbol('stack_bottom');
  }

  readonly usedStack = undefined;

  usedMemory(): Promise<Uint8Array> {
    return this.machine.memory(this.usedMemoryAt, this.image.symbol('bss_end') - this.usedMemoryAt);
  }

  async setIdle(seconds: number): Promise<void> {
    const at = this.image.symbol('idle_seconds');
    await this.poke([[at, wordOf(seconds)]]);
    const counted = async () => Buffer.compare(await this.machine.memory(at, 4), wordOf(seconds)) !== 0;
    if (!(await this.run(PATIENCE_MS, counted)))
      throw new Error('the seconds that the board counts have not increased in time');
    await this.settle();
  }

  /** Writes to the memory of an idle board. */
  protected async poke(writes: readonly Write[]): Promise<void> {
    await this.settle();
    const gdb = await this.machine.debug();
    for (const [address, bytes] of writes)
      for (let at = 0; at < bytes.length; at += WRITE_BYTES)
        await gdb.write(address + at, bytes.subarray(at, at + WRITE_BYTES));
    await gdb.detach();
  }

  async openKeystore(passphrase: string): Promise<void> {
    await this.poke(writesThatOpen(this.image, this.keystoreOptions, passphrase));
    const signers = this.image.symbol('signer_hal');
    const isSigners = async () =>
      Buffer.from(await this.machine.memory(this.image.symbol('front'), 4)).readUInt32LE() === signers;
    if (!(await this.run(PATIENCE_MS, isSigners)))
      throw new Error(`the keystore did not open: ${await this.#where()}`);
    await this.settle();
  }

  async costs(name: string, act: () => Promise<unknown>, until?: Uint8Array): Promise<Costs> {
    const before = this.machine.calls.length;
    this.isMeasuring = true;
    const gdb = await this.machine.debug();
    const at = this.image.symbol(name);
    await gdb.breakAt(at);
    const called = gdb.resume();
    const acted = act();
    if (!(await called)) throw new Error(`${name} was not called`);
    this.machine.trace((await gdb.register(this.registers.link)) & ~1);
    await this.setTicking(false);
    await gdb.unbreakAt(at);
    await gdb.detach();
    const lines = () => this.machine.calls.slice(before);
    let reached: string | undefined;
    const isDone = async () => {
      if (until && !reached && (await this.#isAtWatched(until))) reached = lines().findLast(isStore);
      return lines().some(isCall);
    };
    await this.run(PATIENCE_MS, isDone);
    this.machine.endTrace();
    await this.setTicking(true);
    await acted;
    this.isMeasuring = false;
    const stores = lines().filter(isStore).map(costOf);
    return { calls: lines().filter(isCall).map(costOf), reached: reached && costOf(reached), stores };
  }

  async close(): Promise<void> {
    await this.machine.kill();
    this.machine.discard();
  }

  /**
   * Waits until the board has debounced the held keys. It reads the fields of debounce_t: the last sample,
   * the number of equal samples, the chord, and whether the chord is ignored. The last one becomes false with
   * the first sample after all keys were up long enough.
   */
  protected async awaitStable(held: number): Promise<void> {
    const at = this.image.symbol('keys');
    const isStable = async () => {
      const [seen, stable, chord, ignored] = await this.machine.memory(at, 4);
      const isTaken = held ? (chord! & held) === held : chord === 0 && ignored === 0;
      return seen === held && stable! >= STABLE_SAMPLES && isTaken;
    };
    if (!(await this.run(PATIENCE_MS, isStable)))
      throw new Error(`the board did not debounce the keys: ${await this.#where()}`);
  }

  async #isAtWatched(bytes: Uint8Array): Promise<boolean> {
    const { watched } = this.options;
    if (watched === undefined) return false;
    return Buffer.compare(await this.machine.memory(watched, bytes.length), bytes) === 0;
  }

  #takePacket(packet: Packet): void {
    const { type, body } = packet;
    if (type === 'R' && body.length === 64) this.#reports.push(body);
    else if (type === 'A' && body.length === 0) {
      this.#mayWrite = true;
      this.#taken++;
    } else this.takePanelPacket(packet);
  }

  async #tick(gdb: Gdb): Promise<void> {
    await gdb.stepOver(this.image.symbol('tick_interrupt'), this.registers.program);
    if (!(await gdb.resume())) throw new Error('the timer interrupt of the board did not occur');
  }

  async #programCounter(): Promise<number> {
    const [, at] = this.registers.programName.exec(await this.machine.qmp.ask('info registers')) ?? [];
    return Number.parseInt(at!, 16);
  }

  async #where(): Promise<string> {
    return `at ${(await this.#programCounter()).toString(16)}; ${this.faults().join('; ')}`;
  }
}

// A line of the plugin has the kind of the line, the function, the number of instructions, and the hash of
// the trace.
const isStore = (line: string) => line.startsWith('store');
const isCall = (line: string) => line.startsWith('call');

function costOf(line: string): string {
  const [, , instructions, trace] = line.split(' ');
  return `${instructions} instructions, trace ${trace}`;
}
