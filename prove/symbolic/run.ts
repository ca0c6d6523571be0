// One path through functions of the module, with memory that a proof writes and reads.
import { Machine } from '../wasm/machine.js';
import { functionIndex, type WasmModule } from '../wasm/module.js';
import type { Paths } from './paths.js';
import type { SymbolicDomain } from './symbolic-domain.js';
import type { Term } from './terms.js';

export const range = (count: number) => Array.from({ length: count }, (_, i) => i);

export class Run<Domain extends SymbolicDomain> {
  readonly machine: Machine<Term>;

  constructor(
    protected readonly module: WasmModule,
    readonly paths: Paths,
    readonly domain: Domain,
  ) {
    this.machine = new Machine(module, domain);
  }

  /** Replaces a function, which receives its parameters and returns at most one result. */
  stub(name: string, run: ((...parameters: Term[]) => Term) | ((...parameters: Term[]) => void)): void {
    const index = name.startsWith('hal.')
      ? this.module.functions.findIndex(each => each.name === name)
      : functionIndex(this.module, name);
    this.domain.stubs.set(index, parameters => {
      const result = run(...parameters);
      return result ? [result] : [];
    });
  }

  call(name: string, ...parameters: Term[]): Term | undefined {
    return this.machine.call(functionIndex(this.module, name), parameters)[0];
  }

  number(value: number): Term {
    return this.paths.terms.constant(BigInt(value), 32);
  }

  bytes(at: number, count: number): Term[] {
    return range(count).map(i => this.domain.peek(at + i, 1));
  }

  put(at: number, bytes: readonly Term[]): void {
    bytes.forEach((byte, i) => {
      this.domain.write(at + i, byte);
    });
  }

  zeros(count: number): Term[] {
    return range(count).map(() => this.paths.terms.constant(0n, 8));
  }

  /** Returns a condition that may be true or false. */
  any(): Term {
    return this.paths.fresh(32, 0n, 1n);
  }
}
