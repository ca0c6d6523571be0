// Compares firmware, chain/ and the development node on the same bytes; exits with 1 at the first fault. --long:
// also compares every short vector's neighbours with the node, and inserts all 256 bytes everywhere.
import { Oracles } from './comparison.js';
import { type Outcome, runRandom, runVectors } from './run.js';

const CASES = 20_000;
const SEED = 1;
const NAMES = { two: 'firmware compared with chain/', three: 'firmware compared with chain/ and node' };

function print(title: string, { tally, report = [] }: Outcome, startMs: number): void {
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log([`${title}: ${tally.total} cases in ${seconds} s`, ...tally.lines(), ''].join('\n'));
  if (report.length > 0) {
    console.error(report.join('\n'));
    process.exitCode = 1;
  }
}

const VECTOR_RUNS = {
  short: [{ insertions: 'some', asked: 'two' }],
  long: [
    { insertions: 'some', asked: 'three' },
    { insertions: 'all', asked: 'two' },
  ],
} as const;

const oracles = await Oracles.start();
const startMs = performance.now();
print(`random cases, ${NAMES.three}`, await runRandom(oracles, SEED, CASES), startMs);
for (const { insertions, asked } of VECTOR_RUNS[process.argv.includes('--long') ? 'long' : 'short']) {
  if (process.exitCode) break;
  const vectorsMs = performance.now();
  const title = `every short vector's bit flips, truncations and insertions of ${insertions} bytes, ${NAMES[asked]}`;
  print(title, await runVectors(oracles, insertions, asked), vectorsMs);
}
oracles.stop();
