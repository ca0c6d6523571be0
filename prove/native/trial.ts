// An image of a Pico, stepped instruction by instruction from a key's release, with one instruction skipped or one
// branch inverted.
import { createHash } from 'node:crypto';
import { symbol } from '../../testkit/boards/image.js';
import type { SimulatedPico } from '../../testkit/boards/pico.js';

/** Where the walked call returns to: no code is there. */
const STOP = 0x2003fff0;
const SRAM = 0x20000000;
const PERIPHERALS = 0x20042000;
const DPRAM = 0x50100000;
const DPRAM_BYTES = 4096;
const PRIVATE_BUS = 0xe0000000;
/** How the controller is told of a packet for the host: by link, and what is in the word (usb.c). */
const IN_CONTROLS = [0x88, 0x90];
const [IN_BUFFERS, BUFFER_STRIDE] = [0x180, 128];
const [AVAILABLE, LENGTH] = [1 << 10, 0x3ff];
const FRAME = 1024;
/** Instructions that a trial may take beyond what the right run takes. */
const PATIENCE = 60_000;
const ENDPOINTS = 3;
const [LR, PC] = [14, 15];

/** What a trial shows and sends, and how it ended: `hang` is for the watchdog, `fault` for the trap. */
export interface Outcome {
  end: 'idle' | 'trap' | 'fault' | 'hang' | 'signs';
  frames: string[];
  reports: string[];
}

export interface Fault {
  kind: 'skip' | 'invert';
  /** Of the instruction, in the walk and in the image. */
  step: number;
  address: number;
}

interface State {
  sram: Uint8Array;
  usb: Uint8Array;
  registers: Uint32Array;
  flags: readonly [boolean, boolean, boolean, boolean];
}

/** The walk of the main loop over one press, until it has nothing more to do. */
export class Walk {
  /** The address of each instruction. */
  readonly trace: number[] = [];
  readonly right: Outcome;
  readonly #begin: State;
  readonly #sending = symbol('sending') - SRAM;
  readonly #special = new Map<number, () => Outcome['end'] | undefined>();
  readonly #isSpecial: Uint8Array;
  readonly #text: readonly [number, number];
  #frames: string[] = [];
  #reports: string[] = [];

  /** `pico` stands at the entry of `exchange_step`; `signs` is the function that no trial may enter. */
  constructor(
    private readonly pico: SimulatedPico,
    signs: string,
  ) {
    const { core } = pico.chip;
    this.#isSpecial = new Uint8Array(pico.chip.sram.length);
    this.#text = [symbol('text_start'), symbol('text_end')];
    this.#at('display_show', () => {
      this.#frames.push(hashOf(pico.memory(core.registers[0]!, FRAME)));
      return this.#answer(1);
    });
    this.#at('trap', () => 'trap');
    this.#at(signs, () => 'signs');
    const silent = () => undefined;
    pico.chip.logger = { debug: silent, info: silent, warn: silent, error: silent };
    const guardPeripherals = this.#meetPeripherals();
    core.enabledInterrupts = 0;
    core.interruptsUpdated = false;
    this.#begin = this.#state();
    this.#enter();
    this.right = this.#run(Number.POSITIVE_INFINITY, this.trace);
    guardPeripherals();
  }

  /** The first and the last time that each instruction is met, in the order of the walk. */
  edges(): number[] {
    const [first, last] = [new Map<number, number>(), new Map<number, number>()];
    this.trace.forEach((address, step) => {
      if (!first.has(address)) first.set(address, step);
      last.set(address, step);
    });
    return [...new Set([...first.values(), ...last.values()])].sort((a, b) => a - b);
  }

  /** Each fault at these steps of the walk, in order, with what came of it. */
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
        const outcome = this.#run(this.trace.length - step + PATIENCE);
        yield { fault: { kind, step, address }, outcome };
        this.#restore(before);
      }
      [this.#frames, this.#reports] = [frames, reports];
    }
  }

  /**
   * Notes what is touched; once the returned function was called, nothing else is there: a store that a fault leads
   * astray changes nothing of the simulator.
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
      chip[read] = address => (isThere(address) ? inner(address) : 0);
    }
    for (const write of ['writeUint32', 'writeUint16', 'writeUint8'] as const) {
      const inner = chip[write].bind(chip);
      chip[write] = (address, value) => {
        // Interrupts stay masked.
        if (address >>> 0 >= PRIVATE_BUS) return;
        if (write === 'writeUint32' && this.#isInDpram(address)) this.#writeDpram(address - DPRAM, value);
        else if (isThere(address)) inner(address, value);
      };
    }
    return () => {
      isGuarded = true;
    };
  }

  #at(name: string, act: () => Outcome['end'] | undefined): void {
    const address = symbol(name) & ~1;
    this.#special.set(address, act);
    this.#isSpecial[address - SRAM] = 1;
  }

  #isInDpram(address: number): boolean {
    return address >>> 0 >= DPRAM && address >>> 0 < DPRAM + DPRAM_BYTES;
  }

  /** The host asks at once for what is made available. */
  #writeDpram(at: number, word: number): void {
    const { usbDPRAM, usbDPRAMView } = this.pico.chip;
    usbDPRAMView.setUint32(at, word, true);
    const link = IN_CONTROLS.indexOf(at);
    if (link < 0 || (word & AVAILABLE) === 0) return;
    const buffer = IN_BUFFERS + BUFFER_STRIDE * link;
    const packet = Buffer.from(usbDPRAM.subarray(buffer, buffer + (word & LENGTH))).toString('hex');
    this.#reports.push(link === 0 ? packet : `link ${link}: ${packet}`);
  }

  /** Returns from a function that was just entered. */
  #answer(value: number): undefined {
    const { registers } = this.pico.chip.core;
    registers[0] = value;
    registers[PC] = registers[LR]! & ~1;
  }

  /** The main loop calls once more. */
  #enter(): void {
    const { core } = this.pico.chip;
    core.waiting = false;
    core.registers[LR] = STOP | 1;
    core.registers[PC] = symbol('exchange_step') & ~1;
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
      this.#takePackets();
      if ((core.registers[0]! & 0xff) === 0) return 'idle';
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

  /** The host has read what was sent. */
  #takePackets(): void {
    this.pico.chip.sram.fill(0, this.#sending, this.#sending + ENDPOINTS);
  }

  #sizeAt(address: number): number {
    return this.pico.chip.readUint16(address) >>> 11 >= 0b11101 ? 4 : 2;
  }

  /** Where a conditional branch does not go; undefined of another instruction. */
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
      sram: sram.slice(),
      usb: usbDPRAM.slice(),
      registers: core.registers.slice(),
      flags: [core.N, core.Z, core.C, core.V],
    };
  }

  #restore({ sram, usb, registers, flags }: State): void {
    const { core } = this.pico.chip;
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
