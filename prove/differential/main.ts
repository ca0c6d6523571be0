// Compares firmware, chain/ and the development node on the same bytes; exits with 1 at the first fault.
import { parseArgs } from 'node:util';
import { Oracles } from './comparison.js';
import { type Outcome, runRandom, runVectors } from './run.js';

const USAGE = `node dist/prove/differential/main.js [--cases N | --seconds N] [--seed S] [--long]

  --cases N    random cases to compare (20000)
  --seconds N  compare random cases for N seconds instead
  --seed S     seed of the random cases (1)
  --long       also compare every vector's neighbours with the node, and insert all 256 bytes everywhere`;

const CASES = 20_000;
const NAMES = { two: 'firmware compared with chain/', three: 'firmware compared with chain/ and node' };

const { values } = parseArgs({
  options: {
    cases: { type: 'string' },
    seconds: { type: 'string' },
    seed: { type: 'string', default: '1' },
    long: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  console.log(USAGE);
  process.exit();
}

function numberOf(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) {
    console.error(`--${name} must be a number of at most 9 digits\n\n${USAGE}`);
    process.exit(2);
  }
  return Number(text);
}

const seed = numberOf('seed', values.seed);
const cases = numberOf('cases', values.cases ?? `${CASES}`);
const endMs = performance.now() + numberOf('seconds', values.seconds ?? '0') * 1000;
const goesOn =
  values.seconds === undefined ? (compared: number) => compared < cases : () => performance.now() < endMs;

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
print(`random cases with seed ${seed}, ${NAMES.three}`, await runRandom(oracles, seed, goesOn), startMs);
for (const { insertions, asked } of VECTOR_RUNS[values.long ? 'long' : 'short']) {
  if (process.exitCode) break;
  const vectorsMs = performance.now();
  const title = `every vector's bit flips, truncations and insertions of ${insertions} bytes, ${NAMES[asked]}`;
  print(title, await runVectors(oracles, insertions, asked), vectorsMs);
}
oracles.stop();
