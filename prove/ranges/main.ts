// Follows every export of the shipped module on ranges of words: shows accesses to be within their buffers,
// divisors not to be 0, the checks that may stop it, and the maximum passes of each loop. Everything else is
// listed by function, with the proof that covers it. With --control, the same for modules with a fault.
import { control } from '../control.js';
import { readModule } from '../wasm/module.js';
import { readBuffers } from './buffers.js';
import { SHOWN_ELSEWHERE } from './contracts.js';
import { FAULTS, plant } from './faults.js';
import { Invariants } from './invariants.js';
import { anyOf } from './state/range.js';

/** The proofs that cover functions without a result here. */
const COVERED: [RegExp, string][] = [
  [/^crypto\/(sha512|hmac|sha3)/, 'make prove ONLY=hashes, for its lengths'],
  [/^crypto\//, 'make prove ONLY=arithmetic, for 210 scalars'],
];
const isElsewhere = (name: string) => SHOWN_ELSEWHERE.some(([pattern]) => pattern.test(name));

const ACCESS = /\.(load|store)|^memory\.|^i(32|64)\.(div|rem)_/;
const module = readModule();
const places = readBuffers(module);
const invariants = new Invariants(module, places);
const findings = invariants.run();
const functionOf = (place: string) => place.slice(0, place.lastIndexOf(':'));

function byFunction(places: Iterable<string>): Map<string, number> {
  const found = new Map<string, number>();
  for (const each of places) found.set(functionOf(each), (found.get(functionOf(each)) ?? 0) + 1);
  return found;
}
const list = (found: Map<string, number>) =>
  [...found].map(([name, count]) => `${name} (${count})`).join(', ');

let all = 0;
const elsewhere = new Map<string, number>();
for (const { name, code } of module.functions) {
  const sites = code.filter(
    ({ op }, at) => ACCESS.test(op) && !(/(div|rem)_/.test(op) && code[at - 1]?.op.endsWith('.const')),
  ).length;
  all += sites;
  const proof = SHOWN_ELSEWHERE.find(([pattern]) => pattern.test(name))?.[1];
  if (proof) elsewhere.set(proof, (elsewhere.get(proof) ?? 0) + sites);
}
const accesses = [...findings.met].filter(each => !isElsewhere(functionOf(each)));
const open = [...findings.open.keys()];
console.log(
  `${invariants.passes} passes over ${module.exports.size} exports until what holds between calls is known`,
);
console.log(`${all} accesses and divisions, of which ${list(elsewhere)} are left to other proofs`);
console.log(
  `${accesses.length} met, ${accesses.length - open.filter(each => findings.met.has(each)).length} shown, ${open.length} not shown:`,
);
for (const [name, count] of byFunction(open)) {
  const covered = COVERED.find(([pattern]) => pattern.test(name))?.[1] ?? 'left to the run-time check';
  console.log(`  ${name} (${count}): ${covered}`);
}
console.log(`checks that may stop the module: ${list(byFunction(findings.checks))}`);
const isLong = (passes: number) => passes > 1_000_000;
const loops = [...findings.loops].filter(([place]) => !isElsewhere(functionOf(place)));
console.log(`loops and their passes at most, from one entry each:`);
for (const [name] of byFunction(loops.map(([place]) => place))) {
  const passes = loops
    .filter(([place]) => functionOf(place) === name)
    .map(([, count]) => (isLong(count) ? 'not bounded here' : count));
  console.log(`  ${name}: ${passes.join(', ')}`);
}
let words = 0;
for (const [, bytes, { low, high }] of invariants.ranges()) {
  const any = anyOf(bytes === 8 ? 64 : 32);
  if (low > any.low || high < any.high) words++;
}
console.log(`${words} words between calls are within ranges that each export leaves them in`);

if (process.argv.includes('--control')) {
  const unchanged = new Invariants(module, places).refute(invariants, findings);
  if (unchanged) throw new Error(`the module itself is refuted: ${unchanged}`);
  await control(
    FAULTS.map(fault => [
      `${fault.name} in ${fault.in}`,
      () => new Invariants(plant(module, fault), places).refute(invariants, findings),
    ]),
  );
}
