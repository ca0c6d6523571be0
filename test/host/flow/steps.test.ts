import { encodeTransaction, fromHex, signingDigest, toHex } from '@zbc-signer/chain';
import {
  confirmTransaction,
  type FlowEvent,
  formatDocument,
  GatewayClient,
  NonceError,
  type PreparedTransaction,
  parseDocument,
  parseSignedDocument,
  prepareTransaction,
  type SignedTransaction,
  SigningRecord,
  signTransaction,
  submitTransaction,
} from '@zbc-signer/host';
import {
  codeOf,
  FlowFixture,
  keyOf,
  NOT_FOUND,
  OWN,
  POST,
  receipt,
  SEND,
  SENT,
  STATUS,
  sendDraft,
  stage,
} from '../../../testkit/gateway/flow-fixture.js';

const HASH = SEND.expect.tx_hash;
const HOUR_S = 3600;

let fixture: FlowFixture;
let now: number;
beforeEach(async () => {
  fixture = await FlowFixture.start();
  now = Number(SENT.timestamp) * 1000;
});
afterEach(() => fixture.gateway.stop());

const clock = { now: () => now, sleep: async (ms: number) => void (now += ms) };
const gateway = () => new GatewayClient(fixture.url);
const prepare = (changes: object = {}) =>
  prepareTransaction(sendDraft(changes), {
    gateway: gateway(),
    publicKey: fromHex(OWN.public_key),
    journal: fixture.journal,
    clock,
  });
const sign = (prepared: PreparedTransaction) => signTransaction(prepared, { signer: keyOf(0), clock });
const submit = (signed: SignedTransaction, onProgress?: (event: FlowEvent) => void) =>
  submitTransaction(signed, { gateway: gateway(), journal: fixture.journal, clock, onProgress });

describe('the steps', () => {
  test('make a payment when each step passes its result on as a document', async () => {
    const prepared = parseDocument(formatDocument(await prepare()));
    expect(prepared.review).toEqual(SEND.expect.review);
    const signed = parseSignedDocument(formatDocument(await sign(prepared)));
    expect(toHex(signed.signature)).toBe(SEND.expect.signature);
    const submitted = await submit(signed);
    expect(submitted).toMatchObject({ sent: 'yes', duplicate: false });
    const outcome = await confirmTransaction(submitted, {
      gateway: gateway(),
      journal: fixture.journal,
      clock,
    });
    expect(outcome).toMatchObject({ status: 'confirmed', blockHeight: 12n });
    expect(toHex(outcome.transactionHash)).toBe(HASH);
  });

  test('prepare without a signer, and sign without a gateway', async () => {
    const prepared = await prepare();
    await fixture.gateway.stop();
    await sign(prepared);
    fixture = await FlowFixture.start();
  });

  test('give equal payments different timestamps', async () => {
    const [one, other] = [await prepare(), await prepare()];
    expect(other.transaction.timestamp - one.transaction.timestamp).toBe(1n);
  });
});

describe('preparing a payment', () => {
  test.each<[string, object, string]>([
    ['an estimated fee above the limit', { maxFee: 2_499_999n }, 'FEE_TOO_HIGH'],
    ['another chain', { expectedGenesisHash: new Uint8Array(32) }, 'WRONG_CHAIN'],
    ['a call after an abort', { signal: AbortSignal.abort() }, 'ABORTED'],
  ])('%s is refused', async (_what, options, code) => {
    const publicKey = fromHex(OWN.public_key);
    const call = prepareTransaction(sendDraft(), {
      gateway: gateway(),
      publicKey,
      journal: fixture.journal,
      clock,
      ...options,
    });
    expect(await codeOf(call)).toBe(code);
  });
});

test.each<[string, number, string]>([
  ['signature', 0, 'INVALID_SIGNATURE'],
  ['hash', 64, 'TRANSACTION_HASH_MISMATCH'],
])('a signer that returns a wrong %s is refused', async (_what, at, code) => {
  const key = keyOf(0);
  const signer = {
    getPublicKey: () => key.getPublicKey(),
    signTransaction: async (...request: Parameters<typeof key.signTransaction>) => {
      const signed = await key.signTransaction(...request);
      const bytes = at < 64 ? signed.signature : signed.transactionHash;
      bytes[at % 64]! ^= 1;
      return signed;
    },
  };
  expect(await codeOf(signTransaction(await prepare(), { signer, clock }))).toBe(code);
});

test('the evidence against a signer is reported although the caller aborts', async () => {
  const abort = new AbortController();
  const signer = {
    getPublicKey: () => keyOf(0).getPublicKey(),
    signTransaction: () => {
      abort.abort();
      const [public_key, message, random_bytes, nonce_point] = ['00', '00', '00', '00'] as const;
      throw new NonceError('NONCE_INVALID', { public_key, message, random_bytes, nonce_point });
    },
  };
  const signing = signTransaction(await prepare(), { signer, clock, signal: abort.signal });
  await expect(signing).rejects.toBeInstanceOf(NonceError);
});

test.each(['with another signer', 'that was signed before'])(
  'no review is reported for a transaction %s, because the device shows none',
  async what => {
    const prepared = await prepare();
    const record = new SigningRecord();
    const options = { signer: keyOf(what === 'with another signer' ? 1 : 0), clock, record };
    const digest = signingDigest(prepared.genesisHash, encodeTransaction(prepared.transaction));
    if (what === 'that was signed before')
      await record.noteRevealed(prepared.publicKey, digest, { isAgain: false, isCounted: true });
    const steps: string[] = [];
    const onProgress = ({ step }: FlowEvent) => steps.push(step);
    expect(await codeOf(signTransaction(prepared, { ...options, onProgress }))).toMatch(/MISMATCH|ALREADY/);
    expect(steps).toEqual([]);
  },
);

describe('signing a prepared transaction', () => {
  test.each<[string, (prepared: PreparedTransaction) => void, object, string]>([
    ['an hour and a second later', () => (now += (HOUR_S + 1) * 1000), {}, 'TRANSACTION_EXPIRED'],
    [
      'whose timestamp was moved into the future',
      p => (p.transaction.timestamp += BigInt(HOUR_S + 1)),
      {},
      'TRANSACTION_POSTDATED',
    ],
    ['with a fee above the limit', () => undefined, { maxFee: 2_499_999n }, 'FEE_TOO_HIGH'],
    ['for another chain', () => undefined, { expectedGenesisHash: new Uint8Array(32) }, 'WRONG_CHAIN'],
    ['with another key', () => undefined, { signer: keyOf(1) }, 'PUBLIC_KEY_MISMATCH'],
    ['whose key is not the sender', p => p.publicKey.fill(7), {}, 'INVALID_TRANSACTION'],
    ['whose fee was changed', p => (p.transaction.fee = 10n ** 12n), {}, 'FEE_TOO_HIGH'],
    ['after an abort', () => undefined, { signal: AbortSignal.abort() }, 'ABORTED'],
  ])('%s is refused before the signer is asked', async (_what, change, options, code) => {
    const prepared = await prepare();
    change(prepared);
    let asked = 0;
    const key = keyOf(0);
    const signer = {
      getPublicKey: () => key.getPublicKey(),
      signTransaction: (...request: Parameters<typeof key.signTransaction>) => {
        asked += 1;
        return key.signTransaction(...request);
      },
    };
    expect(await codeOf(signTransaction(prepared, { signer, clock, ...options }))).toBe(code);
    expect(asked).toBe(0);
    expect(fixture.posts).toEqual([]);
  });

  test('whose timestamp is too far ahead leads to no broadcast, because a node would accept it later', async () => {
    const signed = await sign(await prepare());
    now -= (HOUR_S + 1) * 1000;
    expect(await codeOf(submit(signed))).toBe('TRANSACTION_POSTDATED');
    expect(fixture.posts).toEqual([]);
  });

  test('that has become an hour old since leads to no broadcast', async () => {
    const signed = await sign(await prepare());
    now += (HOUR_S + 1) * 1000;
    await expect(submit(signed)).rejects.toMatchObject({
      code: 'TRANSACTION_EXPIRED',
      facts: { sent: 'no' },
    });
    expect(fixture.posts).toEqual([]);
    expect(await fixture.journal.pending()).toEqual([]);
  });

  test('of a document that has become an hour old leads to no broadcast, and may have been sent', async () => {
    const document = formatDocument(await sign(await prepare()));
    now += (HOUR_S + 1) * 1000;
    await expect(submit(parseSignedDocument(document))).rejects.toMatchObject({
      code: 'TRANSACTION_EXPIRED',
      facts: { sent: 'maybe' },
    });
    expect(fixture.posts).toEqual([]);
  });

  test('in the last second of the hour is allowed', async () => {
    const prepared = await prepare();
    now += HOUR_S * 1000;
    expect((await sign(prepared)).sent).toBe('no');
  });
});

describe('submitting a signed transaction', () => {
  test('that was never submitted but is on the chain is refused as a duplicate', async () => {
    const signed = await sign(await prepare());
    fixture.gateway.on(STATUS, stage('mempool'));
    await expect(submit(signed)).rejects.toMatchObject({
      code: 'DUPLICATE_TRANSACTION',
      facts: { transactionHash: HASH, sent: 'maybe' },
    });
  });

  test('that a crashed program may have sent finds it without a second broadcast', async () => {
    const signed = await sign(await prepare());
    let kept = formatDocument(signed);
    fixture.gateway.on(POST, 'drop').on(STATUS, NOT_FOUND);
    const crash = submit(signed, event => {
      if (event.step === 'submitting') kept = formatDocument(event.signed);
    });
    await expect(crash).rejects.toMatchObject({ code: 'BROADCAST_UNCERTAIN' });
    const posts = fixture.posts.length;
    fixture.gateway.on(STATUS, stage('mempool'));
    const again = parseSignedDocument(kept);
    expect(again.sent).toBe('maybe');
    expect(await submit(again)).toMatchObject({ sent: 'yes', duplicate: true });
    expect(fixture.posts).toHaveLength(posts);
  });

  test('that may have been sent but is not on the chain sends it', async () => {
    const signed: SignedTransaction = { ...(await sign(await prepare())), sent: 'maybe' };
    fixture.gateway.on(STATUS, NOT_FOUND).on(POST, receipt(undefined, true));
    expect(await submit(signed)).toMatchObject({ sent: 'yes', duplicate: true });
    expect(fixture.posts).toHaveLength(1);
  });

  test.each(['no', 'yes'] as const)(
    'from a document ignores what the document says about "sent": %s',
    async sent => {
      const document = formatDocument({ ...(await sign(await prepare())), sent });
      fixture.gateway.on(STATUS, NOT_FOUND).on(POST, 'drop');
      await expect(submit(parseSignedDocument(document))).rejects.toMatchObject({
        facts: { transactionHash: HASH, sent: 'maybe' },
      });
    },
  );

  test('that is refused still leads to sent: maybe', async () => {
    const signed: SignedTransaction = { ...(await sign(await prepare())), sent: 'maybe' };
    fixture.gateway.on(STATUS, NOT_FOUND).on(POST, { status: 503, body: '' });
    await expect(submit(signed)).rejects.toMatchObject({ facts: { transactionHash: HASH, sent: 'maybe' } });
  });

  test.each<[string, (signed: SignedTransaction) => void, string]>([
    ['signature', signed => (signed.signature[3]! ^= 1), 'INVALID_SIGNATURE'],
    ['hash', signed => (signed.transactionHash[3]! ^= 1), 'TRANSACTION_HASH_MISMATCH'],
    ['amount', signed => Reflect.set(signed.transaction, 'amount', 1n), 'INVALID_SIGNATURE'],
    ['chain', signed => signed.genesisHash.fill(1), 'INVALID_SIGNATURE'],
  ])('with a changed %s is refused before anything is sent', async (_what, change, code) => {
    const signed = await sign(await prepare());
    change(signed);
    expect(await codeOf(submit(signed))).toBe(code);
    expect(fixture.gateway.routes).not.toContain(POST);
  });
});
