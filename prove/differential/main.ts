// Asks firmware, chain/ and the development network's node about the same bytes; exits with 1 at the first fault.
import { parseArgs } from 'node:util';
import { Judges } from './judgement.js';
import { type Outcome, runRandom, runVectors } from './run.js';

const USAGE = `node dist/prove/differential/main.js [--cases N | --seconds N] [--seed S] [--long]

  --cases N    random cases to judge (20000)
  --seconds N  judge random cases for so long instead
  --seed S     which random cases (1)
  --long       all 256 bytes inserted at every place of every vector, and the node asked about all of it`;

const CASES = 20_000;

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

const judges = await Judges.start();
const randomMs = performance.now();
const random = await runRandom(judges, seed, goesOn);
print(`random cases of seed ${seed}, judged by firmware, chain/ and node`, random, randomMs);
if (!random.report) {
  const vectorsMs = performance.now();
  const [insertions, asked, by] = values.long
    ? (['all', 'three', 'firmware, chain/ and node'] as const)
    : (['some', 'two', 'firmware and chain/'] as const);
  const vectors = await runVectors(judges, insertions, asked);
  print(`the neighbours of every vector, judged by ${by}`, vectors, vectorsMs);
}
judges.stop();
