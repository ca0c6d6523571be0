// Adds probes to a module: each is a byte of its memory that becomes 1 when execution passes it (WebAssembly
// 2.0 core, §5.4 and §5.5). The module's behaviour is otherwise unchanged.

import { CoverageError } from '../errors.js';
import { encodeUnsigned, ModuleReader } from '../module-reader.js';

/**
 * Start of the probes, at the end of the firmware's only page of memory. The firmware uses less than half of
 * it.
 */
const PROBES_START = 57344;
const MAX_PROBES = 8192;

/** The location of a module's probes in its memory. */
interface ProbeArea {
  start: number;
  length: number;
}

/** A place where the code branches. */
export interface Decision {
  /** Offset of its instruction in the original module. */
  offset: number;
  opcode: number;
  /** Number of the probe of the first branch. The other branches have the next numbers. */
  probe: number;
  ways: number;
}

/** A module with probes. */
export interface Instrumented {
  wasm: Uint8Array;
  area: ProbeArea;
  /** The offset in the original module, and the probe, of every reachable instruction. */
  instructions: { offset: number; probe: number }[];
  decisions: Decision[];
}

const TYPE_SECTION = 1;
const IMPORT_SECTION = 2;
const FUNCTION_SECTION = 3;
const CODE_SECTION = 10;
const HEADER_BYTES = 8;
const I32 = 0x7f;

const UNREACHABLE = 0x00;
const BLOCK = 0x02;
const LOOP = 0x03;
const IF = 0x04;
const ELSE = 0x05;
const END = 0x0b;
const BR = 0x0c;
const BR_IF = 0x0d;
const BR_TABLE = 0x0e;
const RETURN = 0x0f;
const SELECT = 0x1b;
const PREFIXED = 0xfc;

/** Stands for a probe in unreachable code, which has none. */
const NOWHERE = -1;

/**
 * Adds probes at the start of every function, at every join, and at every branch of a decision. Throws a
 * CoverageError for a module with unsupported instructions.
 */
export function instrument(wasm: Uint8Array): Instrumented {
  const { parts, probes, instructions, decisions } = rewriteModule(wasm);
  if (probes > MAX_PROBES)
    throw new CoverageError(`the module needs ${probes} probes, but there is room for only ${MAX_PROBES}`);
  const area = { start: PROBES_START, length: probes };
  return { wasm: Buffer.concat(parts), area, instructions, decisions };
}

interface Rewritten {
  parts: Uint8Array[];
  probes: number;
  instructions: Instrumented['instructions'];
  decisions: Decision[];
}

function rewriteModule(wasm: Uint8Array): Rewritten {
  const result: Rewritten = {
    parts: [wasm.subarray(0, HEADER_BYTES)],
    probes: 0,
    instructions: [],
    decisions: [],
  };
  const reader = new ModuleReader(wasm, HEADER_BYTES);
  let parameters: number[] = [];
  let types: number[] = [];
  while (!reader.atEnd) {
    const from = reader.offset;
    const id = reader.byte();
    const section = reader.part(reader.unsigned());
    if (id === CODE_SECTION) {
      let index = 0;
      const bodies = section.list(() => {
        const body = section.part(section.unsigned());
        const code = new FunctionRewriter(body, parameters[types[index++]!]!, result).rewrite();
        return [...encodeUnsigned(code.length), ...code];
      });
      const content = [...encodeUnsigned(bodies.length), ...bodies.flat()];
      result.parts.push(Uint8Array.from([CODE_SECTION, ...encodeUnsigned(content.length), ...content]));
      continue;
    }
    result.parts.push(wasm.subarray(from, reader.offset));
    if (id === TYPE_SECTION) parameters = section.list(() => readType(section));
    else if (id === FUNCTION_SECTION) types = section.list(() => section.unsigned());
    else if (id === IMPORT_SECTION) refuseOtherMemories(section);
  }
  return result;
}

/** Returns the number of parameters of a function type. */
function readType(reader: ModuleReader): number {
  reader.byte();
  const parameters = reader.list(() => reader.byte()).length;
  reader.list(() => reader.byte());
  return parameters;
}

function refuseOtherMemories(reader: ModuleReader): void {
  reader.list(() => {
    reader.skip(reader.unsigned());
    reader.skip(reader.unsigned());
    if (reader.byte() !== 0) throw new CoverageError('the module imports something other than functions');
    reader.unsigned();
  });
}

interface Block {
  opcode: number;
  /** Whether a branch targets its end. */
  isTargeted: boolean;
  /**
   * In the first arm of an `if`, the probe at which the second arm begins. In the second arm, the probe with
   * which the first arm ended.
   */
  other: number;
}

/** Copies a function's code and inserts probes. */
class FunctionRewriter {
  readonly #out: number[] = [];
  readonly #blocks: Block[] = [];
  /** The probe of the code being copied. */
  #here = NOWHERE;

  constructor(
    private readonly reader: ModuleReader,
    private readonly parameters: number,
    private readonly result: Rewritten,
  ) {}

  /** Returns the new code with its locals. */
  rewrite(): number[] {
    const { reader } = this;
    const locals = reader.list(() => [reader.unsigned(), reader.byte()] as const);
    const kept = locals.reduce((sum, [count]) => sum + count, this.parameters);
    this.#emitProbe();
    while (!reader.atEnd) this.#copyInstruction(kept);
    // An additional local holds the value of a decision.
    const groups = [...locals, [1, I32] as const].flatMap(([count, type]) => [
      ...encodeUnsigned(count),
      type,
    ]);
    return [...encodeUnsigned(locals.length + 1), ...groups, ...this.#out];
  }

  #copyInstruction(local: number): void {
    const { reader } = this;
    const offset = reader.offset;
    if (this.#here !== NOWHERE) this.result.instructions.push({ offset, probe: this.#here });
    const opcode = reader.byte();
    const labels = this.#readImmediates(opcode);
    const code = reader.between(offset, reader.offset);
    const index = encodeUnsigned(local);
    if (opcode === IF || opcode === BR_IF || opcode === SELECT) {
      const probe = this.#decide(offset, opcode, 2);
      // The first probe is that of a true condition.
      this.#out.push(0x22, ...index, 0x45, ...this.#store(probe), 0x20, ...index, ...code);
      if (opcode === IF) this.#open(opcode, probe + 1, probe);
      else if (opcode === BR_IF) {
        this.#target(labels);
        this.#here = probe + 1;
      }
      return;
    }
    if (opcode === BR_TABLE) {
      const last = [0x41, ...asSigned(encodeUnsigned(labels.length - 1))];
      const probe = this.#decide(offset, opcode, labels.length);
      // The index is limited to the last branch, which is the default.
      this.#out.push(0x22, ...index, ...last, 0x20, ...index, ...last, 0x49, 0x1b);
      this.#out.push(...this.#store(probe), 0x20, ...index);
    }
    this.#out.push(...code);
    this.#target(labels);
    if (opcode === BLOCK || opcode === LOOP) this.#open(opcode, NOWHERE, this.#here);
    else if (opcode === ELSE) this.#otherwise();
    else if (opcode === END) this.#close();
    else if ([UNREACHABLE, BR, BR_TABLE, RETURN].includes(opcode)) this.#here = NOWHERE;
  }

  #open(opcode: number, other: number, here: number): void {
    const isReached = this.#here !== NOWHERE;
    this.#blocks.push({ opcode, isTargeted: false, other: isReached ? other : NOWHERE });
    this.#here = isReached ? here : NOWHERE;
  }

  #otherwise(): void {
    const block = this.#blocks.at(-1)!;
    const here = this.#here;
    this.#here = block.other;
    block.other = here;
  }

  #close(): void {
    const block = this.#blocks.pop();
    // No block is left at the end of the function.
    if (block === undefined) return;
    const isJoined = block.opcode === IF && block.other !== NOWHERE;
    if ((block.isTargeted && block.opcode !== LOOP) || isJoined) this.#emitProbe();
  }

  #target(labels: readonly number[]): void {
    if (this.#here === NOWHERE) return;
    for (const label of labels) {
      const block = this.#blocks.at(-1 - label);
      if (block) block.isTargeted = true;
    }
  }

  #decide(offset: number, opcode: number, ways: number): number {
    const probe = this.result.probes;
    this.result.probes += ways;
    if (this.#here !== NOWHERE) this.result.decisions.push({ offset, opcode, probe, ways });
    return probe;
  }

  #emitProbe(): void {
    this.#here = this.result.probes++;
    this.#out.push(0x41, 0, ...this.#store(this.#here));
  }

  /** Returns code that stores 1 at the probe's address plus the number on the stack. */
  #store(probe: number): number[] {
    return [0x41, 1, 0x3a, 0, ...encodeUnsigned(PROBES_START + probe)];
  }

  /** Reads the immediate operands of an instruction. Returns the labels if it is a branch. */
  #readImmediates(opcode: number): number[] {
    const { reader } = this;
    if (opcode === BR || opcode === BR_IF) return [reader.unsigned()];
    if (opcode === BR_TABLE) return [...reader.list(() => reader.unsigned()), reader.unsigned()];
    if (opcode === PREFIXED) {
      const operation = reader.unsigned();
      // memory.copy has two memory operands, memory.fill one.
      if (operation !== 10 && operation !== 11)
        throw new CoverageError(`instruction 0xfc ${operation} is not supported`);
      reader.skip(12 - operation);
      return [];
    }
    const count = immediatesOf(opcode);
    for (let i = 0; i < count; i++) reader.skipNumber();
    return [];
  }
}

/**
 * The number of immediate operands of an opcode. The firmware has no floating point, tables or references.
 */
function immediatesOf(opcode: number): number {
  if (opcode >= 0x28 && opcode <= 0x3e) return 2;
  if (opcode === BLOCK || opcode === LOOP || opcode === IF) return 1;
  if (opcode === 0x10 || (opcode >= 0x20 && opcode <= 0x24)) return 1;
  if (opcode === 0x41 || opcode === 0x42 || opcode === 0x3f) return 1;
  if ([UNREACHABLE, 0x01, ELSE, END, RETURN, 0x1a, SELECT].includes(opcode)) return 0;
  if (opcode >= 0x45 && opcode <= 0xc4) return 0;
  throw new CoverageError(`instruction 0x${opcode.toString(16)} is not supported`);
}

/** Converts an unsigned LEB128 number to a signed one, in which bit 6 of the last byte is the sign. */
function asSigned(encoded: number[]): number[] {
  const last = encoded.at(-1)!;
  return last & 0x40 ? [...encoded.slice(0, -1), last | 0x80, 0] : encoded;
}
