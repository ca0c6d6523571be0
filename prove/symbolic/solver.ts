// Runs z3 as a process, and queries it line by line without the event loop, because the calling machine runs
// code synchronously.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Oracle } from './paths.js';
import { isCondition, type Term, Terms } from './terms.js';

const LIMIT_MS = 600_000;
/** Time after which z3 exits if its caller has ended. */
const LIFETIME_S = 900;

const SETTINGS = ['(set-option :global-declarations true)', `(set-option :timeout ${LIMIT_MS})`];

const OPERATORS: Record<string, string> = {
  and: 'bvand',
  or: 'bvor',
  xor: 'bvxor',
  mul: 'bvmul',
  shl: 'bvshl',
  shr_u: 'bvlshr',
  shr_s: 'bvashr',
  div_u: 'bvudiv',
  rem_u: 'bvurem',
  rotr: 'ext_rotate_right',
};

const literal = (value: bigint, bits: number) => `(_ bv${BigInt.asUintN(bits, value)} ${bits})`;

/** Writes terms for the solver, each of them once. */
class Writer {
  readonly #written = new Set<Term>();
  readonly #out: (line: string) => void;

  constructor(out: (line: string) => void) {
    this.#out = out;
    out('(declare-const input (Array (_ BitVec 32) (_ BitVec 8)))');
  }

  /** Returns a term as a bit vector. */
  word(term: Term): string {
    if (term.op === 'constant') return literal(term.constant, term.bits);
    if (isCondition(term))
      return `(ite ${this.truth(term)} ${literal(1n, term.bits)} ${literal(0n, term.bits)})`;
    this.#define(term, `(_ BitVec ${term.bits})`, () => this.#formula(term));
    return `t${term.id}`;
  }

  /** Returns a condition as a truth value. */
  truth(term: Term): string {
    if (term.op === 'constant') return term.constant !== 0n ? 'true' : 'false';
    if (term.op === 'not') return `(not ${this.truth(term.parts[0]!)})`;
    if (!isCondition(term)) return `(not (= ${this.word(term)} ${literal(0n, term.bits)}))`;
    if (term.op === 'within') {
      const [symbol] = term.parts as [Term];
      const word = this.word(symbol);
      const [low, high] = [literal(symbol.low, symbol.bits), literal(symbol.high, symbol.bits)];
      return `(and (bvule ${low} ${word}) (bvule ${word} ${high}))`;
    }
    if (term.op === 'both') return `(and ${term.parts.map(part => this.truth(part)).join(' ')})`;
    const relation = { eq: '=', ult: 'bvult', slt: 'bvslt' }[term.op]!;
    this.#define(term, 'Bool', () => `(${relation} ${term.parts.map(part => this.word(part)).join(' ')})`);
    return `t${term.id}`;
  }

  #define(term: Term, sort: string, formula: () => string): void {
    if (this.#written.has(term)) return;
    this.#written.add(term);
    if (term.op === 'symbol') this.#out(`(declare-const t${term.id} ${sort})`);
    else {
      const text = formula();
      this.#out(`(define-fun t${term.id} () ${sort} ${text})`);
    }
  }

  #formula(term: Term): string {
    const { op, bits, parts } = term;
    const words = () => parts.map(part => this.word(part));
    if (op === 'input') return `(select input ${words()[0]})`;
    if (op === 'slice') {
      const from = Number(term.constant);
      return `((_ extract ${from + bits - 1} ${from}) ${words()[0]})`;
    }
    if (op === 'extend') return `((_ zero_extend ${bits - parts[0]!.bits}) ${words()[0]})`;
    if (op === 'joined') return `(concat ${words().reverse().join(' ')})`;
    if (op === 'select') {
      const [condition, whole, other] = parts as [Term, Term, Term];
      return `(ite ${this.truth(condition)} ${this.word(whole)} ${this.word(other)})`;
    }
    if (op === 'sum') {
      const summands = words().map((word, i) => {
        const factor = term.factors[i]!;
        return factor === 1n ? word : `(bvmul ${literal(factor, bits)} ${word})`;
      });
      return [...summands, literal(term.constant, bits)].reduce((a, b) => `(bvadd ${a} ${b})`);
    }
    const operator = OPERATORS[op];
    if (!operator) throw new Error(`the solver does not support ${op}`);
    return `(${operator} ${words().join(' ')})`;
  }
}

export class Solver implements Oracle {
  queries = 0;
  /** The terms for queries. */
  readonly terms = new Terms();
  readonly #process: ChildProcess;
  readonly #to: number;
  readonly #from: number;
  readonly #writer: Writer;
  readonly #chunk = Buffer.alloc(65536);
  #text = '';
  #pending = '';

  /** Throws an Error if z3 is not installed. */
  constructor() {
    execFileSync('z3', ['--version']);
    const directory = mkdtempSync(join(tmpdir(), 'zbc-signer-z3-'));
    const [input, output] = [join(directory, 'in'), join(directory, 'out')];
    execFileSync('mkfifo', [input, output]);
    this.#to = openSync(input, 'r+');
    this.#from = openSync(output, 'r+');
    this.#process = spawn('z3', ['-in', '-smt2', `-T:${LIFETIME_S}`], {
      stdio: [this.#to, this.#from, 'inherit'],
    });
    rmSync(directory, { recursive: true });
    for (const line of SETTINGS) this.#say(line);
    this.#writer = new Writer(line => this.#say(line));
  }

  push(): void {
    this.#say('(push 1)');
  }

  pop(): void {
    this.#say('(pop 1)');
  }

  assert(condition: Term): void {
    const text = this.#writer.truth(condition);
    this.#say(`(assert ${text})`);
  }

  /** Returns whether the assertions are compatible with a condition. Throws an Error if z3 gives up. */
  isPossible(condition: Term): boolean {
    this.queries++;
    this.push();
    this.assert(condition);
    this.#say('(check-sat)');
    this.pop();
    const answer = this.#readLine();
    if (answer !== 'sat' && answer !== 'unsat') throw new Error(`z3 answers ${answer}, not sat or unsat`);
    return answer === 'sat';
  }

  close(): void {
    this.#say('(exit)');
    this.#flush();
    this.#process.unref();
    closeSync(this.#to);
    closeSync(this.#from);
  }

  #say(line: string): void {
    this.#pending += `${line}\n`;
    if (this.#pending.length > 16384) this.#flush();
  }

  #flush(): void {
    let bytes = Buffer.from(this.#pending);
    this.#pending = '';
    while (bytes.length > 0) bytes = bytes.subarray(writeSync(this.#to, bytes));
  }

  #readLine(): string {
    this.#flush();
    while (!this.#text.includes('\n')) {
      this.#text += this.#chunk.toString('latin1', 0, readSync(this.#from, this.#chunk));
    }
    const end = this.#text.indexOf('\n');
    const line = this.#text.slice(0, end);
    this.#text = this.#text.slice(end + 1);
    return line;
  }
}

/** Runs a function with a solver, which is closed afterwards; returns the function's result. */
export function withSolver<Result>(run: (solver: Solver) => Result): Result {
  const solver = new Solver();
  try {
    return run(solver);
  } finally {
    solver.close();
  }
}
