// Proves SHA-512 and SHA3-256 for messages of any length, in any pieces. Between two calls, and between two
// passes of an update's loop, the state is the hash state after all complete blocks so far, and the rest of
// the message is in the state's buffer. This is shown for one pass from any such state, and therefore for all
// passes.
import { UnprovenClaim } from '../control.js';
import { PathEnd, Paths } from '../symbolic/paths.js';
import { Run, range } from '../symbolic/run.js';
import type { Solver } from '../symbolic/solver.js';
import { anything, type Input, SymbolicDomain } from '../symbolic/symbolic-domain.js';
import { known, type Term } from '../symbolic/terms.js';
import { functionIndex, type Instruction, type WasmModule } from '../wasm/module.js';

/** Layout of SHA-512's state: the hash state, a block, and the count of hashed bytes. */
const [BLOCK_AT, BLOCK, LENGTH_AT, SHA512_SIZE] = [64, 128, 192, 200] as const;
const [RATE, SPONGE_SIZE] = [136, 200] as const;
/** Address of the proof's hash, after all memory that the module uses. */
const OUT = 65_000;
/**
 * Bounds of a message's address and length, and of the blocks before it. It may be longer than the memory.
 */
const [FIRST_START, LAST_START, LONGEST, MOST_BLOCKS] = [64n, 32_768n, 32_767n, 1n << 20n] as const;
/**
 * Indices of two locals, both in sha512Update and in sha3Update. The local NEXT is the address of the next
 * byte. The local KEPT is the filled length of the block (SHA-512) or the end of the message (SHA-3).
 */
const [NEXT, KEPT] = [0, 2] as const;

class MessageDomain extends SymbolicDomain {
  /** Called when a loop begins another pass. */
  onPass: (locals: Term[]) => void = () => undefined;
  readonly #all: Paths;
  readonly #end: number;

  constructor(module: WasmModule, paths: Paths, at: number, size: number, input: Input) {
    super(module, paths, [anything(at, size), anything(OUT, 64)], [input]);
    [this.#all, this.#end] = [paths, at + BLOCK_AT + BLOCK];
  }

  again(code: readonly Instruction[], start: number, locals: Term[]): void {
    // Only passes of the outer loop count. The inner loop, over a block's words, has a fixed number of
    // passes.
    if (start === code.findIndex(({ op }) => op === 'loop')) this.onPass(locals);
  }

  /** Copies a message into a block; the number of bytes may be a symbol. */
  override copy(to: Term, from: Term, length: Term): void {
    if (known(from) !== undefined) {
      super.copy(to, from, length);
      return;
    }
    const at = Number(known(to));
    const { terms } = this.#all;
    const room = terms.constant(BigInt(this.#end - at), 32);
    this.#all.require(terms.not(terms.less(room, length)), 'a copy goes beyond the block');
    this.message(from, length, Number(known(length) ?? room.constant)).forEach((byte, i) => {
      const isCopied = terms.less(terms.constant(BigInt(i), 32), length);
      this.write(at + i, terms.select(isCopied, byte, this.peek(at + i, 1)));
    });
  }

  /** Returns `count` bytes from an address, of which the module reads `length`. */
  message(from: Term, length: Term, count: number): Term[] {
    const { terms } = this.#all;
    this.accesses++;
    this.requireInput(from, length, 'bytes beyond the message are hashed');
    return terms.inputs(from, count);
  }
}

const anyMessage = (paths: Paths): Input => ({
  start: paths.fresh(32, FIRST_START, LAST_START),
  length: paths.fresh(32, 0n, LONGEST),
});

/**
 * One path through an update or a final function. Of the initial state, only the number of waiting bytes is
 * known.
 */
class HashRun extends Run<MessageDomain> {
  /** Inputs of the compression function or permutation. */
  given: Term[][] = [];
  #isSecond = false;
  /** The message, or the part of it that is left at the beginning of a pass. */
  readonly input: Input;
  readonly #at: number;

  constructor(module: WasmModule, paths: Paths, at: number, size: number) {
    const input = anyMessage(paths);
    super(module, paths, new MessageDomain(module, paths, at, size, input));
    [this.#at, this.input] = [at, input];
  }

  get end(): Term {
    return this.paths.terms.plus(this.input.start, this.input.length);
  }

  /** Puts arbitrary words into the state at an offset; returns their bytes. */
  fill(name: string, count: number, from = 0): Term[] {
    range(count).forEach(i => {
      this.domain.write(this.#at + from + 8 * i, this.paths.terms.symbol(`${name}${i}`, 64));
    });
    return this.held(from, 8 * count);
  }

  /** Returns the bytes that the compression or permutation with this number left in the state. */
  left(time: number, words: number): Term[] {
    return range(8 * words).map(i =>
      this.paths.terms.slice(this.paths.terms.symbol(`c${time}.${i >> 3}`, 64), 8 * (i & 7), 8),
    );
  }

  /** Returns the bytes of the state. */
  held(from: number, count: number): Term[] {
    return this.bytes(this.#at + from, count);
  }

  /** Returns the first bytes of the message. */
  message(count: number): Term[] {
    return this.paths.terms.inputs(this.input.start, count);
  }

  /**
   * Replaces a compression function or permutation by an arbitrary one, whose results have a new name each
   * time.
   */
  replace(name: string, words: number, given: (from: Term) => Term[]): void {
    this.stub(name, from => {
      this.given.push(given(from!));
      this.fill(`c${this.given.length}.`, words);
    });
  }

  require(condition: Term, what: string): void {
    this.paths.require(condition, what);
  }

  requireEqual(found: readonly Term[], wanted: readonly Term[], what: string): void {
    wanted.forEach((each, i) => {
      this.require(this.paths.terms.eq(found[i]!, each), `${what}: byte ${i} is wrong`);
    });
  }

  requireGiven(wanted: readonly Term[][]): void {
    if (this.given.length !== wanted.length) throw new UnprovenClaim('a wrong number of blocks is hashed');
    wanted.forEach((each, i) => {
      this.requireEqual(this.given[i]!, each, 'a hashed block');
    });
  }

  /** Sets the count of hashed bytes to any number of complete blocks, plus the waiting bytes. */
  putTotal(waiting: number): Term {
    const blocks = this.paths.fresh(64, 0n, MOST_BLOCKS);
    const total = this.paths.terms.sum(64, [[blocks, BigInt(BLOCK)]], BigInt(waiting));
    this.domain.write(this.#at + LENGTH_AT, total);
    return total;
  }

  total(): Term {
    return this.domain.peek(this.#at + LENGTH_AT, 8);
  }

  xor(a: Term, b: Term | undefined): Term {
    const { terms } = this.paths;
    if (!b) return a;
    const [x, y] = [terms.extend(a, 32), terms.extend(b, 32)];
    return terms.slice(terms.apply('i32.xor', [x, y]), 0, 8);
  }

  /**
   * Begins the next pass, on an arbitrary message, after a pass that used `taken` bytes. It is the last pass
   * that is followed.
   */
  beginPass(locals: Term[], taken: number): void {
    const { paths } = this;
    const isNext = paths.terms.eq(locals[NEXT]!, paths.terms.plus(this.input.start, taken));
    this.require(isNext, 'a pass uses a wrong number of bytes');
    if (this.#isSecond) throw new PathEnd();
    this.#isSecond = true;
    locals.forEach((each, i) => {
      locals[i] = paths.fresh(each.bits);
    });
    Object.assign(this.input, anyMessage(paths));
    locals[NEXT] = this.input.start;
    this.given = [];
  }
}

export class AbsorbingProof {
  passes = 0;
  accesses = 0;
  readonly #module: WasmModule;
  readonly #solver: Solver;

  constructor(module: WasmModule, solver: Solver) {
    [this.#module, this.#solver] = [module, solver];
  }

  /** Proves SHA-512 with any compression function; its state is at `at`. */
  proveSha512(at: number): void {
    for (const waiting of range(BLOCK).reverse())
      this.#explore(at, SHA512_SIZE, run => {
        run.replace('hashBlock', 8, from => {
          const block = known(from);
          const state = run.held(0, 64);
          return [
            ...state,
            ...(block
              ? run.held(Number(block) - at, BLOCK)
              : run.domain.message(from, run.number(BLOCK), BLOCK)),
          ];
        });
        if (run.paths.decide(run.any())) this.#endSha512(run, waiting);
        else this.#updateSha512(run, waiting);
      });
  }

  /** Proves SHA3-256 with any permutation; its state is at `at`. */
  proveSha3(at: number): void {
    const { code } = this.#module.functions[functionIndex(this.#module, 'sha3Update')]!;
    const absorbed = code.find(({ op }) => op === 'global.get')!.index;
    for (const waiting of range(RATE).reverse())
      this.#explore(at, SPONGE_SIZE, run => {
        run.replace('permuteKeccak', 25, () => run.held(0, SPONGE_SIZE));
        run.machine.globals[absorbed] = run.number(waiting);
        const isEnd = run.paths.decide(run.any());
        const left = isEnd ? this.#endSha3(run, waiting) : this.#updateSha3(run, waiting, absorbed);
        const isLeft = run.paths.terms.eq(run.machine.globals[absorbed], run.number(left));
        run.require(isLeft, 'a wrong number of bytes waits');
      });
  }

  #explore(at: number, size: number, prove: (run: HashRun) => void): void {
    const paths = new Paths(this.#solver);
    paths.explore(() => {
      const run = new HashRun(this.#module, paths, at, size);
      prove(run);
      this.accesses += run.domain.accesses;
    });
  }

  #updateSha512(run: HashRun, filled: number): void {
    const { paths } = run;
    const { terms } = paths;
    const total = terms.plus(run.putTotal(filled), terms.extend(run.input.length, 64));
    const begin = () => ({ state: run.fill('s', 8), tail: run.fill('w', BLOCK / 8, BLOCK_AT) });
    let [waiting, before] = [filled, begin()];
    run.domain.onPass = locals => {
      this.passes++;
      const taken = BLOCK - waiting;
      const tail = before.tail.slice(0, waiting);
      run.requireGiven([[...before.state, ...tail, ...run.message(taken)]]);
      run.require(terms.eq(locals[KEPT]!, run.number(0)), 'a block does not begin empty');
      run.require(
        terms.eq(terms.plus(locals[NEXT]!, locals[1]!), run.end),
        'a wrong number of bytes is left',
      );
      run.beginPass(locals, taken);
      // A pass from a state without waiting bytes represents all later passes.
      if (filled > 0) throw new PathEnd();
      [locals[1], locals[KEPT]] = [run.input.length, run.number(0)];
      [waiting, before] = [0, begin()];
    };
    run.call('sha512Update', run.input.start, run.input.length);
    run.require(
      terms.less(terms.plus(run.input.length, waiting), run.number(BLOCK)),
      'a complete block is left',
    );
    run.requireGiven([]);
    run.requireEqual(run.held(0, 64), before.state, 'the state');
    const tail = run.held(BLOCK_AT, BLOCK);
    run.requireEqual(tail.slice(0, waiting), before.tail.slice(0, waiting), 'the bytes that waited');
    tail.slice(waiting).forEach((found, i) => {
      const isLeft = terms.less(run.number(i), run.input.length);
      const byte = terms.input(terms.plus(run.input.start, i));
      if (found !== terms.select(isLeft, byte, before.tail[waiting + i]!))
        run.require(
          terms.select(isLeft, terms.eq(found, byte), terms.truth(true)),
          'a waiting byte is wrong',
        );
    });
    run.require(terms.eq(run.total(), total), 'a wrong number of bytes is counted');
  }

  /**
   * Proves the padding of FIPS 180-4 §5.1.2: the bit 1, zeros, and the number of bits as a 128-bit number.
   */
  #endSha512(run: HashRun, waiting: number): void {
    const { terms } = run.paths;
    const total = run.putTotal(waiting);
    const state = run.fill('s', 8);
    const tail = run.fill('w', BLOCK / 8, BLOCK_AT).slice(0, waiting);
    const bits = terms.sum(64, [[total, 8n]]);
    const byte = (value: bigint) => terms.constant(value, 8);
    const padded = [...tail, byte(0x80n)];
    while (padded.length % BLOCK !== BLOCK - 16) padded.push(byte(0n));
    padded.push(...range(8).map(() => byte(0n)), ...range(8).map(i => terms.slice(bits, 56 - 8 * i, 8)));
    run.call('sha512Final', run.number(OUT));
    const first = [...state, ...padded.slice(0, BLOCK)];
    const isTwo = padded.length > BLOCK;
    run.requireGiven(isTwo ? [first, [...run.left(1, 8), ...padded.slice(BLOCK)]] : [first]);
    const hash = run.left(isTwo ? 2 : 1, 8);
    for (const i of range(8)) {
      const word = terms.join(hash.slice(8 * i, 8 * i + 8).reverse());
      run.require(terms.eq(run.domain.peek(OUT + 8 * i, 8), word), 'the hash is wrong');
    }
  }

  /** Proves an update of SHA-3, and returns the number of bytes that wait afterwards. */
  #updateSha3(run: HashRun, filled: number, absorbed: number): number {
    const { terms } = run.paths;
    let before = run.fill('s', 25);
    run.domain.onPass = locals => {
      this.passes++;
      const taken = filled === 0 && run.given.length > 0 ? RATE : 1;
      const bytes = run.message(taken);
      const xored = before.map((each, i) => run.xor(each, bytes[i - filled]));
      const isFull = filled + taken === RATE;
      run.requireGiven(isFull ? [xored] : []);
      run.requireEqual(run.held(0, SPONGE_SIZE), isFull ? run.left(1, 25) : xored, 'the sponge');
      const waits = run.number(isFull ? 0 : filled + 1);
      run.require(terms.eq(run.machine.globals[absorbed]!, waits), 'a wrong number of bytes waits');
      run.require(terms.eq(locals[KEPT]!, run.end), 'the end of the message changes');
      run.beginPass(locals, taken);
      locals[KEPT] = run.end;
      run.machine.globals[absorbed] = run.number(filled);
      before = run.fill('s', 25);
    };
    run.call('sha3Update', run.input.start, run.input.length);
    run.require(terms.eq(run.input.length, run.number(0)), 'bytes of the message are omitted');
    run.requireGiven([]);
    run.requireEqual(run.held(0, SPONGE_SIZE), before, 'the sponge');
    return filled;
  }

  /**
   * Proves the padding of FIPS 202 §6.1 and §5.1: the bits 01, and 10*1. The next hash must begin with zeros.
   */
  #endSha3(run: HashRun, waiting: number): number {
    const { terms } = run.paths;
    const padding = range(RATE).map(i => (i === waiting ? 0x06n : 0n) ^ (i === RATE - 1 ? 0x80n : 0n));
    const padded = run
      .fill('s', 25)
      .map((each, i) => run.xor(each, padding[i] ? terms.constant(padding[i], 8) : undefined));
    run.call('sha3Final', run.number(OUT));
    run.requireGiven([padded]);
    run.requireEqual(run.bytes(OUT, 32), run.left(1, 4), 'the hash');
    run.requireEqual(run.held(0, SPONGE_SIZE), run.zeros(SPONGE_SIZE), 'the sponge after the hash');
    return 0;
  }
}
