import { createPublicKey, verify as verifyByOpenSsl } from 'node:crypto';
import {
  accountFromPublicKey,
  decodeTransaction,
  encodeTransaction,
  signingDigest,
  transactionHash,
  verify,
} from '../../chain/src/index.js';
import { Emulator } from '../../emulator/src/index.js';
import { expectedReview, type ReviewItem } from '../../host/src/expected-review.js';
import { send, signTransaction, splitReply } from '../support/apdu.js';
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

function apdusOf({ transaction, escrowed, signature, genesisHash, token }: Request): Uint8Array[] {
  const linked = escrowed ? { linked: hex(linkedBytes(escrowed, signature!)) } : {};
  return signTransaction({
    account: 0,
    genesis: hex(genesisHash),
    tx: hex(encodeTransaction(transaction)),
    ...linked,
    ...(token && { token }),
  });
}

/** The review, and the reply after it is approved. */
async function approve(apdus: Uint8Array[]) {
  expect((await send(bytes => emulator.exchange(bytes), apdus.slice(0, -1))).status).toBe('9000');
  const reply = emulator.exchange(apdus.at(-1)!).then(splitReply);
  const review = await emulator.review();
  await emulator.approve();
  return { review, reply: await reply };
}

// Transactions that are not like these: test/prove/differential.test.ts.
test('2,000 random transactions decode, are shown for what they are, and their signatures verify', async () => {
  for (const request of randomRequests(OWN, 2000, 1)) {
    const { transaction, genesisHash, escrowed, token } = request;
    const bytes = encodeTransaction(transaction);
    expect(decodeTransaction(bytes)).toEqual(transaction);
    const { review, reply } = await approve(apdusOf(request));
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
