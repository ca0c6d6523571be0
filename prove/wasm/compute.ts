// WebAssembly's integer instructions on integers (WebAssembly 2.0 core, §4.3.2); results are unsigned.

type Operation = (a: bigint, b: bigint, bits: number) => bigint | boolean;

const unsigned = (value: bigint, bits: number) => BigInt.asUintN(bits, value);
const signed = (value: bigint, bits: number) => BigInt.asIntN(bits, value);
const amount = (value: bigint, bits: number) => value & BigInt(bits - 1);
const rotate = (value: bigint, by: bigint, bits: number) => (value << by) | (value >> (BigInt(bits) - by));

const OPERATIONS: Record<string, Operation> = {
  eqz: a => a === 0n,
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt_u: (a, b) => a < b,
  gt_u: (a, b) => a > b,
  le_u: (a, b) => a <= b,
  ge_u: (a, b) => a >= b,
  lt_s: (a, b, bits) => signed(a, bits) < signed(b, bits),
  gt_s: (a, b, bits) => signed(a, bits) > signed(b, bits),
  le_s: (a, b, bits) => signed(a, bits) <= signed(b, bits),
  ge_s: (a, b, bits) => signed(a, bits) >= signed(b, bits),
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div_u: (a, b) => a / b,
  rem_u: (a, b) => a % b,
  div_s: (a, b, bits) => signed(a, bits) / signed(b, bits),
  rem_s: (a, b, bits) => signed(a, bits) % signed(b, bits),
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  shl: (a, b, bits) => a << amount(b, bits),
  shr_u: (a, b, bits) => a >> amount(b, bits),
  shr_s: (a, b, bits) => signed(a, bits) >> amount(b, bits),
  rotl: (a, b, bits) => rotate(a, amount(b, bits), bits),
  rotr: (a, b, bits) => rotate(a, (BigInt(bits) - amount(b, bits)) % BigInt(bits), bits),
};

const UNARY: Record<string, (a: bigint) => bigint> = {
  'i32.wrap_i64': a => unsigned(a, 32),
  'i64.extend_i32_u': a => unsigned(a, 32),
  'i64.extend_i32_s': a => unsigned(signed(a, 32), 64),
  'i32.extend8_s': a => unsigned(signed(a, 8), 32),
  'i32.extend16_s': a => unsigned(signed(a, 16), 32),
};

/** Throws a RangeError for a division by zero, a TypeError for an unknown instruction. */
export function compute(op: string, operands: bigint[]): bigint {
  const unary = UNARY[op];
  if (unary) return unary(operands[0]!);
  const bits = op.startsWith('i32') ? 32 : 64;
  const operation = OPERATIONS[op.slice(4)];
  if (!operation) throw new TypeError(`${op} is not supported`);
  const [a = 0n, b = 0n] = operands.map(value => unsigned(value, bits));
  const result = operation(a, b, bits);
  return typeof result === 'boolean' ? BigInt(result) : unsigned(result, bits);
}

/**
 * Like `compute`, for 32 bits, on numbers: it is faster, for code that is executed often. Results are signed.
 */
export function compute32(op: string, a: number, b: number): number {
  const operation = OPERATIONS32[op];
  if (!operation) throw new TypeError(`${op} is not supported`);
  return Number(operation(a, b)) | 0;
}

const OPERATIONS32: Readonly<Record<string, (a: number, b: number) => number | boolean>> = {
  'i32.add': (a, b) => a + b,
  'i32.sub': (a, b) => a - b,
  'i32.mul': Math.imul,
  'i32.and': (a, b) => a & b,
  'i32.or': (a, b) => a | b,
  'i32.xor': (a, b) => a ^ b,
  'i32.shl': (a, b) => a << b,
  'i32.shr_s': (a, b) => a >> b,
  'i32.shr_u': (a, b) => a >>> b,
  'i32.eqz': a => a === 0,
  'i32.eq': (a, b) => a === b,
  'i32.ne': (a, b) => a !== b,
  'i32.lt_s': (a, b) => a < b,
  'i32.gt_s': (a, b) => a > b,
  'i32.le_s': (a, b) => a <= b,
  'i32.ge_s': (a, b) => a >= b,
  'i32.lt_u': (a, b) => a >>> 0 < b >>> 0,
  'i32.gt_u': (a, b) => a >>> 0 > b >>> 0,
  'i32.le_u': (a, b) => a >>> 0 <= b >>> 0,
  'i32.ge_u': (a, b) => a >>> 0 >= b >>> 0,
  'i32.div_u': (a, b) => (a >>> 0) / (b >>> 0),
  'i32.div_s': (a, b) => a / b,
  'i32.rem_u': (a, b) => (a >>> 0) % (b >>> 0),
  'i32.rem_s': (a, b) => a % b,
};
