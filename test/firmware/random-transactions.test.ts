import { createPublicKey, verify as verifyByOpenSsl } from 'node:crypto';
import {
  accountFromPublicKey,
  decodeLinked,
  decodeTransaction,
  encodeTransaction,
  signingDigest,
  type Transaction,
  TransactionError,
  transactionHash,
  verify,
} from '../../chain/src/index.js';
import { Emulator } from '../../emulator/src/index.js';
import { expectedReview, type ReviewItem } from '../../host/src/expected-review.js';
import * as reasons from '../../protocol/refusal-reasons.js';
import * as statusWords from '../../protocol/status-words.js';
import { type Reply, send, signTransaction, splitReply } from '../support/apdu.js';
import { linkedBytes, type Request, randomRequests } from '../support/random-transaction.js';
import { accounts } from '../support/vectors.js';

const PUBLIC_KEY = Buffer.from(accounts.cases[0]!.public_key, 'hex');
const OWN = accountFromPublicKey(PUBLIC_KEY);
const SPKI = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), PUBLIC_KEY]);
const OPENSSL_KEY = createPublicKey({ key: SPKI, format: 'der', type: 'spki' });

let emulator: Emulator;
beforeAll(async () => {
  emulator = await Emulator.start();
});
afterAll(() => emulator.stop());

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const withoutLineFeeds = (items: ReviewItem[]) =>
  items.map(([title, value]) => [title, value.replaceAll('\n', '')]);

function apdusOf(request: Request, transaction = encodeTransaction(request.transaction)): Uint8Array[] {
  const { escrowed, signature, genesisHash, token } = request;
  const linked = escrowed ? { linked: hex(linkedBytes(escrowed, signature!)) } : {};
  return signTransaction({
    account: 0,
    genesis: hex(genesisHash),
    tx: hex(transaction),
    ...linked,
    ...(token && { token }),
  });
}

/** The review if there is one, and the reply after `decide`. */
async function run(
  apdus: Uint8Array[],
  decide: 'approve' | 'reject',
): Promise<{ review?: ReviewItem[]; reply: Reply }> {
  const begun = await send(bytes => emulator.exchange(bytes), apdus.slice(0, -1));
  if (begun.status !== '9000') return { reply: begun };
  const reply = emulator.exchange(apdus.at(-1)!).then(splitReply);
  if (!emulator.reviewing) return { reply: await reply };
  const review = await emulator.review();
  await emulator[decide]();
  return { review, reply: await reply };
}

test('2,000 random transactions decode, are shown for what they are, and their signatures verify', async () => {
  for (const request of randomRequests(OWN, 2000, 1)) {
    const { transaction, genesisHash, escrowed, token } = request;
    const bytes = encodeTransaction(transaction);
    expect(decodeTransaction(bytes)).toEqual(transaction);
    const { review, reply } = await run(apdusOf(request), 'approve');
    expect(review).toEqual(
      withoutLineFeeds(expectedReview({ genesisHash, transaction, linked: escrowed, token })),
    );
    expect(reply.status).toBe('9000');
    const signature = reply.data.subarray(0, 64);
    const digest = signingDigest(genesisHash, bytes);
    expect(verify(signature, digest, PUBLIC_KEY)).toBe(true);
    expect(verifyByOpenSsl(null, digest, OPENSSL_KEY, signature)).toBe(true);
    expect(hex(reply.data.subarray(64))).toBe(hex(transactionHash(bytes, signature)));
  }
});

/** A small generator of numbers that is the same at every run (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const MUTATIONS: ((bytes: Buffer, below: (n: number) => number) => Buffer)[] = [
  (bytes, below) => {
    bytes[below(bytes.length)]! ^= 1 << below(8);
    return bytes;
  },
  (bytes, below) => {
    bytes[below(bytes.length)] = [0, 1, 2, 0x7f, 0x80, 0xff][below(6)]!;
    return bytes;
  },
  (bytes, below) => bytes.subarray(0, below(bytes.length)),
  (bytes, below) => Buffer.concat([bytes, Buffer.alloc(1 + below(4), below(256))]),
  (bytes, below) => {
    const at = below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), Buffer.of(below(256)), bytes.subarray(at)]);
  },
  (bytes, below) => {
    const at = below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(8))]);
  },
  (bytes, below) => {
    const at = below(bytes.length);
    bytes.writeUIntLE(below(2 ** 24), Math.min(at, bytes.length - 3), 3);
    return bytes;
  },
];

/** What the signer must do with the bytes, by the chain's own decoder: the transaction it shows, or status and detail. */
function judge(request: Request, bytes: Uint8Array): { transaction: Transaction } | { refusal: string } {
  try {
    if (request.token && bytes.length >= 4 && Buffer.from(bytes).readUInt32LE() !== 11) {
      return { refusal: detailOf('MALFORMED', 0, 44, 'TOKEN_TAIL_UNEXPECTED') };
    }
    const transaction = decodeTransaction(bytes, OWN);
    return linkedRefusal(request, transaction, bytes) ?? { transaction };
  } catch (error) {
    if (!(error instanceof TransactionError)) throw error;
    const offset = error.reason === 'tx-empty' ? 36 : error.offset;
    return {
      refusal: detailOf(error.status, error.field, offset, error.reason.toUpperCase().replaceAll('-', '_')),
    };
  }
}

function linkedRefusal({ escrowed, signature }: Request, transaction: Transaction, bytes: Uint8Array) {
  const linked = escrowed ? linkedBytes(escrowed, signature!) : new Uint8Array();
  if (transaction.type !== 4) {
    return linked.length === 0 ? undefined : { refusal: detailOf('MALFORMED', 12, 0, 'LINKED_UNEXPECTED') };
  }
  const named = hex(transaction.escrowHash);
  if (escrowed && named === hex(transactionHash(encodeTransaction(escrowed), signature!))) {
    decodeLinked(linked);
    return undefined;
  }
  const offset = Buffer.from(bytes).indexOf(named, 0, 'hex');
  return { refusal: detailOf('ESCROW_HASH_MISMATCH', 8, offset, 'ESCROW_HASH') };
}

function detailOf(status: string, field: number, offset: number, reason: string): string {
  const number = (reasons as Record<string, number>)[reason]!;
  const word = (statusWords as Record<string, number>)[status]!.toString(16).toUpperCase();
  return `${word} ${Buffer.of(field, offset & 0xff, offset >> 8, number).toString('hex')}`;
}

test('10,000 mutations are each refused, or shown for what they are', async () => {
  const below = numbers(2);
  const requests = randomRequests(OWN, 500, 3);
  const seen = { refused: 0, shown: 0 };
  for (let i = 0; i < 10_000; i++) {
    const request = requests[i % requests.length]!;
    const mutate = MUTATIONS[below(MUTATIONS.length)]!;
    const bytes = mutate(Buffer.from(encodeTransaction(request.transaction)), below);
    const wanted = judge(request, bytes);
    const { review, reply } = await run(apdusOf(request, bytes), 'reject');
    if ('refusal' in wanted) {
      expect({ bytes: hex(bytes), answer: `${reply.status} ${hex(reply.data)}` }).toEqual({
        bytes: hex(bytes),
        answer: wanted.refusal,
      });
      seen.refused++;
    } else {
      const { genesisHash, escrowed: linked, token } = request;
      const subject = { genesisHash, transaction: wanted.transaction, linked, token };
      expect(review).toEqual(withoutLineFeeds(expectedReview(subject)));
      expect(reply.status).toBe('6985');
      seen.shown++;
    }
  }
  expect(Math.min(seen.refused, seen.shown)).toBeGreaterThan(500);
});
