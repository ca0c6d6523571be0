import type { WasmReader } from './wasm-reader.js';

/** What an instruction is, as far as the firmware's rules ask. */
export type Kind = 'plain' | 'floating-point' | 'call_indirect' | 'memory.grow' | 'memory.init' | 'unknown';

const END = 0x0b;
const PREFIX_FC = 0xfc;

// Opcodes by their immediates (WebAssembly 2.0 core, §5.4). A block type is a signed number.
const BLOCKS = [0x02, 0x03, 0x04];
const ONE_INDEX = [0x0c, 0x0d, 0x10, 0x20, 0x21, 0x22, 0x23, 0x24, 0x3f, 0x40];
const NO_IMMEDIATE = [0x00, 0x01, 0x05, END, 0x0f, 0x1a, 0x1b];
const BR_TABLE = 0x0e;
const CALL_INDIRECT = 0x11;
const MEMORY_GROW = 0x40;
const CONSTANTS = new Map<number, (reader: WasmReader) => unknown>([
  [0x41, reader => reader.signed()],
  [0x42, reader => reader.signed()],
  [0x43, reader => reader.take(4)],
  [0x44, reader => reader.take(8)],
]);

const between = (opcode: number, first: number, last: number) => opcode >= first && opcode <= last;

/**
 * Loads and stores of f32 and f64, their constants, and every numeric instruction that takes or gives one.
 */
function isFloatingPoint(opcode: number): boolean {
  return (
    [0x2a, 0x2b, 0x38, 0x39, 0x43, 0x44].includes(opcode) ||
    between(opcode, 0x5b, 0x66) ||
    between(opcode, 0x8b, 0xa6) ||
    between(opcode, 0xa8, 0xab) ||
    between(opcode, 0xae, 0xbf)
  );
}

/** Instructions of the prefix 0xFC that firmware may hold: memory.copy and memory.fill. */
function readPrefixed(reader: WasmReader): Kind {
  const opcode = reader.unsigned();
  if (opcode <= 7) return 'floating-point';
  if (opcode === 8 || opcode === 9) {
    if (opcode === 8) skipTwo(reader);
    else reader.unsigned();
    return 'memory.init';
  }
  if (opcode !== 10 && opcode !== 11) return 'unknown';
  for (let i = opcode; i <= 11; i++) reader.unsigned();
  return 'plain';
}

function skipTwo(reader: WasmReader): void {
  reader.unsigned();
  reader.unsigned();
}

function readImmediates(opcode: number, reader: WasmReader): Kind {
  if (opcode === PREFIX_FC) return readPrefixed(reader);
  if (BLOCKS.includes(opcode)) reader.signed();
  else if (ONE_INDEX.includes(opcode)) reader.unsigned();
  else if (opcode === BR_TABLE) reader.list(() => reader.unsigned()).push(reader.unsigned());
  else if (between(opcode, 0x28, 0x3e) || opcode === CALL_INDIRECT) skipTwo(reader);
  else if (CONSTANTS.has(opcode)) CONSTANTS.get(opcode)!(reader);
  else if (!NO_IMMEDIATE.includes(opcode) && !between(opcode, 0x45, 0xc4)) return 'unknown';
  if (isFloatingPoint(opcode)) return 'floating-point';
  if (opcode === CALL_INDIRECT) return 'call_indirect';
  return opcode === MEMORY_GROW ? 'memory.grow' : 'plain';
}

/**
 * The kinds of instructions in a function's code, up to and with the first that is unknown: what follows it
 * cannot be read.
 */
export function readInstructions(reader: WasmReader): Set<Kind> {
  const kinds = new Set<Kind>();
  while (!reader.atEnd && !kinds.has('unknown')) kinds.add(readImmediates(reader.byte(), reader));
  return kinds;
}

/** The value of a constant expression of one i32.const. */
export function readOffset(reader: WasmReader): number {
  if (reader.byte() !== 0x41) throw new TypeError('a data segment has no constant offset');
  const offset = Number(reader.signed());
  if (reader.byte() !== END) throw new TypeError('a data segment has no constant offset');
  return offset;
}
