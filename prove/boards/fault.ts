import type { Mutations } from '../mutation.js';

/** Faults that the same tests must detect. */
export interface FaultGroup {
  /** The heading of a document that promises the behaviour which the faults break. */
  guards: string;
  /** The board under test. */
  board: 'pico' | 'lm3s6965' | 'riscv' | 'mps2-an505';
  /** Whether the board has a model of a vault. */
  hasVault?: true;
  /** A file of test/boards, and a pattern of its tests' names. */
  tests: readonly [file: string, names: string];
  /**
   * Mutations of files in firmware/boards. If a mutation has a third text, it replaces the pattern of the
   * tests' names.
   */
  faults: Mutations;
}
