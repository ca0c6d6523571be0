import { createPublicKey, verify as verifyByOpenSsl } from 'node:crypto';
import {
  accountFromPublicKey,
  decodeTransaction,
  encodeTransaction,
  signingDigest,
  transactionHash,
  verify,
} from '@zbc-signer/chain';
import { Emulator } from '@zbc-signer/emulator';
import { linkedBytes, type SigningRequest } from '@zbc-signer/emulator/arbitrary';
import { expectedReview, type ReviewItem } from '@zbc-signer/host';
import { randomRequests } from '../../testkit/chain/random-transaction.js';
import { send, signTransaction, splitReply } from '../../testkit/device/apdu.js';
import { caseCount } from '../../testkit/repository/case-count.js';
import { accounts } from '../../testkit/repository/vectors.js';

const CASES = caseCount(2000);
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

function apdusOf({ transaction, escrowed, signature, genesisHash, token }: SigningRequest): Uint8Array[] {
  const linked = escrowed ? { linked: hex(linkedBytes(escrowed, signature!)) } : {};
  return signTransaction({
    account: 0,
    genesis: hex(genesisHash),
    tx: hex(encodeTransaction(transaction)),
    ...linked,
    ...(token && { token }),
  });
}

/** The review, and the reply after its approval. */
async function approve(apdus: Uint8Array[]) {
  expect((await send(bytes => emulator.exchange(bytes), apdus.slice(0, -1))).status).toBe('9000');
  const reply = emulator.exchange(apdus.at(-1)!).then(splitReply);
  const review = await emulator.review();
  await emulator.approve();
  return { review, reply: await reply };
}

// Other kinds of transactions are in test/prove/differential/run.test.ts.
test(`${CASES} random transactions decode, are shown as they are, and their signatures verify`, async () => {
  for (const request of randomRequests(OWN, CASES, 1)) {
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
