import type { Mutations } from '../mutation.js';

/** Faults that the same tests ought to notice. */
export interface FaultGroup {
  /** The board that the tests run on. */
  board: 'pico' | 'lm3s6965' | 'riscv' | 'mps2-an505';
  /** Whether the board has a model of a vault. */
  hasVault?: true;
  /** A file of test/boards, and a pattern of the names of its tests. */
  tests: readonly [file: string, names: string];
  /** Of files from firmware/boards; behind some another pattern of the names of the tests that notice it. */
  faults: Mutations;
}
