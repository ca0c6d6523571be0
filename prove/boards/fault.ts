/** A defect to plant in a board's code: in `file`, `find` has to occur exactly once and becomes `replace`. */
export interface Fault {
  /** What the board does wrong, as a sentence without its subject. */
  name: string;
  /** A path from firmware/boards. */
  file: string;
  find: string;
  replace: string;
  /** A pattern of the names of the tests that notice it, where the first of the group do not. */
  noticedBy?: string;
}

/** Faults that the same tests ought to notice. */
export interface FaultGroup {
  /** The board that the tests run on. */
  board: 'pico' | 'lm3s6965' | 'riscv';
  /** Whether the board has a model of a vault. */
  hasVault?: true;
  /** A file of test/boards, and a pattern of the names of its tests. */
  tests: readonly [file: string, names: string];
  faults: readonly Fault[];
}
