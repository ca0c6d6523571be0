// SHA-512, FIPS 180-4 §6.4: the constants and the rounds. Eight rounds are unrolled, so that the variables a
// to h are renamed from round to round and not copied.
import type { Generator } from './generator.js';
import { indented, notice, staticData, times } from './source-text.js';

const ROUNDS = 80;
const VARIABLES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

function firstPrimes(count: number): bigint[] {
  const primes: bigint[] = [];
  for (let n = 2n; primes.length < count; n++) if (primes.every(prime => n % prime !== 0n)) primes.push(n);
  return primes;
}

/** Returns the largest integer whose `degree`th power is at most `value`. */
function integerRoot(value: bigint, degree: bigint): bigint {
  let low = 0n;
  let high = value;
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (middle ** degree <= value) low = middle;
    else high = middle - 1n;
  }
  return low;
}

/**
 * Returns the first 64 bits of the fraction of a prime's root: cube roots for §4.2.3, square roots for
 * §5.3.5.
 */
function rootFraction(prime: bigint, degree: bigint): bigint {
  return BigInt.asUintN(64, integerRoot(prime << (64n * degree), degree));
}

/** Round t of §6.4.2 step 3. Instead of shifting all eight variables, the next round renames them. */
function round(t: number): string[] {
  const [a, b, c, d, e, f, g, h] = times(8, i => VARIABLES[(i - t + 8) % 8]!);
  const sum1 = `(rotr(${e}, 14) ^ rotr(${e}, 18) ^ rotr(${e}, 41))`;
  const choose = `(${g} ^ (${e} & (${f} ^ ${g})))`;
  const sum0 = `(rotr(${a}, 28) ^ rotr(${a}, 34) ^ rotr(${a}, 39))`;
  const majority = `((${a} & (${b} ^ ${c})) ^ (${b} & ${c}))`;
  return [
    `${h} += ${sum1} + ${choose} + load<u64>(K + t, ${8 * t}) + load<u64>(schedule + t, ${8 * t});`,
    `${d} += ${h};`,
    `${h} += ${sum0} + ${majority};`,
  ];
}

function rounds(): string {
  const body = times(8, t => round(t).join('\n    ')).join('\n    ');
  return `/** Runs the 80 rounds with the message \`schedule\` (80 words), and adds the result to \`state\` (8 words, §6.4.2 steps 2 to 4). */
export function runSha512Rounds(state: usize, schedule: usize): void {
${indented(VARIABLES.map((name, i) => `let ${name} = load<u64>(state, ${8 * i});`))}\
  let t = 0;
  for (; t < ${8 * ROUNDS}; t += 64) {
    ${body}
  }
  if (t !== ${8 * ROUNDS}) unreachable();
${indented(VARIABLES.map((name, i) => `store<u64>(state, load<u64>(state, ${8 * i}) + ${name}, ${8 * i});`))}\
}
`;
}

export const sha512Rounds: Generator = {
  path: 'firmware/assembly/crypto/generated/sha512-rounds.ts',
  content: () => {
    const primes = firstPrimes(ROUNDS);
    const initial = primes.slice(0, 8).map(prime => rootFraction(prime, 2n));
    const constants = primes.map(prime => rootFraction(prime, 3n));
    return [
      notice('sha512-rounds.ts'),
      staticData('INITIAL_STATE', 'u64', initial, 4),
      staticData('K', 'u64', constants, 4),
      rounds(),
    ].join('\n');
  },
};
