// Compares the proofs' reading and execution of WebAssembly with V8 and wabt's wasm-interp, on generated
// modules with every instruction of the firmware.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compute } from '../../../prove/wasm/compute.js';
import { type Domain, Machine } from '../../../prove/wasm/machine.js';
import { decodeModule } from '../../../prove/wasm/module.js';
import { type Numbers, pick, randomBytes, seededNumbers } from '../../../testkit/chain/numbers.js';
import { openTestDirectory } from '../../../testkit/process/temporary-directory.js';
import { caseCount } from '../../../testkit/repository/case-count.js';

type Type = 'i32' | 'i64';

const MODULES = caseCount(150);
const FUNCTIONS = 20;
const DEPTH = 6;
const STATEMENTS = 8;
const LOCALS: Record<Type, readonly string[]> = { i32: ['$a', '$b', '$c'], i64: ['$x', '$y', '$z'] };
const EDGES = [0n, 1n, 2n, 31n, 63n, 127n, 128n, 255n, 65535n].concat(
  [31n, 32n, 63n, 64n].map(bits => 2n ** bits - 1n),
  [31n, 63n].map(bits => 2n ** bits),
);
/** Instructions whose result has another type than the operands. */
const COMPARISON = /\.(eqz|eq|ne|[lg][te]_[su])$/;

const used = new Set(
  ['zbc-signer', 'zbc-keystore'].flatMap(name =>
    decodeModule(readFileSync(new URL(`../../../firmware/${name}.wasm`, import.meta.url))).functions.flatMap(
      ({ code }) => code.map(({ op }) => op),
    ),
  ),
);
const isNumeric = (op: string) => /^i(32|64)\.(?!const|load|store)/.test(op);
const operandOf = (op: string): Type => {
  if (op === 'i32.wrap_i64') return 'i64';
  return op.startsWith('i64.extend_i32') ? 'i32' : (op.slice(0, 3) as Type);
};
const resultOf = (op: string): Type => (COMPARISON.test(op) ? 'i32' : (op.slice(0, 3) as Type));
const numeric = [...used].filter(isNumeric);
const loads = [...used].filter(op => /\.load/.test(op));
const stores = [...used].filter(op => /\.store/.test(op));

/** Writes functions without parameters, in which every path ends without a trap. */
class Generator {
  readonly written = new Set<string>();
  readonly #number: Numbers;
  #loops = 0;

  constructor(seed: number) {
    this.#number = seededNumbers(seed);
  }

  /** A module of functions f0, f1 …, where later ones call earlier ones. */
  module(): string {
    const functions = Array.from({ length: FUNCTIONS }, (_, i) => this.#function(i));
    const data = [...randomBytes(this.#number, 256)]
      .map(byte => `\\${byte.toString(16).padStart(2, '0')}`)
      .join('');
    return `(module (memory 1) (global $g (mut i32) (i32.const -7)) (data (i32.const 64) "${data}")\n${functions.join('\n')})`;
  }

  #function(index: number): string {
    this.#loops = 0;
    const body = `${this.#statements(STATEMENTS, index)} ${this.#value('i64', DEPTH, index)}`;
    // The result depends on every local.
    const mix = LOCALS.i64
      .map(name => `(local.get ${name})`)
      .concat(LOCALS.i32.map(name => `(i64.extend_i32_u (local.get ${name}))`))
      .map(local => `(i64.const 7) i64.rotl ${local} i64.add`);
    const counters = Array.from({ length: this.#loops }, (_, i) => `(local $n${i} i32)`).join(' ');
    const locals = (['i32', 'i64'] as const).map(type =>
      LOCALS[type].map(name => `(local ${name} ${type})`).join(' '),
    );
    return `(func $f${index} (export "f${index}") (result i64) ${locals.join(' ')} ${counters} ${body} ${mix.join(' ')})`;
  }

  #statements(count: number, below: number): string {
    return Array.from({ length: count }, () => this.#statement(below)).join(' ');
  }

  #statement(below: number): string {
    const type = this.#type();
    const small = () => this.#value('i32', 2, below);
    switch (this.#number(8)) {
      case 0:
        return `(if ${small()} (then ${this.#set(below)}) (else ${this.#set(below)}))`;
      case 1:
        return `(block ${this.#set(below)} (br_if 0 ${small()}) ${this.#set(below)})`;
      case 2:
        return this.#loop(below);
      case 3: {
        const op = this.#op(stores);
        return `(${op} offset=${this.#number(9)} ${this.#address(below)} ${this.#value(op.slice(0, 3) as Type, 3, below)})`;
      }
      case 4:
        return `(memory.fill ${this.#address(below)} ${small()} (i32.const ${this.#number(20)}))`;
      case 5:
        return `(memory.copy ${this.#address(below)} ${this.#address(below)} (i32.const ${this.#number(20)}))`;
      case 6:
        return `(global.set $g ${small()}) (drop ${this.#value(type, 2, below)}) (nop)`;
      default:
        return this.#set(below);
    }
  }

  #set(below: number): string {
    const type = this.#type();
    return `(local.set ${this.#op(LOCALS[type])} ${this.#value(type, 4, below)})`;
  }

  /** A loop that ends after a number of passes, or earlier by a branch. */
  #loop(below: number): string {
    const counter = `$n${this.#loops++}`;
    const start = `(local.set ${counter} (i32.const ${1 + this.#number(4)}))`;
    const less = `(local.tee ${counter} (i32.sub (local.get ${counter}) (i32.const 1)))`;
    const leave = `(br_if 1 ${this.#value('i32', 2, below)})`;
    return `${start} (block (loop ${this.#set(below)} ${leave} ${this.#set(below)} (br_if 0 ${less})))`;
  }

  #value(type: Type, depth: number, below: number): string {
    if (depth === 0) return this.#leaf(type);
    const value = (of: Type) => this.#value(of, depth - 1, below);
    switch (this.#number(20)) {
      case 0:
        return this.#leaf(type);
      case 1:
        return `(select ${value(type)} ${value(type)} ${value('i32')})`;
      case 2:
        return `(if (result ${type}) ${value('i32')} (then ${value(type)}) (else ${value(type)}))`;
      case 3:
        return `(block (result ${type}) ${value(type)} (br_if 0 ${value('i32')}) (drop) ${value(type)})`;
      case 4:
        return `(local.tee ${this.#op(LOCALS[type])} ${value(type)})`;
      case 5: {
        const op = this.#op(loads.filter(each => each.startsWith(type)));
        return `(${op} offset=${this.#number(9)} ${this.#address(below)})`;
      }
      case 6:
        if (type === 'i64' && below > 0) return `(call $f${this.#number(below)})`;
        return type === 'i32' ? '(global.get $g)' : this.#leaf(type);
      default:
        return this.#operation(type, value);
    }
  }

  #operation(type: Type, value: (of: Type) => string): string {
    const op = this.#op(numeric.filter(each => resultOf(each) === type));
    const of = operandOf(op);
    if (/eqz$|wrap|extend/.test(op)) return `(${op} ${value(of)})`;
    if (COMPARISON.test(op) && this.#number(4) === 0) {
      const local = this.#op(LOCALS[of]);
      return `(${op} (local.tee ${local} ${value(of)}) (local.get ${local}))`;
    }
    if (!/div|rem/.test(op)) return `(${op} ${value(of)} ${value(of)})`;
    // The divisor is odd and positive: neither zero nor −1, whose quotient may overflow.
    const most = of === 'i32' ? 0x7fffffffn : 2n ** 63n - 1n;
    const divisor = `(${of}.and (${of}.or ${value(of)} (${of}.const 1)) (${of}.const ${most}))`;
    this.written.add(`${of}.and`).add(`${of}.or`);
    return `(${op} ${value(of)} ${divisor})`;
  }

  #address(below: number): string {
    return `(i32.and ${this.#value('i32', 1, below)} (i32.const ${this.#number(2) ? 255 : 32767}))`;
  }

  #leaf(type: Type): string {
    if (this.#number(3) === 0) return `(local.get ${this.#op(LOCALS[type])})`;
    const bits = type === 'i32' ? 32 : 64;
    const edge = this.#number(2) ? pick(this.#number, EDGES) : randomBytes(this.#number, 8).readBigUInt64LE();
    return `(${type}.const ${BigInt.asIntN(bits, edge)})`;
  }

  #type(): Type {
    return this.#number(2) ? 'i32' : 'i64';
  }

  #op<Choice extends string>(choices: readonly Choice[]): Choice {
    const chosen = pick(this.#number, choices);
    this.written.add(chosen);
    return chosen;
  }
}

/** A domain with the module's own memory and plain integers. */
function concreteDomain(initial: Uint8Array): Domain<bigint> {
  const memory = Buffer.from(initial);
  const widthOf = (op: string) =>
    (Number(/\d+(?=_[su]$|$)/.exec(op.slice(4))?.[0] ?? op.slice(1, 3)) || 0) / 8;
  const at = (address: bigint, offset: number) => Number(BigInt.asUintN(32, address)) + offset;
  const range = (to: bigint, length: bigint) => [at(to, 0), at(to, 0) + Number(length)] as const;
  return {
    constant: (value, bits) => BigInt.asUintN(bits, value),
    apply: compute,
    decide: condition => condition !== 0n,
    select: (condition, whole, other) => (condition !== 0n ? whole : other),
    call: () => undefined,
    load(op, address, offset) {
      const bytes = memory.subarray(at(address, offset), at(address, offset) + widthOf(op));
      const value = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
      const bits = op.startsWith('i32') ? 32 : 64;
      return op.endsWith('_s') ? BigInt.asUintN(bits, BigInt.asIntN(8 * bytes.length, value)) : value;
    },
    store(op, address, offset, value) {
      for (let i = 0; i < widthOf(op); i++)
        memory[at(address, offset) + i] = Number((value >> BigInt(8 * i)) & 255n);
    },
    fill: (to, value, length) => void memory.fill(Number(value & 255n), ...range(to, length)),
    copy: (to, from, length) => void memory.copyWithin(at(to, 0), ...range(from, length)),
  };
}

/** The results of the exports in order, each run in the memory left by the previous ones. */
function ours(wasm: Uint8Array): bigint[] {
  const module = decodeModule(wasm);
  const machine = new Machine(module, concreteDomain(module.memory));
  return Array.from({ length: FUNCTIONS }, (_, i) => machine.call(module.exports.get(`f${i}`)!, [])[0]!);
}

async function v8(wasm: Uint8Array): Promise<bigint[]> {
  const { exports } = new WebAssembly.Instance(await WebAssembly.compile(wasm), {});
  return Array.from({ length: FUNCTIONS }, (_, i) =>
    BigInt.asUintN(64, (exports[`f${i}`] as () => bigint)()),
  );
}

function wabt(file: string): bigint[] {
  const printed = execFileSync('wasm-interp', [file, '--run-all-exports'], { encoding: 'utf8' });
  return [...printed.matchAll(/=> i64:(\d+)/g)].map(([, value]) => BigInt(value!));
}

const directory = openTestDirectory();

test(`the WASM machine of the proofs agrees with V8 and wasm-interp on ${MODULES} generated modules`, async () => {
  const written = new Set<string>();
  for (let seed = 1; seed <= MODULES; seed++) {
    const generator = new Generator(seed);
    const [text, file] = [join(directory, 'module.wat'), join(directory, 'module.wasm')];
    writeFileSync(text, generator.module());
    execFileSync('wat2wasm', [text, '-o', file]);
    const wasm = readFileSync(file);
    const expected = await v8(wasm);
    expect(wabt(file)).toEqual(expected);
    expect(ours(wasm)).toEqual(expected);
    for (const op of generator.written) written.add(op);
  }
  expect([...used].filter(op => /^i(32|64)\.(?!const)/.test(op) && !written.has(op))).toEqual([]);
});
