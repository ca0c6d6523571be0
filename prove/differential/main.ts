// Asks firmware, chain/ and the development network's node about the same bytes; exits with 1 at the first fault.
import { parseArgs } from 'node:util';
import { Judges } from './judgement.js';
import { type Outcome, runRandom, runVectors } from './run.js';

const USAGE = `node dist/prove/differential/main.js [--cases N | --seconds N] [--seed S] [--long]

  --cases N    random cases to judge (20000)
  --seconds N  judge random cases for so long instead
  --seed S     which random cases (1)
  --long       ask the node about every vector's neighbours too, and insert all 256 bytes at every place`;

const CASES = 20_000;
const NAMES = { two: 'judged by firmware and chain/', three: 'judged by firmware, chain/ and node' };

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
  values.seconds === undefined ? (judged: number) => judged < cases : () => performance.now() < endMs;

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

const judges = await Judges.start();
const startMs = performance.now();
print(`random cases of seed ${seed}, ${NAMES.three}`, await runRandom(judges, seed, goesOn), startMs);
for (const { insertions, asked } of VECTOR_RUNS[values.long ? 'long' : 'short']) {
  if (process.exitCode) break;
  const vectorsMs = performance.now();
  const title = `every vector's bit flips, truncations and insertions of ${insertions} bytes, ${NAMES[asked]}`;
  print(title, await runVectors(judges, insertions, asked), vectorsMs);
}
judges.stop();
