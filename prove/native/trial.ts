// Steps an image of a Pico through a function, instruction by instruction, with one instruction skipped or
// one branch inverted.
import { createHash } from 'node:crypto';
import { symbol } from '../../testkit/boards/image.js';
import type { SimulatedPico } from '../../testkit/boards/pico.js';

/** Return address of the traced function; no code exists there. */
const STOP = 0x2003fff0;
const SRAM = 0x20000000;
const PERIPHERALS = 0x20042000;
const DPRAM = 0x50100000;
const DPRAM_BYTES = 4096;
const PRIVATE_BUS = 0xe0000000;
/**
 * The USB controller's registers that announce a packet for the host, by their address, with the location of
 * the packet and a name for it (usb.c).
 */
const IN_CONTROLS = new Map([
  [0x80, { buffer: 0x100, name: 'control: ' }],
  [0x88, { buffer: 0x180, name: '' }],
  [0x90, { buffer: 0x200, name: 'link 1: ' }],
]);
const [AVAILABLE, LENGTH] = [1 << 10, 0x3ff];
const FRAME = 1024;
/** Default of `patience`. */
const PATIENCE = 60_000;
const [LR, PC] = [14, 15];

/** Frames and packets of a trial, and its end. The watchdog ends a `hang`, and the trap ends a `fault`. */
export interface Outcome {
  end: 'idle' | 'trap' | 'fault' | 'hang' | 'signs';
  frames: string[];
  reports: string[];
}

export interface Fault {
  kind: 'skip' | 'invert';
  /** The step in the trace, and the address in the image, of the instruction. */
  step: number;
  address: number;
}

/** The called function, and the behaviour of the peripherals meanwhile. */
export interface CallSetup {
  /** The function, from its entry on; its arguments are in the registers. */
  entry: string;
  /** Whether the display accepts frames immediately. If undefined, the code of its driver runs too. */
  shows?: boolean;
  /** Instructions that a trial may take beyond the correct run. */
  patience?: number;
  /** Addresses where a trial may also end, because the code after them decides nothing. */
  ends?: readonly number[];
  /** State of the peripherals; it is restored for each trial. */
  now: readonly number[];
  /** The value of a register, if it differs from the simulator's. */
  read?(address: number): number | undefined;
  /** Handles the write of a register; returns false to leave it to the simulator. */
  write?(address: number, value: number): boolean;
  /** Returns whether the function is called again after its return. */
  again(returned: number): boolean;
}

interface State {
  now: readonly number[];
  sram: Uint8Array;
  usb: Uint8Array;
  registers: Uint32Array;
  flags: readonly [boolean, boolean, boolean, boolean];
}

/** Traces a function from one event until the board is idle, and runs it again with faults. */
export class TracedCall {
  /** The address of each instruction. */
  readonly trace: number[] = [];
  readonly right: Outcome;
  readonly #begin: State;
  readonly #special = new Map<number, () => Outcome['end'] | undefined>();
  readonly #isSpecial: Uint8Array;
  readonly #accesses: Partial<SimulatedPico['chip']>;
  readonly #text: readonly [number, number];
  #frames: string[] = [];
  #reports: string[] = [];

  /**
   * `pico` is at the entry of the setup's function; `secret` has the addresses of functions that no trial may
   * enter.
   */
  constructor(
    readonly pico: SimulatedPico,
    secret: readonly number[],
    private readonly setup: CallSetup,
  ) {
    const { core } = pico.chip;
    this.#isSpecial = new Uint8Array(pico.chip.sram.length);
    this.#text = [symbol('text_start'), symbol('text_end')];
    if (setup.shows !== undefined)
      this.#at('display_show', () => {
        this.#frames.push(hashOf(pico.memory(core.registers[0]!, FRAME)));
        return this.#answer(setup.shows ? 1 : 0);
      });
    this.#at('trap', () => 'trap');
    for (const place of secret) this.#at(place, () => 'signs');
    for (const place of setup.ends ?? []) this.#at(place, () => 'idle');
    const silent = () => undefined;
    pico.chip.logger = { debug: silent, info: silent, warn: silent, error: silent };
    const { readUint32, readUint16, readUint8, writeUint32, writeUint16, writeUint8 } = pico.chip;
    this.#accesses = { readUint32, readUint16, readUint8, writeUint32, writeUint16, writeUint8 };
    const guardPeripherals = this.#recordPeripherals();
    core.enabledInterrupts = 0;
    core.interruptsUpdated = false;
    this.#begin = this.#state();
    this.#enter();
    this.right = this.#run(Number.POSITIVE_INFINITY, this.trace);
    guardPeripherals();
  }

  /**
   * Returns the steps to try: the first and optionally the last execution of each instruction between two
   * steps, in order.
   */
  stepsToTry(withLast: boolean, from = 0, to = this.trace.length): number[] {
    const [first, last] = [new Map<number, number>(), new Map<number, number>()];
    this.trace.forEach((address, step) => {
      if (step < from || step >= to) return;
      if (!first.has(address)) first.set(address, step);
      last.set(address, step);
    });
    return [...new Set([...first.values(), ...(withLast ? last.values() : [])])].sort((a, b) => a - b);
  }

  /** Returns the step at which one of these addresses is first reached. */
  firstStepAt(...places: readonly number[]): number {
    return this.trace.findIndex(address => places.includes(address));
  }

  /** Detaches this object from the simulator, so that another function can be traced. */
  release(): void {
    Object.assign(this.pico.chip, this.#accesses);
  }

  /** Tries each fault at these steps of the trace, in order, and yields its outcome. */
  *tried(steps: readonly number[]): Generator<{ fault: Fault; outcome: Outcome }> {
    this.#restore(this.#begin);
    this.#enter();
    [this.#frames, this.#reports] = [[], []];
    let done = 0;
    for (const step of steps) {
      for (; done < step; done++) this.#step();
      const [before, frames, reports] = [this.#state(), this.#frames, this.#reports];
      const address = this.pico.chip.core.registers[PC]!;
      for (const kind of ['skip', 'invert'] as const) {
        const next = kind === 'skip' ? address + this.#sizeAt(address) : this.#otherWay(address);
        if (next === undefined) continue;
        [this.#frames, this.#reports] = [[...frames], [...reports]];
        this.pico.chip.core.registers[PC] = next;
        const outcome = this.#run(this.trace.length - step + (this.setup.patience ?? PATIENCE));
        yield { fault: { kind, step, address }, outcome };
        this.#restore(before);
      }
      [this.#frames, this.#reports] = [frames, reports];
    }
  }

  /**
   * Records which addresses of peripherals are accessed. After a call of the returned function, all other
   * addresses are ignored, so that a stray store changes nothing in the simulator.
   */
  #recordPeripherals(): () => void {
    const { chip } = this.pico;
    const accessed = new Set<number>();
    let isGuarded = false;
    const isThere = (address: number) => {
      if (!isGuarded) accessed.add(address);
      return address >>> 0 < PERIPHERALS || accessed.has(address);
    };
    for (const read of ['readUint32', 'readUint16', 'readUint8'] as const) {
      const inner = chip[read].bind(chip);
      chip[read] = address => this.setup.read?.(address) ?? (isThere(address) ? inner(address) : 0);
    }
    for (const write of ['writeUint32', 'writeUint16', 'writeUint8'] as const) {
      const inner = chip[write].bind(chip);
      chip[write] = (address, value) => {
        // Writes to the private bus are ignored, so interrupts stay masked.
        if (address >>> 0 >= PRIVATE_BUS || this.setup.write?.(address, value)) return;
        if (write === 'writeUint32' && this.#isInDpram(address)) this.#writeDpram(address - DPRAM, value);
        else if (isThere(address)) inner(address, value);
      };
    }
    return () => {
      isGuarded = true;
    };
  }

  #at(place: string | number, act: () => Outcome['end'] | undefined): void {
    const address = typeof place === 'number' ? place : symbol(place);
    this.#special.set(address, act);
    this.#isSpecial[address - SRAM] = 1;
  }

  #isInDpram(address: number): boolean {
    return address >>> 0 >= DPRAM && address >>> 0 < DPRAM + DPRAM_BYTES;
  }

  /** Writes the controller's memory. The host immediately requests every available packet. */
  #writeDpram(at: number, word: number): void {
    const { usbDPRAM, usbDPRAMView } = this.pico.chip;
    usbDPRAMView.setUint32(at, word, true);
    const control = IN_CONTROLS.get(at);
    if (!control || (word & AVAILABLE) === 0) return;
    const { buffer, name } = control;
    const packet = Buffer.from(usbDPRAM.subarray(buffer, buffer + (word & LENGTH))).toString('hex');
    this.#reports.push(`${name}${packet}`);
  }

  /** Returns from a function that was just entered. */
  #answer(value: number): undefined {
    const { registers } = this.pico.chip.core;
    registers[0] = value;
    registers[PC] = registers[LR]! & ~1;
  }

  /** Enters the function at its start. */
  #enter(): void {
    const { core } = this.pico.chip;
    core.waiting = false;
    core.registers[LR] = STOP | 1;
    core.registers[PC] = symbol(this.setup.entry) & ~1;
  }

  #run(limit: number, trace?: number[]): Outcome {
    for (let count = 0; count < limit; count++) {
      trace?.push(this.pico.chip.core.registers[PC]!);
      const end = this.#step();
      if (end !== undefined) return { end, frames: this.#frames, reports: this.#reports };
    }
    return { end: 'hang', frames: this.#frames, reports: this.#reports };
  }

  #step(): Outcome['end'] | undefined {
    const { core } = this.pico.chip;
    const address = core.registers[PC]!;
    if (address === STOP) {
      if (!this.setup.again(core.registers[0]!)) return 'idle';
      this.#enter();
      return undefined;
    }
    if (address < this.#text[0] || address >= this.#text[1]) return 'fault';
    if (this.#isSpecial[address - SRAM] === 1) return this.#special.get(address)!();
    try {
      core.executeInstruction();
    } catch {
      return 'fault';
    }
    return undefined;
  }

  #sizeAt(address: number): number {
    return this.pico.chip.readUint16(address) >>> 11 >= 0b11101 ? 4 : 2;
  }

  /** Returns the target that a conditional branch does not take; undefined for other instructions. */
  #otherWay(address: number): number | undefined {
    const code = this.pico.chip.readUint16(address);
    const condition = (code >> 8) & 15;
    if (code >> 12 !== 0b1101 || condition >= 14) return undefined;
    const isTaken = this.pico.chip.core.checkCondition(condition);
    return isTaken ? address + 2 : address + 4 + ((code << 24) >> 23);
  }

  #state(): State {
    const { core, sram, usbDPRAM } = this.pico.chip;
    return {
      now: this.setup.now,
      sram: sram.slice(),
      usb: usbDPRAM.slice(),
      registers: core.registers.slice(),
      flags: [core.N, core.Z, core.C, core.V],
    };
  }

  #restore({ now, sram, usb, registers, flags }: State): void {
    const { core } = this.pico.chip;
    this.setup.now = now;
    this.pico.chip.usbDPRAM.set(usb);
    this.pico.chip.sram.set(sram);
    core.registers.set(registers);
    [core.N, core.Z, core.C, core.V] = flags;
    core.waiting = false;
    core.PM = true;
  }
}

export function hashOf(frame: Uint8Array): string {
  return createHash('sha256').update(frame).digest('hex');
}
