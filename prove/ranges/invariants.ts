// What holds between calls of the module's exports: ranges of words at fixed addresses, and words of which one
// is at most another. Found by running all exports until nothing changes.
import type { WasmModule } from '../wasm/module.js';
import { Analysis } from './analysis.js';
import { readContracts } from './contracts.js';
import { Findings } from './findings.js';
import { type Buffer, fixedWords, Memory } from './memory.js';
import { anyOf, hull, interval, isWithin, type Range } from './range.js';
import { type Relation, State } from './state.js';
import { symbol, type Term } from './term.js';

const PASSES = 40;
const EXACT_GROWTHS = 3;
const THRESHOLDS = [1, 3, 31, 255, 1024, 4160, 8192, 65535];

interface Word {
  range: Range;
  growths: number;
}

/** One word is at most another, by address, and so much more. */
export interface Order {
  lesser: number;
  greater: number;
  plus: number;
}

export class Invariants {
  passes = 0;
  readonly memory: Memory;
  private readonly module: WasmModule;
  private readonly analysis: Analysis;
  private readonly orders: readonly Order[];
  private words: Word[] = [];
  private globals: Word[];
  private hasChanged = false;

  constructor(
    module: WasmModule,
    buffers: readonly Buffer[],
    shapeless: readonly Buffer[],
    platform: readonly Buffer[],
    orders: readonly Order[],
    hashed: number,
  ) {
    [this.module, this.orders] = [module, orders];
    this.memory = new Memory(module.memory, buffers, shapeless, new Findings());
    this.analysis = new Analysis(module, this.memory, readContracts(module));
    for (const { start, end } of platform) this.memory.isWritten.fill(1, start, end);
    this.globals = this.initialGlobals();
    for (const { lesser, greater } of orders) for (const each of [lesser, greater]) this.memory.addCell(each, 4);
    this.memory.addCell(hashed, 8);
    for (const { address, bytes } of fixedWords(module)) this.memory.addCell(address, bytes);
    this.words = this.initialWords();
  }

  private initialGlobals(): Word[] {
    return this.module.globals.map(value => ({ range: interval(Number(value), Number(value)), growths: 0 }));
  }

  private initialWords(): Word[] {
    return this.memory.cells.map(cell => ({ range: this.memory.initial(cell), growths: 0 }));
  }

  /** Runs all exports, on any parameters, until what holds between them is known; then once more. */
  run(report: (line: string) => void = () => undefined): Findings {
    while (this.passes++ < Number(process.env['MOST'] ?? PASSES)) {
      const cells = this.memory.cells.length;
      const written = this.memory.isWritten.reduce((all, each) => all + each, 0);
      this.hasChanged = false;
      const findings = this.pass();
      const isWider = this.memory.isWritten.reduce((all, each) => all + each, 0) > written;
      if (isWider) this.analysis.summaries.clear();
      const { length } = this.memory.cells;
      report(`pass ${this.passes}: ${findings.met.size} met, ${findings.open.size} open, ${length} cells`);
      if (length > cells || isWider) {
        this.words = this.initialWords();
        this.globals = this.initialGlobals();
      } else if (!this.hasChanged) return findings;
    }
    throw new Error('what lies in memory between calls does not come to rest');
  }

  /** Each word at a fixed address, and what is in it between calls. */
  *ranges(): Generator<[address: number, bytes: number, range: Range]> {
    for (const [i, { address, bytes }] of this.memory.cells.entries()) yield [address, bytes, this.words[i]!.range];
  }

  private pass(): Findings {
    this.memory.findings = new Findings();
    this.analysis.relations = this.orders.map(({ lesser, greater, plus }) => ({
      lesser: this.memory.cellAt(lesser, 4, 'i32.store')!,
      greater: this.memory.cellAt(greater, 4, 'i32.store')!,
      plus,
    }));
    const count = this.memory.cells.length;
    for (const [name, index] of this.module.exports) {
      if (process.env['ONLY'] && process.env['ONLY'] !== name) continue;
      const started = performance.now();
      const parameters: Term[] = Array.from({ length: this.module.functions[index]!.parameters }, () => symbol(32));
      const after = this.analysis.follow(index, parameters, this.enter(count));
      if (after) this.leave(name, after.state, count);
      if (process.env['PROF']) console.log(name, [...this.analysis.profile].sort((a, b) => b[1] - a[1]).slice(0, 25));
      if (process.env['DBG']) console.log(name, Math.round(performance.now() - started), this.analysis.steps);
    }
    return this.memory.findings;
  }

  private enter(count: number): State {
    const state = new State();
    state.cells = this.words.slice(0, count).map(({ range }, i) => symbol(this.memory.cells[i]!.bytes === 8 ? 64 : 32, range));
    state.globals = this.globals.map(({ range }, i) => symbol(this.module.globalBits[i]!, range));
    for (const relation of this.analysis.relations) state.relate(relation, interval(anyOf(32).low, relation.plus));
    return state;
  }

  private leave(name: string, state: State, count: number): void {
    for (const relation of this.analysis.relations) {
      const slack = this.slack(state, relation);
      if (slack && slack.high <= relation.plus) continue;
      const { address } = this.memory.cells[relation.lesser]!;
      this.memory.findings.open.set(`${name}:${address}`, `${address} is not below the word that bounds it`);
    }
    this.words = this.words.map((word, i) => {
      const term = i < count ? state.cells[i] : undefined;
      return term ? this.grown(word, state.range(term), this.memory.cells[i]!.bytes) : word;
    });
    this.globals = this.globals.map((word, i) => this.grown(word, state.range(state.globals[i]!), 8));
  }

  private slack(state: State, relation: Relation): Range | undefined {
    return state.slack(relation);
  }

  private grown(word: Word, seen: Range, bytes: number): Word {
    if (isWithin(seen, word.range)) return word;
    this.hasChanged = true;
    if (process.env['DBG'] === '2') console.log('grows', word, seen);
    const all = hull(word.range, seen);
    const growths = word.growths + 1;
    if (growths <= EXACT_GROWTHS) return { range: all, growths };
    const any = bytes === 4 ? anyOf(32) : bytes === 8 ? anyOf(64) : interval(0, 2 ** (8 * bytes) - 1);
    const high = all.high > word.range.high ? (THRESHOLDS.find(each => each >= all.high) ?? any.high) : all.high;
    const low = all.low < word.range.low ? (all.low >= 0 ? 0 : any.low) : all.low;
    return { range: interval(low, Math.min(high, any.high)), growths };
  }
}
