// An image of a Pico, stepped instruction by instruction from the entry of a function, with one instruction skipped or
// one branch inverted.
import { createHash } from 'node:crypto';
import { symbol } from '../../testkit/boards/image.js';
import type { SimulatedPico } from '../../testkit/boards/pico.js';

/** Return address of the walked call, where no code exists. */
const STOP = 0x2003fff0;
const SRAM = 0x20000000;
const PERIPHERALS = 0x20042000;
const DPRAM = 0x50100000;
const DPRAM_BYTES = 4096;
const PRIVATE_BUS = 0xe0000000;
/**
 * Addresses of the controller's registers that announce a packet for the host, the packet's location, and its
 * name (usb.c).
 */
const IN_CONTROLS = new Map([
  [0x80, { buffer: 0x100, name: 'control: ' }],
  [0x88, { buffer: 0x180, name: '' }],
  [0x90, { buffer: 0x200, name: 'link 1: ' }],
]);
const [AVAILABLE, LENGTH] = [1 << 10, 0x3ff];
const FRAME = 1024;
/** The default patience of a course. */
const PATIENCE = 60_000;
const [LR, PC] = [14, 15];

/** Frames and packets of a trial, and its end: `hang` is for the watchdog, `fault` for the trap. */
export interface Outcome {
  end: 'idle' | 'trap' | 'fault' | 'hang' | 'signs';
  frames: string[];
  reports: string[];
}

export interface Fault {
  kind: 'skip' | 'invert';
  /** The step in the walk, and the address in the image, of the instruction. */
  step: number;
  address: number;
}

/** The called function, and the surroundings of the core meanwhile. */
export interface Course {
  /** The function, from its entry on; its arguments are in the registers. */
  entry: string;
  /** Whether the display immediately accepts frames; undefined: its driver is walked too. */
  shows?: boolean;
  /** Instructions that a trial may take beyond the correct run. */
  patience?: number;
  /** Addresses where a trial may also end, because the code after them decides nothing. */
  ends?: readonly number[];
  /** Initial content of peripherals for trials. */
  now: readonly number[];
  /** The value of a register, if it differs from the simulator's. */
  read?(address: number): number | undefined;
  /** Whether the write of a register is handled. */
  write?(address: number, value: number): boolean;
  /** Whether the function is called again after its return. */
  again(returned: number): boolean;
}

interface State {
  now: readonly number[];
  sram: Uint8Array;
  usb: Uint8Array;
  registers: Uint32Array;
  flags: readonly [boolean, boolean, boolean, boolean];
}

/** The walk from one event until the board is idle. */
export class Walk {
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
   * `pico` is at the entry of the course's function; `secret` has the addresses of functions that no trial
   * may enter.
   */
  constructor(
    readonly pico: SimulatedPico,
    secret: readonly number[],
    private readonly course: Course,
  ) {
    const { core } = pico.chip;
    this.#isSpecial = new Uint8Array(pico.chip.sram.length);
    this.#text = [symbol('text_start'), symbol('text_end')];
    if (course.shows !== undefined)
      this.#at('display_show', () => {
        this.#frames.push(hashOf(pico.memory(core.registers[0]!, FRAME)));
        return this.#answer(course.shows ? 1 : 0);
      });
    this.#at('trap', () => 'trap');
    for (const place of secret) this.#at(place, () => 'signs');
    for (const place of course.ends ?? []) this.#at(place, () => 'idle');
    const silent = () => undefined;
    pico.chip.logger = { debug: silent, info: silent, warn: silent, error: silent };
    const { readUint32, readUint16, readUint8, writeUint32, writeUint16, writeUint8 } = pico.chip;
    this.#accesses = { readUint32, readUint16, readUint8, writeUint32, writeUint16, writeUint8 };
    const guardPeripherals = this.#meetPeripherals();
    core.enabledInterrupts = 0;
    core.interruptsUpdated = false;
    this.#begin = this.#state();
    this.#enter();
    this.right = this.#run(Number.POSITIVE_INFINITY, this.trace);
    guardPeripherals();
  }

  /**
   * The first and optionally the last execution of each instruction between two steps, in the order of the
   * walk.
   */
  edges(withLast: boolean, from = 0, to = this.trace.length): number[] {
    const [first, last] = [new Map<number, number>(), new Map<number, number>()];
    this.trace.forEach((address, step) => {
      if (step < from || step >= to) return;
      if (!first.has(address)) first.set(address, step);
      last.set(address, step);
    });
    return [...new Set([...first.values(), ...(withLast ? last.values() : [])])].sort((a, b) => a - b);
  }

  /** The step at which one of these addresses is first reached. */
  meets(...places: readonly number[]): number {
    return this.trace.findIndex(address => places.includes(address));
  }

  /** Detaches the walk from the simulator, for another walk. */
  release(): void {
    Object.assign(this.pico.chip, this.#accesses);
  }

  /** Tries each fault at these steps of the walk in order, with its outcome. */
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
        const outcome = this.#run(this.trace.length - step + (this.course.patience ?? PATIENCE));
        yield { fault: { kind, step, address }, outcome };
        this.#restore(before);
      }
      [this.#frames, this.#reports] = [frames, reports];
    }
  }

  /**
   * Records accesses to peripherals; after a call of the returned function, no others exist, so that a stray
   * store changes nothing in the simulator.
   */
  #meetPeripherals(): () => void {
    const { chip } = this.pico;
    const met = new Set<number>();
    let isGuarded = false;
    const isThere = (address: number) => {
      if (!isGuarded) met.add(address);
      return address >>> 0 < PERIPHERALS || met.has(address);
    };
    for (const read of ['readUint32', 'readUint16', 'readUint8'] as const) {
      const inner = chip[read].bind(chip);
      chip[read] = address => this.course.read?.(address) ?? (isThere(address) ? inner(address) : 0);
    }
    for (const write of ['writeUint32', 'writeUint16', 'writeUint8'] as const) {
      const inner = chip[write].bind(chip);
      chip[write] = (address, value) => {
        // Interrupts stay masked.
        if (address >>> 0 >= PRIVATE_BUS || this.course.write?.(address, value)) return;
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

  /** The host immediately requests every available packet. */
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

  /** Calls the function again. */
  #enter(): void {
    const { core } = this.pico.chip;
    core.waiting = false;
    core.registers[LR] = STOP | 1;
    core.registers[PC] = symbol(this.course.entry) & ~1;
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
      if (!this.course.again(core.registers[0]!)) return 'idle';
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

  /** The untaken target of a conditional branch; undefined for other instructions. */
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
      now: this.course.now,
      sram: sram.slice(),
      usb: usbDPRAM.slice(),
      registers: core.registers.slice(),
      flags: [core.N, core.Z, core.C, core.V],
    };
  }

  #restore({ now, sram, usb, registers, flags }: State): void {
    const { core } = this.pico.chip;
    this.course.now = now;
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
