// Executes the keystore's instructions on arbitrary bytes: operations on the words of hashes, sums of 32
// bits, and comparisons that the bits of a word decide. The initial content of the work space is arbitrary
// too.
import { UnprovenClaim } from '../control.js';
import { bigEndian } from '../hashes/standards.js';
import { type Word, Words } from '../hashes/word.js';
import { WordDomain } from '../hashes/word-domain.js';
import { range } from '../symbolic/run.js';
import { Machine } from '../wasm/machine.js';
import type { WasmModule } from '../wasm/module.js';
import { type Field, fieldAt, type Layout, STATIC, widthOf } from './layout.js';

const WORD32 = 0xffffffffn;

/** Words whose 32-bit sums have a unique form, regardless of the order of terms. */
export class Words32 extends Words {
  readonly #whole = new Map<string, Word>();

  add32(a: Word, b: Word): Word {
    const sum = this.add(this.#whole.get(a.text) ?? a, this.#whole.get(b.text) ?? b);
    const cut = this.and(sum, this.constant(WORD32));
    if (cut.value === undefined) this.#whole.set(cut.text, sum);
    return cut;
  }

  rotateRight32(word: Word, by: bigint): Word {
    const high = this.and(this.shift(word, 32n - by), this.constant(WORD32));
    return this.xor(this.shift(word, -by), high);
  }
}

/** Returns the largest value that a word can have. */
function bound({ products }: Word): bigint {
  if (!products) return (1n << 64n) - 1n;
  return [...products.values()].reduce((a, b) => a | b, 0n);
}

export class AnyBytes extends WordDomain {
  /** Addresses written by the code. */
  readonly written = new Set<number>();
  /** Whether bytes that are not known to be equal count as different. */
  allDiffer = false;

  constructor(
    module: WasmModule,
    private readonly all: Words32,
  ) {
    super(module, all, [{ start: 0, length: STATIC, isWritable: true }]);
  }

  override apply(op: string, operands: Word[]): Word {
    const [a, b] = operands as [Word, Word];
    const isFixed = operands.every(({ value }) => value !== undefined);
    if (isFixed) return super.apply(op, operands);
    if (op === 'i32.add') return this.all.add32(a, b);
    if (/\.(eq|ne)$/.test(op)) {
      const isSame = a.text === b.text;
      if (!isSame && !this.allDiffer) throw new UnprovenClaim('words that are not fixed are compared');
      return this.all.constant(isSame === op.endsWith('eq') ? 1n : 0n);
    }
    const compared = /^i32\.(lt|gt|le|ge)_[su]$/.exec(op)?.[1];
    if (compared) return this.all.constant(this.#compare(compared, a, b) ? 1n : 0n);
    // For a word that is not negative, both right shifts are equal.
    return super.apply(op === 'i32.shr_s' && bound(a) < 1n << 31n ? 'i32.shr_u' : op, operands);
  }

  override store(op: string, address: Word, offset: number, value: Word): void {
    this.written.add(Number(address.value) + offset);
    super.store(op, address, offset, value);
  }

  /** Compares a word with a limit, which must be 0 or above all values that the word can have. */
  #compare(compared: string, a: Word, b: Word): boolean {
    if (b.value === undefined || bound(a) >= 1n << 31n)
      throw new UnprovenClaim('words that are not fixed are compared');
    if (compared === 'lt' && b.value === 0n) return false;
    if (compared === 'ge' && b.value === 0n) return true;
    if (bound(a) >= b.value) throw new UnprovenClaim('words that are not fixed are compared');
    return compared === 'lt' || compared === 'le';
  }
}

/** A run of the module's functions from a state with arbitrary parts. */
export class AnyRun {
  readonly words = new Words32();
  readonly domain: AnyBytes;
  readonly #machine: Machine<Word>;

  constructor(
    private readonly module: WasmModule,
    readonly layout: Layout,
  ) {
    this.domain = new AnyBytes(module, this.words);
    this.#machine = new Machine(module, this.domain);
    for (const [start, end] of layout.spare) this.putSymbols(start, end - start, 'rubbish');
  }

  number(value: number): Word {
    return this.words.constant(BigInt(value >>> 0));
  }

  set(field: Field, value: number): void {
    this.domain.put(fieldAt(this.layout, field), widthOf(field), this.number(value));
  }

  get(field: Field): number | undefined {
    const { value } = this.domain.peek(fieldAt(this.layout, field), widthOf(field));
    return value === undefined ? undefined : Number(value);
  }

  putSymbols(at: number, count: number, name: string): Word[] {
    return range(count).map(i => {
      const byte = this.words.symbol(`${name}${at}.${i}`, 0xffn);
      this.domain.put(at + i, 1, byte);
      return byte;
    });
  }

  bytes(at: number, count: number): Word[] {
    return range(count).map(i => this.domain.peek(at + i, 1));
  }

  indexOf(name: string): number {
    const found = this.module.functions.findIndex(each => each.name.endsWith(name));
    if (found < 0) throw new Error(`the module has no function ${name}`);
    return found;
  }

  /** Runs a function, given by the end of its name, and returns its result. */
  result(name: string, ...parameters: number[]): Word[] {
    return this.#machine.call(
      this.indexOf(name),
      parameters.map(each => this.number(each)),
    );
  }

  /** Runs a function, and returns whether it trapped. */
  call(name: string, ...parameters: number[]): 'done' | 'trap' {
    try {
      this.result(name, ...parameters);
      return 'done';
    } catch (error) {
      if (error instanceof Error && error.name === 'Trap') return 'trap';
      throw error;
    }
  }

  /** An arbitrary function of state and block, in place of SHA-256's compression. */
  compress = (state: readonly Word[], block: readonly Word[]): Word[] =>
    range(8).map(i => {
      const image = this.words.image(`c${i}`, [...state, ...block]);
      return this.words.and(image, this.words.constant(WORD32));
    });

  stubSha256(compress = this.compress): void {
    const { state, pending } = this.layout.sha256;
    this.domain.stubs.set(this.indexOf('sha256/hashBlock'), () => {
      const before = range(8).map(i => this.domain.read(state + 4 * i, 4));
      const block = range(16).map(i => bigEndian(this.words, this.bytes(pending + 4 * i, 4)));
      this.domain.putAll(state, 4, compress(before, block));
      return [];
    });
  }
}

export function requireSame(found: readonly Word[], wanted: readonly Word[], what: string): void {
  const at = wanted.findIndex((each, i) => each.text !== found[i]?.text);
  if (at >= 0 || found.length !== wanted.length)
    throw new UnprovenClaim(`${what}: byte or word ${at} is wrong`);
}
