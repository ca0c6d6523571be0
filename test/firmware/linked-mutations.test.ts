import fc from 'fast-check';
import {
  accountFromPublicKey,
  decodeLinked,
  encodeTransaction,
  TransactionError,
} from '../../chain/src/index.js';
import { Emulator } from '../../emulator/src/index.js';
import { expectedReview, type ReviewItem } from '../../host/src/expected-review.js';
import * as reasons from '../../protocol/refusal-reasons.js';
import * as statusWords from '../../protocol/status-words.js';
import { type Reply, send, signTransaction, splitReply } from '../support/apdu.js';
import { linkedBytes, type Request, randomRequests } from '../support/random-transaction.js';
import { sha3 } from '../support/sha3.js';
import { accounts } from '../support/vectors.js';

const OWN = accountFromPublicKey(Buffer.from(accounts.cases[0]!.public_key, 'hex'));
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

let emulator: Emulator;
beforeAll(async () => {
  emulator = await Emulator.start();
});
afterAll(() => emulator.stop());

/** Replaces `removed` bytes at a place, a fraction of the whole, by others: a change, a gap, more, or a cut. */
interface Mutation {
  at: number;
  removed: number;
  added: Uint8Array;
}

const mutations: fc.Arbitrary<Mutation> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.nat(8),
  added: fc.uint8Array({ maxLength: 4 }),
});

function mutate(bytes: Uint8Array, { at, removed, added }: Mutation): Uint8Array {
  const start = Math.floor(at * bytes.length);
  return Uint8Array.of(...bytes.subarray(0, start), ...added, ...bytes.subarray(start + removed));
}

/** The approval names the hash of the mutated bytes, so that the signer comes to parse them. */
function approvalOf({ transaction, genesisHash }: Request, linked: Uint8Array) {
  if (transaction.type !== 4) {
    throw new Error('not an approval');
  }
  const approval = { ...transaction, escrowHash: sha3(linked) };
  const tx = hex(encodeTransaction(approval));
  return {
    approval,
    apdus: signTransaction({ account: 0, genesis: hex(genesisHash), tx, linked: hex(linked) }),
  };
}

async function run(apdus: Uint8Array[]): Promise<{ review?: ReviewItem[]; reply: Reply }> {
  await send(bytes => emulator.exchange(bytes), apdus.slice(0, -1));
  const reply = emulator.exchange(apdus.at(-1)!).then(splitReply);
  if (!emulator.reviewing) {
    return { reply: await reply };
  }
  const review = await emulator.review();
  await emulator.reject();
  return { review, reply: await reply };
}

/** What the signer must answer by the chain's own decoder: the transaction that it shows, or status and detail. */
function judge(linked: Uint8Array): ReturnType<typeof decodeLinked> | string {
  try {
    return decodeLinked(linked, OWN);
  } catch (error) {
    if (!(error instanceof TransactionError)) {
      throw error;
    }
    const { status, field, offset, reason } = error;
    const number = (reasons as Record<string, number>)[reason.toUpperCase().replaceAll('-', '_')]!;
    const word = (statusWords as Record<string, number>)[status]!.toString(16).toUpperCase();
    return `${word} ${hex(Uint8Array.of(field, offset & 0xff, offset >> 8, number))}`;
  }
}

test('3,000 mutations of linked transactions are each refused, or shown for what they are', async () => {
  const requests = randomRequests(OWN, 400, 5).filter(({ escrowed }) => escrowed !== undefined);
  const seen = { refused: 0, shown: 0 };
  for (const [i, mutation] of fc.sample(mutations, { numRuns: 3000, seed: 6 }).entries()) {
    const request = requests[i % requests.length]!;
    const linked = mutate(linkedBytes(request.escrowed!, request.signature!), mutation);
    const { approval, apdus } = approvalOf(request, linked);
    const wanted = judge(linked);
    const { review, reply } = await run(apdus);
    if (typeof wanted === 'string') {
      expect({ linked: hex(linked), answer: `${reply.status} ${hex(reply.data)}` }).toEqual({
        linked: hex(linked),
        answer: wanted,
      });
      seen.refused++;
    } else {
      const subject = { genesisHash: request.genesisHash, transaction: approval, linked: wanted.transaction };
      const items = expectedReview({ ...subject, token: undefined });
      expect(review).toEqual(items.map(([title, value]) => [title, value.replaceAll('\n', '')]));
      seen.shown++;
    }
  }
  expect(Math.min(seen.refused, seen.shown)).toBeGreaterThan(100);
});
