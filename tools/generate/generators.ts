import { curveTables } from './curve-tables.js';
import { fieldArithmetic } from './field-arithmetic.js';
import { font } from './font.js';
import { hostNetworks } from './host-networks.js';
import { keccakPermutation } from './keccak-permutation.js';
import { networks } from './networks.js';
import { sha512Rounds } from './sha512-rounds.js';

/** One generated file: `path` from the repository's root; `content` gives the same text at every call. */
export interface Generator {
  path: string;
  content(): string;
}

export const generators: Generator[] = [
  curveTables,
  fieldArithmetic,
  font,
  hostNetworks,
  keccakPermutation,
  networks,
  sha512Rounds,
];
