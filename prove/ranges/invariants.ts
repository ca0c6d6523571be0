// Invariants between calls of the module's exports: ranges of words at fixed addresses, and order relations
// between words. They are found by running all exports until nothing changes.
import type { WasmModule } from '../wasm/module.js';
import { Analysis } from './analysis.js';
import type { Places } from './buffers.js';
import { readContracts } from './contracts.js';
import { Findings } from './findings.js';
import { fixedWords, Memory } from './state/memory.js';
import { anyOf, interval, isWithin, type Range, union } from './state/range.js';
import { State } from './state/state.js';
import { symbol, type Term } from './state/term.js';

const PASSES = 40;
const EXACT_GROWTHS = 2;
const GROWTHS = 12;

interface Word {
  range: Range;
  growths: number;
}

export class Invariants {
  passes = 0;
  readonly memory: Memory;
  readonly #module: WasmModule;
  readonly #analysis: Analysis;
  readonly #orders: Places['orders'];
  #words: Word[] = [];
  #globals: Word[];
  #hasChanged = false;

  constructor(module: WasmModule, places: Places) {
    const { buffers, shapeless, platform, orders, hashed, words, assumed } = places;
    [this.#module, this.#orders] = [module, orders];
    this.memory = new Memory(module.memory, buffers, shapeless, new Findings());
    this.memory.assumed = assumed;
    this.#analysis = new Analysis(module, this.memory, readContracts(module));
    for (const { start, end } of platform) this.memory.isWritten.fill(1, start, end);
    this.#globals = module.globals.map(value => ({
      range: interval(Number(value), Number(value)),
      growths: 0,
    }));
    for (const { lesser, greater } of orders)
      for (const each of [lesser, greater]) this.memory.addCell(each, 4);
    this.memory.addCell(hashed, 8);
    for (const { address, bytes } of [...words, ...fixedWords(module)]) this.memory.addCell(address, bytes);
    this.#words = this.#initialWords();
  }

  #initialWords(): Word[] {
    return this.memory.cells.map(cell => ({ range: this.memory.initial(cell), growths: 0 }));
  }

  /** Runs all exports with arbitrary parameters until the invariants are stable; then once more. */
  run(): Findings {
    while (this.passes++ < PASSES) {
      const cells = this.memory.cells.length;
      const written = this.memory.isWritten.reduce((all, each) => all + each, 0);
      this.#hasChanged = false;
      const [words, globals] = [this.#words, this.#globals];
      const findings = this.#pass();
      const isWider = this.memory.isWritten.reduce((all, each) => all + each, 0) > written;
      if (isWider) this.#analysis.summaries.clear();
      if (this.memory.cells.length > cells) {
        // Newly found cells were unknown, so ranges found so far for the others are discarded.
        this.#words = [...words, ...this.#initialWords().slice(words.length)];
        this.#globals = globals;
      } else if (!this.#hasChanged && !isWider) return findings;
    }
    throw new Error('the ranges in memory between calls keep growing');
  }

  /**
   * Describes a violation of another module's invariants, or a finding that is not among its known ones;
   * undefined if there is none.
   */
  refute(base: Invariants, known: Findings): string | undefined {
    for (const { address, bytes } of base.memory.cells) this.memory.addCell(address, bytes);
    if (this.memory.cells.some(({ address }, i) => base.memory.cells[i]?.address !== address))
      return 'the module accesses other words at fixed addresses';
    this.memory.isWritten.set(base.memory.isWritten);
    [this.#words, this.#globals] = [base.#words, base.#globals];
    this.memory.findings = new Findings();
    this.#relateCells();
    for (const [name, index] of this.#module.exports) {
      this.#follow(name, index, this.memory.cells.length);
      const { open, loops } = this.memory.findings;
      for (const [place, what] of open) if (!known.open.has(place)) return `${place}: ${what}`;
      for (const [place, passes] of loops)
        if (!Number.isFinite(passes) && Number.isFinite(known.loops.get(place) ?? 0))
          return `${place}: a loop may not end`;
      if (this.#hasChanged) return `${name}: a word is outside its range`;
    }
    return undefined;
  }

  #relateCells(): void {
    this.#analysis.relations = this.#orders.map(({ lesser, greater, plus, isAssumed }) => ({
      lesser: this.memory.cellAt(lesser, 4, 'i32.store')!,
      greater: this.memory.cellAt(greater, 4, 'i32.store')!,
      plus,
      isAssumed,
    }));
  }

  #follow(name: string, index: number, count: number): void {
    const parameters: Term[] = Array.from({ length: this.#module.functions[index]!.parameters }, () =>
      symbol(32),
    );
    const after = this.#analysis.follow(index, parameters, this.#enter(count));
    if (after) this.#leave(name, after.state, count);
  }

  /** Each word at a fixed address, with its range between calls. */
  *ranges(): Generator<[address: number, bytes: number, range: Range]> {
    for (const [i, { address, bytes }] of this.memory.cells.entries())
      yield [address, bytes, this.#words[i]!.range];
  }

  #pass(): Findings {
    this.memory.findings = new Findings();
    this.#relateCells();
    const count = this.memory.cells.length;
    for (const [name, index] of this.#module.exports) this.#follow(name, index, count);
    return this.memory.findings;
  }

  #enter(count: number): State {
    const state = new State();
    state.cells = this.#words
      .slice(0, count)
      .map(({ range }, i) => symbol(this.memory.cells[i]!.bytes === 8 ? 64 : 32, range));
    state.globals = this.#globals.map(({ range }, i) => symbol(this.#module.globalBits[i]!, range));
    for (const relation of this.#analysis.relations)
      state.relate(relation, interval(anyOf(32).low, relation.plus));
    return state;
  }

  #leave(name: string, state: State, count: number): void {
    for (const relation of this.#analysis.relations) {
      const slack = state.slack(relation);
      if (relation.isAssumed || (slack && slack.high <= relation.plus)) continue;
      const { address } = this.memory.cells[relation.lesser]!;
      this.memory.findings.open.set(
        `${name}:${address}`,
        `the word at ${address} may be above the word that bounds it`,
      );
    }
    this.#words = this.#words.map((word, i) => {
      const term = i < count ? state.cells[i] : undefined;
      return term ? this.#grown(word, state.range(term), this.memory.cells[i]!.bytes) : word;
    });
    this.#globals = this.#globals.map((word, i) => this.#grown(word, state.range(state.globals[i]!), 8));
  }

  #grown(word: Word, seen: Range, bytes: number): Word {
    if (isWithin(seen, word.range)) return word;
    this.#hasChanged = true;
    const all = union(word.range, seen);
    const growths = word.growths + 1;
    if (growths <= EXACT_GROWTHS) return { range: all, growths };
    const any = bytes === 4 ? anyOf(32) : bytes === 8 ? anyOf(64) : interval(0, 2 ** (8 * bytes) - 1);
    const high =
      all.high > word.range.high && growths < GROWTHS
        ? (this.#analysis.thresholds.find(each => each >= all.high) ?? any.high)
        : all.high > word.range.high
          ? any.high
          : all.high;
    const low = all.low < word.range.low ? (all.low >= 0 ? 0 : any.low) : all.low;
    return { range: interval(low, Math.min(high, any.high)), growths };
  }
}
