// The instructions of WebAssembly (2.0 core, §5.4), including those that firmware must not contain.
import type { WasmReader } from './wasm-reader.js';

/** Whether the firmware may contain an instruction: `plain` if it may, otherwise the rule that forbids it. */
export type Kind = 'plain' | (typeof FORBIDDEN)[number];

export interface Instruction {
  op: string;
  /** Index of a local, global, function or label. */
  index: number;
  /** Value of a constant. */
  value: bigint;
  /** Offset of a load or store. */
  offset: number;
  /** Offsets of a block's `end` and `else` (−1 if there is none). */
  end: number;
  otherwise: number;
  /** Number of values that a block leaves on the stack. */
  arity: number;
  /** Labels of br_table; the last one is the default. */
  labels: number[];
}

const FORBIDDEN = ['floating-point', 'call_indirect', 'memory.grow', 'memory.init', 'unknown'] as const;
const PREFIX_FC = 0xfc;
const EMPTY_BLOCK = -64n;

const MEMORY = [
  'i32.load i64.load f32.load f64.load i32.load8_s i32.load8_u i32.load16_s i32.load16_u i64.load8_s',
  'i64.load8_u i64.load16_s i64.load16_u i64.load32_s i64.load32_u i32.store i64.store f32.store f64.store',
  'i32.store8 i32.store16 i64.store8 i64.store16 i64.store32 memory.size memory.grow',
  'i32.const i64.const f32.const f64.const',
];
const COMPARISONS = 'eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u';
const ARITHMETIC = 'clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr';
const of = (type: string, list: string) => list.split(' ').map(name => `${type}.${name}`);
const floating = (count: number) => Array.from({ length: count }, () => 'floating-point');

const names = new Map<number, string>();
function nameFrom(opcode: number, ...list: string[]): void {
  for (const name of list) names.set(opcode++, name);
}
nameFrom(0x00, 'unreachable', 'nop', 'block', 'loop', 'if', 'else');
nameFrom(0x0b, 'end', 'br', 'br_if', 'br_table', 'return', 'call', 'call_indirect');
nameFrom(0x1a, 'drop', 'select');
nameFrom(0x20, 'local.get', 'local.set', 'local.tee', 'global.get', 'global.set');
nameFrom(0x28, ...MEMORY.join(' ').split(' '));
nameFrom(0x45, ...of('i32', COMPARISONS), ...of('i64', COMPARISONS), ...floating(12));
nameFrom(0x67, ...of('i32', ARITHMETIC), ...of('i64', ARITHMETIC), ...floating(28));
nameFrom(0xa7, 'i32.wrap_i64', ...floating(4), 'i64.extend_i32_s', 'i64.extend_i32_u', ...floating(18));
nameFrom(0xc0, ...of('i32', 'extend8_s extend16_s'), ...of('i64', 'extend8_s extend16_s extend32_s'));
const PREFIXED = [...floating(8), 'memory.init', 'data.drop', 'memory.copy', 'memory.fill'];

export function kindOf({ op }: Instruction): Kind {
  if (op.startsWith('f')) return 'floating-point';
  return op === 'data.drop' ? 'memory.init' : (FORBIDDEN.find(each => each === op) ?? 'plain');
}

/**
 * Reads one instruction. After an unknown instruction, reading cannot continue, because its length is
 * unknown.
 */
export function readInstruction(reader: WasmReader): Instruction {
  const opcode = reader.byte();
  const op = (opcode === PREFIX_FC ? PREFIXED[reader.unsigned()] : names.get(opcode)) ?? 'unknown';
  const read: Instruction = {
    ...{ op, index: 0, value: 0n, offset: 0, end: -1, otherwise: -1, arity: 0, labels: [] },
  };
  if (/^(block|loop|if)$/.test(op)) read.arity = reader.signed() === EMPTY_BLOCK ? 0 : 1;
  else if (/^(br|br_if|call|local\..*|global\..*|memory\.(size|grow|fill)|data\.drop)$/.test(op))
    read.index = reader.unsigned();
  else if (op === 'br_table') read.labels = [...reader.list(() => reader.unsigned()), reader.unsigned()];
  else if (/\.(load|store|copy|init)|call_indirect/.test(op))
    [, read.offset] = [reader.unsigned(), reader.unsigned()];
  else if (op.startsWith('f') && op.endsWith('.const')) reader.take(op === 'f32.const' ? 4 : 8);
  else if (op.endsWith('.const')) read.value = reader.signed();
  return read;
}

/** Reads a constant expression that has only one constant, and returns its value. */
export function readConstant(reader: WasmReader): bigint {
  const [{ op, value }, end] = [readInstruction(reader), readInstruction(reader)];
  if (!op.endsWith('.const') || end.op !== 'end')
    throw new TypeError('the module has an expression that is not a constant');
  return value;
}
