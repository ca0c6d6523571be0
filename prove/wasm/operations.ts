// Names of the instructions that the firmware may hold (WebAssembly 2.0 core, §5.4), by opcode.

const MEMORY = [
  'i32.load i64.load f32.load f64.load i32.load8_s i32.load8_u i32.load16_s i32.load16_u i64.load8_s',
  'i64.load8_u i64.load16_s i64.load16_u i64.load32_s i64.load32_u i32.store i64.store f32.store f64.store',
  'i32.store8 i32.store16 i64.store8 i64.store16 i64.store32',
];
const COMPARISONS = (type: string) =>
  ['eqz', 'eq', 'ne', 'lt_s', 'lt_u', 'gt_s', 'gt_u', 'le_s', 'le_u', 'ge_s', 'ge_u'].map(
    name => `${type}.${name}`,
  );
const ARITHMETIC = (type: string) =>
  [
    ...['clz', 'ctz', 'popcnt', 'add', 'sub', 'mul', 'div_s', 'div_u', 'rem_s', 'rem_u', 'and', 'or', 'xor'],
    ...['shl', 'shr_s', 'shr_u', 'rotl', 'rotr'],
  ].map(name => `${type}.${name}`);

const names = new Map<number, string>();

function nameFrom(opcode: number, list: string[]): void {
  for (const name of list) names.set(opcode++, name);
}

nameFrom(0x00, ['unreachable', 'nop', 'block', 'loop', 'if', 'else']);
nameFrom(0x0b, ['end', 'br', 'br_if', 'br_table', 'return', 'call']);
nameFrom(0x1a, ['drop', 'select']);
nameFrom(0x20, ['local.get', 'local.set', 'local.tee', 'global.get', 'global.set']);
nameFrom(0x28, MEMORY.join(' ').split(' '));
nameFrom(0x41, ['i32.const', 'i64.const']);
nameFrom(0x45, [...COMPARISONS('i32'), ...COMPARISONS('i64')]);
nameFrom(0x67, [...ARITHMETIC('i32'), ...ARITHMETIC('i64')]);
nameFrom(0xa7, ['i32.wrap_i64']);
nameFrom(0xac, ['i64.extend_i32_s', 'i64.extend_i32_u']);
nameFrom(0xc0, ['i32.extend8_s', 'i32.extend16_s', 'i64.extend8_s', 'i64.extend16_s', 'i64.extend32_s']);

/** The name of an instruction; throws a TypeError for one that firmware must not hold. */
export function nameOf(opcode: number): string {
  const name = names.get(opcode);
  if (name === undefined || name.startsWith('f')) {
    throw new TypeError(`instruction 0x${opcode.toString(16)} is not understood`);
  }
  return name;
}
