// read-back: reads every vector, every neighbour of a short vector, and RANDOM_TRANSACTIONS=30000 random
// transactions back from the pixels of their reviews. read-back --control MODULE…: reads reviews of modules
// with a planted fault, each of which must be found.
import { controlModules, inThread } from '../control.js';
import { type Outcome, readBack } from './work.js';

const THREADS = 2;
const SEED = 20261122;
const RANDOM = Number(process.env.RANDOM_TRANSACTIONS ?? 30_000);

async function proveShipped(): Promise<void> {
  const shares = Array.from({ length: THREADS }, (_, thread) => ({
    thread,
    threads: THREADS,
    random: RANDOM,
    seed: SEED,
  }));
  const work = new URL('./work.js', import.meta.url);
  const outcomes = await Promise.all(shares.map(share => inThread<Outcome>(work, share)));
  const total = (key: 'sent' | 'readWithDetails' | 'readWithout' | 'pages') =>
    outcomes.reduce((sum, outcome) => sum + outcome[key], 0);
  for (const { failure } of outcomes) if (failure) throw new Error(failure);
  console.log(
    `${total('sent')} uploads, ${RANDOM} of them random: ${total('readWithDetails')} accepted, and read back from ` +
      `${total('pages')} frames; ${total('readWithout')} of them also with details hidden`,
  );
}

const failureIn = (wasm: string) =>
  readBack({ thread: 0, threads: 19, random: 2000, seed: SEED, wasm }).failure;

const [first, ...paths] = process.argv.slice(2);
if (first === '--control') await controlModules(paths, failureIn);
else await proveShipped();
