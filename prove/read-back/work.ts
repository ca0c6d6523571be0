// Reads a thread's share of the uploads.
import { parentPort, workerData } from 'node:worker_threads';
import { randomRequests } from '../../testkit/chain/random-transaction.js';
import { u32 } from '../../testkit/crypto/little-endian.js';
import { transactions } from '../../testkit/repository/vectors.js';
import { checkUpload } from './check.js';
import { vectorCases } from './neighbours.js';
import { Reviewer } from './reviewer.js';
import { type Upload, uploadOf, uploadOfVector } from './upload.js';

export interface WorkShare {
  thread: number;
  threads: number;
  /** Number of random transactions of all threads together. */
  random: number;
  /** One in so many neighbours of the vectors is read. */
  share: number;
  seed: number;
  /** Path of another module than the shipped one. */
  wasm?: string;
}

export interface Outcome {
  sent: number;
  readWithDetails: number;
  readWithout: number;
  pages: number;
  /** The first failure, with its upload. */
  failure?: string;
}

const POOL = 500;
/** One in so many random transactions is also read without details. */
const HIDDEN_EVERY = 5;

/** Messages with line ends at critical places: at the edge, after spaces, in blank areas. */
function* messages(): Generator<string> {
  for (let length = 0; length <= 44; length++) {
    for (const filler of ['x', ' ', 'x ', '_']) {
      for (const end of ['\n', '\n\n', ' \n ', '\ny', '']) {
        const text = filler.repeat(length).slice(0, length) + end;
        if (text !== '') yield text;
      }
    }
  }
}

/** Yields a transfer with each of these messages. */
function* messageCases(): Generator<Upload> {
  const upload = uploadOfVector(transactions.cases[0]!);
  for (const message of messages()) {
    const length = u32(message.length);
    const transaction = Buffer.concat([upload.transaction.subarray(0, -4), length, Buffer.from(message)]);
    yield { ...upload, transaction };
  }
}

function* uploads({ thread, threads, random, share, seed }: WorkShare): Generator<[Upload, both: boolean]> {
  let n = 0;
  for (const upload of transactions.cases.map(uploadOfVector))
    if (n++ % threads === thread) yield [upload, true];
  for (const upload of messageCases()) if (n++ % threads === thread) yield [upload, false];
  let neighbour = 0;
  for (const upload of vectorCases())
    if (neighbour++ % share === 0 && n++ % threads === thread) yield [upload, false];
  for (let round = thread; round * POOL < random; round += threads) {
    const requests = randomRequests(Math.min(POOL, random - round * POOL), seed + round);
    for (const request of requests) yield [uploadOf(request), n++ % HIDDEN_EVERY === 0];
  }
}

export function readBack(share: WorkShare): Outcome {
  const [shown, hidden] = [new Reviewer(true, share.wasm), new Reviewer(false, share.wasm)];
  const outcome = { sent: 0, readWithDetails: 0, readWithout: 0, pages: 0 };
  for (const [upload, both] of uploads(share)) {
    try {
      outcome.sent++;
      if (checkUpload(shown, true, upload)) outcome.readWithDetails++;
      if (both && checkUpload(hidden, false, upload)) outcome.readWithout++;
    } catch (error) {
      const sent = `${upload.transaction.toString('hex')} linked ${upload.linked.toString('hex')}`;
      return { ...outcome, failure: `${error} at ${sent}` };
    }
  }
  return { ...outcome, pages: shown.pages + hidden.pages };
}

if (parentPort) parentPort.postMessage(readBack(workerData as WorkShare));
