// Follows every export of the shipped module on ranges of words. Shows that accesses are within their buffers
// and that divisors are not 0. Lists the checks that may stop the module, and the maximum number of passes of
// each loop. Lists by function what is not shown, with the proof that covers it. With --control, refutes
// modules with a fault.
import { runControls } from '../control.js';
import { readModule } from '../wasm/module.js';
import { readBuffers } from './buffers.js';
import { SHOWN_ELSEWHERE } from './contracts.js';
import { FAULTS, plant } from './faults.js';
import { Invariants } from './invariants.js';
import { anyOf } from './state/range.js';

/** Which proof covers the functions that have no result here, by name. */
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
  `${invariants.passes} passes over ${module.exports.size} exports until the ranges between calls no longer grow`,
);
console.log(`${all} accesses and divisions, of which ${list(elsewhere)} are left to other proofs`);
console.log(
  `${accesses.length} reached, ${accesses.length - open.filter(each => findings.met.has(each)).length} shown, ${open.length} not shown:`,
);
for (const [name, count] of byFunction(open)) {
  const covered = COVERED.find(([pattern]) => pattern.test(name))?.[1] ?? 'left to the run-time check';
  console.log(`  ${name} (${count}): ${covered}`);
}
console.log(`checks that may stop the module: ${list(byFunction(findings.checks))}`);
const isLong = (passes: number) => passes > 1_000_000;
const loops = [...findings.loops].filter(([place]) => !isElsewhere(functionOf(place)));
console.log(`loops, with the maximum number of passes after one entry:`);
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
console.log(`${words} words stay within ranges between calls, which each export preserves`);

if (process.argv.includes('--control')) {
  const unchanged = new Invariants(module, places).refute(invariants, findings);
  if (unchanged) throw new Error(`the module itself is refuted: ${unchanged}`);
  await runControls(
    FAULTS.map(fault => [
      `${fault[0]} in ${fault[1]}`,
      () => new Invariants(plant(module, fault), places).refute(invariants, findings),
    ]),
  );
}
