// Keccak-f[1600], FIPS 202 §3.2: a loop of 24 rounds. A round is unrolled over the 25 lanes, which are
// locals.
import type { Generator } from './generator.js';
import { indented, notice, staticData, times } from './source-text.js';

const LANES = 25;
const ROUNDS = 24;

/** Returns the rotations of ρ (§3.2.2, algorithm 2), indexed by lane x + 5y. */
function rotations(): number[] {
  const offsets = new Array<number>(LANES).fill(0);
  let [x, y] = [1, 0];
  for (let t = 0; t < 24; t++) {
    offsets[x + 5 * y] = (((t + 1) * (t + 2)) / 2) % 64;
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return offsets;
}

/**
 * Returns the constants of ι (§3.2.5, algorithm 5): bit 2^j − 1 of round i is rc(j + 7i), the output of an
 * 8-bit LFSR.
 */
function roundConstants(): bigint[] {
  let register = 1;
  const nextBit = () => {
    const bit = register & 1;
    register = register & 0x80 ? (register << 1) ^ 0x171 : register << 1;
    return BigInt(bit);
  };
  return Array.from({ length: ROUNDS }, () => {
    let constant = 0n;
    for (let j = 0; j <= 6; j++) constant |= nextBit() << BigInt(2 ** j - 1);
    return constant;
  });
}

function theta(): string[] {
  return [
    ...times(5, x => `c${x} = a${x} ^ a${x + 5} ^ a${x + 10} ^ a${x + 15} ^ a${x + 20};`),
    ...times(5, x => `d${x} = c${(x + 4) % 5} ^ rotl(c${(x + 1) % 5}, 1);`),
  ];
}

/** Returns the last step of θ, together with ρ and π (§3.2.3): lane (x, y) moves to (y, 2x + 3y). */
function rhoAndPi(): string[] {
  const offsets = rotations();
  return times(LANES, from => {
    const [x, y] = [from % 5, Math.floor(from / 5)];
    const to = y + 5 * ((2 * x + 3 * y) % 5);
    return `b${to} = rotl(a${from} ^ d${x}, ${offsets[from]});`;
  });
}

function chi(): string[] {
  return times(LANES, lane => {
    const [x, row] = [lane % 5, lane - (lane % 5)];
    return `a${lane} = b${lane} ^ (~b${row + ((x + 1) % 5)} & b${row + ((x + 2) % 5)});`;
  });
}

function permutation(): string {
  const names = (letter: string, count: number) => times(count, i => `${letter}${i}: u64`).join(', ');
  const round = [...theta(), ...rhoAndPi(), ...chi(), 'a0 ^= load<u64>(ROUND_CONSTANTS + round);'];
  return `/** Permutes the 25 lanes (200 bytes) at \`state\` (FIPS 202 §3.3). */
export function permuteKeccak(state: usize): void {
${indented(times(LANES, i => `let a${i} = load<u64>(state, ${8 * i});`))}\
  let ${names('b', LANES)};
  let ${names('c', 5)}, ${names('d', 5)};
  for (let round = 0; round < ${8 * ROUNDS}; round += 8) {
${indented(round.map(line => `  ${line}`))}\
  }
${indented(times(LANES, i => `store<u64>(state, a${i}, ${8 * i});`))}\
}
`;
}

export const keccakPermutation: Generator = {
  path: 'firmware/assembly/crypto/generated/keccak-permutation.ts',
  content: () =>
    [
      notice('keccak-permutation.ts'),
      staticData('ROUND_CONSTANTS', 'u64', roundConstants(), 4),
      permutation(),
    ].join('\n'),
};
