// read-back: reads every vector, one in five neighbours of the short vectors, and 10,000 random transactions
// back from the pixels of their reviews. read-back --all: reads every neighbour, and 100,000 random transactions.
// read-back --control MODULE…: reads reviews of modules with a planted fault, each of which must be found.
import { controlModules, inThread } from '../control.js';
import { type Outcome, readBack } from './work.js';

const THREADS = 2;
const SEED = 20261122;
/** Eight neighbours of a byte flip its bits. A share that is coprime to 8 tries each bit. */
const SHORT = { random: 10_000, share: 5 };
const WHOLE = { random: 100_000, share: 1 };

async function proveShipped(extent: typeof SHORT): Promise<void> {
  const shares = Array.from({ length: THREADS }, (_, thread) => ({
    thread,
    threads: THREADS,
    seed: SEED,
    ...extent,
  }));
  const work = new URL('./work.js', import.meta.url);
  const outcomes = await Promise.all(shares.map(share => inThread<Outcome>(work, share)));
  const total = (key: 'sent' | 'readWithDetails' | 'readWithout' | 'pages') =>
    outcomes.reduce((sum, outcome) => sum + outcome[key], 0);
  for (const { failure } of outcomes) if (failure) throw new Error(failure);
  console.log(
    `${total('sent')} uploads, ${extent.random} of them random: ${total('readWithDetails')} accepted, and read back from ` +
      `${total('pages')} frames; ${total('readWithout')} of them also with details hidden`,
  );
}

const failureIn = (wasm: string) =>
  readBack({ thread: 0, threads: 19, random: 2000, share: 1, seed: SEED, wasm }).failure;

const [first, ...paths] = process.argv.slice(2);
if (first === '--control') await controlModules(paths, failureIn);
else await proveShipped(first === '--all' ? WHOLE : SHORT);
