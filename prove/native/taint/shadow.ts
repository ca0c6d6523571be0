// Follows which bits of registers, flags and memory depend on a secret, while a core runs Thumb code
// (ARMv6-M, A6.7). A bit of a mask is set if the value's bit may depend on a secret. Of a branch on a secret,
// only the side that runs is followed.
import type { RP2040 } from 'rp2040js';

const SRAM = 0x20000000;
const [SP, LR, PC] = [13, 14, 15];
/** The registers that an exception pushes below the return address and the flags (B1.5.6). */
const FRAME_REGISTERS = [0, 1, 2, 3, 12, LR];
const FRAME_FLAGS = 0x1c;
const [N, Z, C, V] = [8, 4, 2, 1];
const ALL_FLAGS = N | Z | C | V;
/** The flags that each condition reads, from EQ on (A6.3). */
const CONDITIONS = [Z, Z, C, C, N, N, V, V, C | Z, C | Z, N | V, N | V, N | Z | V, N | Z | V];

/**
 * Events that make timing, or something outside the memory, depend on a secret. No other instruction of this
 * core has a data-dependent time; the RP2040's divider is outside the memory.
 */
export type Leak = 'branch' | 'jump' | 'address' | 'store outside memory' | 'system register';

/** Returns the lowest set bit and all above it, which a carry may reach. */
const upwards = (mask: number): number => mask | -mask;

const isWide = (code: number): boolean => code >>> 11 >= 0b11101;

export class Shadow {
  instructions = 0;
  /** Number of instructions that read a secret. */
  secret = 0;
  /** Number of memory bytes that depend on a secret: currently, and at most. */
  bytes = 0;
  peak = 0;
  /**
   * Number of branches on the equality of two secrets that are equal, and whose other side ends in the trap.
   * Such a branch always goes the same way, so it is not a leak.
   */
  checks = 0;
  #isEqual = false;
  readonly registers = new Int32Array(16);
  flags = 0;
  readonly memory: Uint8Array;
  readonly #code: Uint16Array;
  readonly #values: Uint32Array;
  readonly #watches = new Map<number, () => void>();
  #isSecret = false;

  /**
   * Follows each later instruction. `report` is called before an instruction that leaks; `trap` is the
   * address of the trapping function.
   */
  constructor(
    private readonly chip: RP2040,
    private readonly trap: number,
    private readonly report: (leak: Leak, address: number) => void,
  ) {
    const { core, sram } = chip;
    this.memory = new Uint8Array(sram.length);
    this.#code = new Uint16Array(sram.buffer, sram.byteOffset, sram.length / 2);
    this.#values = core.registers;
    const enter = core.exceptionEntry.bind(core);
    core.exceptionEntry = number => {
      enter(number);
      FRAME_REGISTERS.forEach((register, at) => {
        this.#store(core.SP + 4 * at, 4, this.registers[register]!);
      });
      this.#store(core.SP + 4 * FRAME_REGISTERS.length, 4, 0);
      this.#store(core.SP + FRAME_FLAGS, 4, this.flags << 28);
      this.registers[LR] = 0;
    };
    const leave = core.exceptionReturn.bind(core);
    core.exceptionReturn = code => {
      FRAME_REGISTERS.forEach((register, at) => {
        this.registers[register] = this.#load(core.SP + 4 * at, 4);
      });
      this.flags = this.#load(core.SP + FRAME_FLAGS, 4) >>> 28;
      leave(code);
    };
    const execute = core.executeInstruction.bind(core);
    core.executeInstruction = () => {
      while (core.interruptsUpdated && core.checkForInterrupts()) core.waiting = false;
      const address = core.PC & ~1;
      if (this.#watches.size > 0) this.#watches.get(address)?.();
      this.#isSecret = false;
      this.#follow(address);
      this.instructions++;
      if (this.#isSecret) this.secret++;
      return execute();
    };
  }

  /** Calls `act` before each instruction at an address. */
  watch(address: number, act: () => void): void {
    this.#watches.set(address, act);
  }

  unwatch(address: number): void {
    this.#watches.delete(address);
  }

  /** Marks bytes of the memory as secret or public. */
  mark(address: number, length: number, isSecret: boolean): void {
    for (let at = 0; at < length; at++) this.#setByte(address - SRAM + at, isSecret ? 0xff : 0);
  }

  /** Returns the number of these bytes that depend on a secret. */
  count(address: number, length: number): number {
    let found = 0;
    for (let at = 0; at < length; at++) if (this.memory[address - SRAM + at] !== 0) found++;
    return found;
  }

  #leak(leak: Leak): void {
    this.report(leak, this.chip.core.PC & ~1);
  }

  #setByte(at: number, mask: number): void {
    const before = this.memory[at]!;
    if (before === mask) return;
    this.memory[at] = mask;
    if (before === 0 && ++this.bytes > this.peak) this.peak = this.bytes;
    if (mask === 0) this.bytes--;
  }

  #load(address: number, size: number): number {
    const at = (address >>> 0) - SRAM;
    if (at < 0 || at >= this.memory.length) return 0;
    let mask = 0;
    for (let byte = 0; byte < size; byte++) mask |= this.memory[at + byte]! << (8 * byte);
    if (mask !== 0) this.#isSecret = true;
    return mask;
  }

  #store(address: number, size: number, mask: number): void {
    const at = (address >>> 0) - SRAM;
    if (at < 0 || at >= this.memory.length) {
      if (mask !== 0) this.#leak('store outside memory');
      return;
    }
    for (let byte = 0; byte < size; byte++) this.#setByte(at + byte, (mask >>> (8 * byte)) & 0xff);
  }

  /** Returns the mask of a register that is read. */
  #read(register: number): number {
    const mask = this.registers[register]!;
    if (mask !== 0) this.#isSecret = true;
    return mask;
  }

  #readFlags(which: number): number {
    const mask = this.flags & which;
    if (mask !== 0) this.#isSecret = true;
    return mask;
  }

  #setFlags(which: number, mask: number): void {
    this.flags = (this.flags & ~which) | (mask & which);
    this.#isEqual = false;
  }

  #compare(left: number, right: number): void {
    const [mask, other] = [this.#read(left), this.#read(right)];
    const difference = (this.#values[left]! - this.#values[right]!) | 0;
    this.#sum(difference, left === right ? 0 : mask | other);
    this.#isEqual = difference === 0 && mask !== 0 && other !== 0;
  }

  /** Sets the masks of N and Z for a result. If a bit is known to be set, Z is known. */
  #setNegativeZero(result: number, mask: number): void {
    this.#setFlags(N | Z, (mask < 0 ? N : 0) | (mask !== 0 && (result & ~mask) === 0 ? Z : 0));
  }

  /** Returns the mask of a sum or difference, which also applies to all flags. */
  #sum(result: number, mask: number): number {
    const sum = upwards(mask);
    this.#setNegativeZero(result, sum);
    this.#setFlags(C | V, mask === 0 ? 0 : C | V);
    return sum;
  }

  #follow(address: number): void {
    const code =
      address >= SRAM && address < PERIPHERALS
        ? this.#code[(address - SRAM) >> 1]!
        : this.chip.readUint16(address);
    switch (code >>> 12) {
      case 0:
      case 1:
        if (code >>> 11 === 3) this.#addThree(code);
        else this.#shiftBy(code >>> 11, (code >> 6) & 31, code);
        return;
      case 2:
      case 3:
        this.#immediate(code);
        return;
      case 4:
        if (code & 0x800) this.registers[(code >> 8) & 7] = 0;
        else if (code & 0x400) this.#highRegisters(code);
        else this.#dataProcessing(code);
        return;
      case 5:
        this.#byRegister(code);
        return;
      case 6:
        this.#byOffset(code, 4);
        return;
      case 7:
        this.#byOffset(code, 1);
        return;
      case 8:
        this.#byOffset(code, 2);
        return;
      case 9:
        this.#transfer((code & 0x800) !== 0, (code >> 8) & 7, SP, (code & 0xff) << 2, 4);
        return;
      case 10:
        // This is ADR, or an address on the stack.
        this.registers[(code >> 8) & 7] = code & 0x800 ? this.#read(SP) : 0;
        return;
      case 11:
        this.#miscellaneous(code);
        return;
      case 12:
        this.#multiple(code);
        return;
      case 13:
        this.#branch(address, code);
        return;
      case 14:
        if (isWide(code)) throw this.#unknown(code);
        return;
      default:
        this.#wide(code, this.chip.readUint16(address + 2));
        return;
    }
  }

  #branch(address: number, code: number): void {
    const condition = (code >> 8) & 15;
    if (this.#readFlags(CONDITIONS[condition] ?? 0) === 0) return;
    const target = address + 4 + ((code << 24) >> 23);
    const unequal = condition === 0 ? address + 2 : target;
    if (this.#isEqual && condition < 2 && this.#traps(unequal)) this.checks++;
    else this.#leak('branch');
  }

  /**
   * Returns whether the code at an address, or at the target of its jump, calls the trap. Compilers use calls
   * for far jumps.
   */
  #traps(address: number): boolean {
    const code = this.chip.readUint16(address);
    if (code >>> 11 === 0b11100) return this.#traps(address + 4 + ((code << 21) >> 20));
    const jumped = this.#called(address);
    if (jumped !== undefined) return this.#traps(jumped);
    return code >>> 8 === 0x20 && this.#called(address + 2) === this.trap;
  }

  /** Returns the target of the call instruction at an address; undefined for another instruction. */
  #called(address: number): number | undefined {
    const [first, second] = [this.chip.readUint16(address), this.chip.readUint16(address + 2)];
    const isCall = first >>> 11 === 0b11110 && (second & 0xf800) === 0xf800;
    return isCall ? address + 4 + (((first << 21) >> 9) | ((second & 0x7ff) << 1)) : undefined;
  }

  #unknown(code: number): Error {
    return new Error(
      `the instruction ${code.toString(16)} at ${this.chip.core.PC.toString(16)} is not supported`,
    );
  }

  /**
   * A shift by the number in the instruction: left, logical right or arithmetic right. A right shift by 0
   * means 32.
   */
  #shiftBy(kind: number, count: number, code: number): void {
    const from = (code >> 3) & 7;
    const amount = count === 0 && kind !== 0 ? 32 : count;
    this.registers[code & 7] = this.#shift(kind, this.#values[from]! | 0, this.#read(from), amount);
  }

  #shift(kind: number, value: number, mask: number, amount: number): number {
    const moved = (word: number): number => {
      if (kind === 2) return word >> Math.min(amount, 31);
      if (amount > 31) return 0;
      return kind === 0 ? word << amount : word >>> amount;
    };
    if (amount > 0) {
      // This is the last bit shifted out.
      const bit = kind === 0 ? 32 - amount : amount - 1;
      const isOut =
        kind === 2 ? (mask >> Math.min(bit, 31)) & 1 : bit < 0 || bit > 31 ? 0 : (mask >>> bit) & 1;
      this.#setFlags(C, isOut ? C : 0);
    }
    const result = moved(mask);
    this.#setNegativeZero(moved(value), result);
    return result;
  }

  /** Executes ADDS or SUBS with three registers, or with two registers and an immediate operand. */
  #addThree(code: number): void {
    const [left, right] = [(code >> 3) & 7, (code >> 6) & 7];
    const isNumber = (code & 0x400) !== 0;
    const mask = this.#read(left) | (isNumber ? 0 : this.#read(right));
    const operand = isNumber ? right : this.#values[right]!;
    const result = code & 0x200 ? this.#values[left]! - operand : this.#values[left]! + operand;
    this.registers[code & 7] = this.#sum(result | 0, mask);
  }

  /** Executes MOVS, CMP, ADDS or SUBS with an immediate operand. */
  #immediate(code: number): void {
    const register = (code >> 8) & 7;
    const kind = (code >> 11) & 3;
    if (kind === 0) {
      this.registers[register] = 0;
      this.#setFlags(N | Z, 0);
      return;
    }
    const number = code & 0xff;
    const value = this.#values[register]!;
    const mask = this.#sum((kind === 2 ? value + number : value - number) | 0, this.#read(register));
    if (kind !== 1) this.registers[register] = mask;
  }

  #dataProcessing(code: number): void {
    const [to, from] = [code & 7, (code >> 3) & 7];
    const [left, right] = [this.#values[to]! | 0, this.#values[from]! | 0];
    const [mask, other] = [this.#read(to), this.#read(from)];
    const logic = (result: number, known: number, isKept = true): void => {
      this.#setNegativeZero(result, known);
      if (isKept) this.registers[to] = known;
    };
    /** Bits that are set in one operand and may be set in the other. */
    const both = (mask & other) | (mask & right) | (other & left);
    switch ((code >> 6) & 15) {
      case 0: // ANDS
        logic(left & right, both);
        return;
      case 1: // EORS
        logic(left ^ right, to === from ? 0 : mask | other);
        return;
      case 2: // LSLS
        this.#shiftByRegister(0, to, from);
        return;
      case 3: // LSRS
        this.#shiftByRegister(1, to, from);
        return;
      case 4: // ASRS
        this.#shiftByRegister(2, to, from);
        return;
      case 7: // RORS
        this.#rotate(to, from);
        return;
      case 5: // ADCS
      case 6: // SBCS
        this.#withCarry(code, to, from);
        return;
      case 8: // TST
        logic(left & right, both, false);
        return;
      case 9: // RSBS
        this.registers[to] = this.#sum(-right | 0, other);
        return;
      case 10: // CMP
        this.#compare(to, from);
        return;
      case 11: // CMN
        this.#sum((left + right) | 0, mask | other);
        return;
      case 12: // ORRS
        logic(left | right, (mask & other) | (mask & ~right) | (other & ~left));
        return;
      case 13: // MULS: one cycle on the RP2040
        logic(Math.imul(left, right), upwards(mask | other));
        return;
      case 14: // BICS
        logic(left & ~right, (mask & other) | (mask & ~right) | (other & left));
        return;
      default: // MVNS
        logic(~right, other);
        return;
    }
  }

  #withCarry(code: number, to: number, from: number): void {
    const isDifference = (code & 0x40) === 0;
    const carry = this.#readFlags(C) === 0 ? 0 : ALL_BITS;
    const isMask = isDifference && to === from;
    const mask = isMask ? carry : this.registers[to]! | this.registers[from]! | carry;
    const [left, right, bit] = [this.#values[to]!, this.#values[from]!, this.chip.core.C ? 1 : 0];
    const result = isDifference ? left - right - 1 + bit : left + right + bit;
    this.registers[to] = this.#sum(result | 0, mask);
  }

  #shiftByRegister(kind: number, to: number, from: number): void {
    const [mask, amountMask] = [this.registers[to]!, this.registers[from]! & 0xff];
    if (amountMask === 0) {
      this.registers[to] = this.#shift(kind, this.#values[to]! | 0, mask, this.#values[from]! & 0xff);
      return;
    }
    this.registers[to] = ALL_BITS;
    this.#setFlags(N | Z | C, N | Z | C);
  }

  #rotate(to: number, from: number): void {
    const [mask, amountMask] = [this.registers[to]!, this.registers[from]! & 0xff];
    const isKnown = (mask | amountMask) === 0;
    this.registers[to] = isKnown ? 0 : ALL_BITS;
    this.#setFlags(N | Z | C, isKnown ? 0 : N | Z | C);
  }

  /** ADD, CMP, MOV of any two registers, BX and BLX. */
  #highRegisters(code: number): void {
    const [to, from] = [((code >> 4) & 8) | (code & 7), (code >> 3) & 15];
    const kind = (code >> 8) & 3;
    if (kind === 1) {
      this.#compare(to, from);
      return;
    }
    const other = this.#read(from);
    if (kind === 3) {
      if (other !== 0) this.#leak('jump');
      if (code & 0x80) this.registers[LR] = 0;
      return;
    }
    const mask = kind === 0 ? upwards(this.#read(to) | other) : other;
    if (to !== PC) this.registers[to] = mask;
    else if (mask !== 0) this.#leak('jump');
  }

  #transfer(isLoad: boolean, register: number, base: number, offset: number, size: number): void {
    if (this.#read(base) !== 0) this.#leak('address');
    const address = this.#values[base]! + offset;
    if (isLoad) this.registers[register] = this.#load(address, size);
    else this.#store(address, size, this.#read(register));
  }

  #byOffset(code: number, size: number): void {
    this.#transfer((code & 0x800) !== 0, code & 7, (code >> 3) & 7, ((code >> 6) & 31) * size, size);
  }

  /** STR, STRH, STRB, LDRSB, LDR, LDRH, LDRB, LDRSH at the sum of two registers. */
  #byRegister(code: number): void {
    const kind = (code >> 9) & 7;
    const offset = (code >> 6) & 7;
    const size = [4, 2, 1, 1, 4, 2, 1, 2][kind]!;
    if (this.#read(offset) !== 0) this.#leak('address');
    const register = code & 7;
    this.#transfer(kind > 2, register, (code >> 3) & 7, this.#values[offset]!, size);
    if (kind === 3) this.registers[register] = (this.registers[register]! << 24) >> 24;
    if (kind === 7) this.registers[register] = (this.registers[register]! << 16) >> 16;
  }

  #miscellaneous(code: number): void {
    const [to, from] = [code & 7, (code >> 3) & 7];
    switch ((code >> 8) & 15) {
      case 0: // SP plus or minus a number
        return;
      case 2: {
        const mask = this.#read(from);
        // SXTH, SXTB, UXTH, UXTB
        const kind = (code >> 6) & 3;
        if (kind === 0) this.registers[to] = (mask << 16) >> 16;
        else if (kind === 1) this.registers[to] = (mask << 24) >> 24;
        else this.registers[to] = mask & (kind === 2 ? 0xffff : 0xff);
        return;
      }
      case 4:
      case 5:
        this.#push(code);
        return;
      case 10:
        this.#reverse((code >> 6) & 3, to, this.#read(from));
        return;
      case 12:
      case 13:
        this.#pop(code);
        return;
      case 6: // CPS
      case 14: // BKPT
      case 15: // NOP, SEV, WFE, WFI, YIELD
        return;
      default:
        throw this.#unknown(code);
    }
  }

  #reverse(kind: number, to: number, mask: number): void {
    const swapped = ((mask >>> 8) & 0x00ff00ff) | ((mask & 0x00ff00ff) << 8);
    if (kind === 0) this.registers[to] = (swapped >>> 16) | (swapped << 16);
    else if (kind === 1) this.registers[to] = swapped;
    else this.registers[to] = (swapped << 16) >> 16;
  }

  #push(code: number): void {
    const registers = registersOf(code & 0xff, code & 0x100 ? LR : undefined);
    if (this.#read(SP) !== 0) this.#leak('address');
    const bottom = this.#values[SP]! - 4 * registers.length;
    registers.forEach((register, at) => {
      this.#store(bottom + 4 * at, 4, this.#read(register));
    });
  }

  #pop(code: number): void {
    if (this.#read(SP) !== 0) this.#leak('address');
    const bottom = this.#values[SP]!;
    registersOf(code & 0xff, code & 0x100 ? PC : undefined).forEach((register, at) => {
      const mask = this.#load(bottom + 4 * at, 4);
      if (register !== PC) this.registers[register] = mask;
      else if (mask !== 0) this.#leak('jump');
    });
  }

  /** Runs STM and LDM. */
  #multiple(code: number): void {
    const base = (code >> 8) & 7;
    if (this.#read(base) !== 0) this.#leak('address');
    const bottom = this.#values[base]!;
    registersOf(code & 0xff).forEach((register, at) => {
      if (code & 0x800) this.registers[register] = this.#load(bottom + 4 * at, 4);
      else this.#store(bottom + 4 * at, 4, this.#read(register));
    });
  }

  /** BL, MSR, MRS and barriers. */
  #wide(code: number, second: number): void {
    if ((second & 0xd000) === 0xd000) this.registers[LR] = 0;
    else if (code === 0xf3ef)
      this.registers[(second >> 8) & 15] = (second & 0xff) < 4 ? this.#readFlags(ALL_FLAGS) << 28 : 0;
    else if (code >>> 4 === 0xf38) {
      if (this.#read(code & 15) !== 0) this.#leak('system register');
    } else if (code !== 0xf3bf) throw this.#unknown(code);
  }
}

const ALL_BITS = -1;
const PERIPHERALS = 0x20042000;

const LISTS = new Map<number, number[]>();

/** Returns the registers of a list, the lowest first, followed by the register `last`. */
function registersOf(bits: number, last?: number): number[] {
  const key = bits | ((last ?? 0) << 8);
  let found = LISTS.get(key);
  if (!found) {
    found = [0, 1, 2, 3, 4, 5, 6, 7].filter(register => (bits >> register) & 1);
    if (last !== undefined) found.push(last);
    LISTS.set(key, found);
  }
  return found;
}
