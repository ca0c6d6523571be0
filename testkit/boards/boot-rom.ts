import type { RP2040 } from 'rp2040js';

/** Thrown when the power fails during a flash operation. */
export class PowerCut extends Error {
  override readonly name = 'PowerCut';
}

/** Functions of the boot ROM that an image may call. They are identified by two letters. */
const FUNCTIONS = ['IF', 'EX', 'RE', 'RP', 'FC', 'CX', 'UB'] as const;
type RomFunction = (typeof FUNCTIONS)[number];
const LOOKUP = FUNCTIONS.length;

const TABLE = 0x40;
const CODE = 0x100;
const BKPT = 0xbe00;
const BX_LR = 0x4770;
const SECTOR = 4096;
const PAGE = 256;
const POLYNOMIAL = 0x04c11db7;

/**
 * Returns the CRC-32/MPEG-2 of a second stage. This function is independent of
 * the build, so that tests can compare the result of the build with it.
 */
export function bootCrc(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const carry = (rest >>> 31) ^ ((byte >> bit) & 1);
      rest = (rest << 1) ^ (carry ? POLYNOMIAL : 0);
    }
  }
  return rest >>> 0;
}

/**
 * Replaces the boot ROM of Raspberry Pi, whose licence forbids its use here. In the simulated ROM, each
 * function is only `bkpt` and `bx lr`; this class implements its effect. An operation that silicon does not
 * allow is an error.
 */
export class BootRom {
  /** The functions called so far. */
  readonly calls: RomFunction[] = [];
  /**
   * The step at which the power fails, counted from 0. Each erasure or programming of flash has two steps.
   */
  cutAt: number | undefined;
  /** Called before each step of an erasure or programming. */
  beforeStep: ((step: number) => void) | undefined;
  /**
   * The arguments with which the image started the USB mode of the boot ROM: a mask of pins for an activity
   * light, and the disabled interfaces.
   */
  usbBoot: readonly number[] | undefined;
  #steps = 0;
  /** Set while flash cannot be read as memory. */
  isWriting = false;

  constructor(private readonly chip: RP2040) {
    const words = new Uint16Array(0x2000);
    words[0x14 / 2] = TABLE;
    words[0x18 / 2] = (CODE + 4 * LOOKUP) | 1;
    FUNCTIONS.forEach((name, index) => {
      words[TABLE / 2 + 2 * index] = name.charCodeAt(0) | (name.charCodeAt(1) << 8);
      words[TABLE / 2 + 2 * index + 1] = (CODE + 4 * index) | 1;
    });
    for (let index = 0; index <= LOOKUP; index++) {
      words[(CODE + 4 * index) / 2] = BKPT | index;
      words[(CODE + 4 * index) / 2 + 1] = BX_LR;
    }
    chip.loadBootrom(new Uint32Array(words.buffer));
    chip.onBreak = index => this.#call(index);
  }

  #call(index: number): void {
    const { core } = this.chip;
    if (core.PC >= 0x4000)
      throw new Error(`the image executed breakpoint ${index} at ${core.PC.toString(16)}`);
    if (index === LOOKUP) this.#lookUp();
    else this.#flash(FUNCTIONS[index]!);
  }

  #lookUp(): void {
    const { registers } = this.chip.core;
    for (let at = registers[0]!; this.chip.readUint16(at) !== 0; at += 4) {
      if (this.chip.readUint16(at) !== registers[1]) continue;
      registers[0] = this.chip.readUint16(at + 2);
      return;
    }
    registers[0] = 0;
  }

  #flash(name: RomFunction): void {
    const { core } = this.chip;
    this.calls.push(name);
    if (name === 'UB') {
      this.usbBoot = [...core.registers.slice(0, 2)];
      return;
    }
    if (core.LR >>> 28 === 1) throw new Error(`the boot ROM's function ${name} was called by code in flash`);
    if (!core.PM) throw new Error(`the boot ROM's function ${name} was called with interrupts enabled`);
    const [first, second, third] = core.registers;
    if (name === 'EX') this.isWriting = true;
    else if (name === 'CX') this.isWriting = false;
    else if (name === 'RE') this.#erase(first!, second!);
    else if (name === 'RP') this.#program(first!, second!, third!);
  }

  #erase(at: number, length: number): void {
    this.#check(at, length, SECTOR);
    this.#step(() => this.chip.flash.fill(0xff, at, at + length / 2));
    this.#step(() => this.chip.flash.fill(0xff, at, at + length));
  }

  #program(at: number, from: number, length: number): void {
    this.#check(at, length, PAGE);
    const write = (start: number, end: number) => {
      for (let i = start; i < end; i++) this.chip.flash[at + i]! &= this.chip.readUint8(from + i);
    };
    this.#step(() => write(0, 20));
    this.#step(() => write(0, length));
  }

  #check(at: number, length: number, unit: number): void {
    if (!this.isWriting) throw new Error('flash is written while it is read as memory');
    if (at % unit !== 0 || length % unit !== 0 || length === 0)
      throw new Error(`flash: expected whole units of ${unit} bytes, found ${length} bytes at ${at}`);
  }

  #step(work: () => void): void {
    this.beforeStep?.(this.#steps);
    if (this.#steps++ === this.cutAt) throw new PowerCut();
    work();
  }
}
