import {
  accountFromHex,
  accountFromPublicKey,
  decodeTransaction,
  fromHex,
  type Transaction,
  toHex,
} from '@zbc-signer/chain';
import {
  type Draft,
  type FlowEvent,
  type FlowOptions,
  GatewayClient,
  prepareTransaction,
  resumePayments,
  type SignTransactionRequest,
  signTransaction,
} from '@zbc-signer/host';
import { answer, type FakeGateway } from '../../../testkit/gateway/fake-gateway.js';
import {
  ACCOUNT,
  APPROVAL,
  APPROVE,
  BUSY,
  codeOf,
  ESCROW,
  ESCROW_RECORD,
  ESCROW_ROUTE,
  FEE,
  FlowFixture,
  HEIGHT,
  INFO,
  info,
  keyOf,
  LIST,
  NOT_FOUND,
  OWN,
  POST,
  receipt,
  refusal,
  SEND,
  SENT,
  STATUS,
  sendDraft,
  stage,
  TOKENS,
} from '../../../testkit/gateway/flow-fixture.js';
import { transactions } from '../../../testkit/repository/vectors.js';

/** An escrow whose commission is one atomic unit. */
const HELD = {
  approver: SENT.recipient,
  commission: 1n,
  timeout: SENT.timestamp + 3600n,
  instruction: new Uint8Array(0),
  multiParty: false,
};

let fixture: FlowFixture;
let gateway: FakeGateway;
let events: FlowEvent[];
let asked: SignTransactionRequest[];

beforeEach(async () => {
  fixture = await FlowFixture.start();
  ({ gateway, events, asked } = fixture);
});
afterEach(() => gateway.stop());

const run = (draft: Draft, timestamp?: bigint, options?: Partial<FlowOptions>) =>
  fixture.run(draft, timestamp, options);
const posts = () => fixture.posts;

describe('the sequence of a payment', () => {
  test('requests, signs, broadcasts and polls in the documented order', async () => {
    const result = await run(sendDraft());
    expect(gateway.routes).toEqual([INFO, ACCOUNT, FEE, LIST, STATUS, POST, STATUS, STATUS, STATUS, HEIGHT]);
    expect(result).toMatchObject({
      transactionHash: fromHex(SEND.expect.tx_hash),
      // The first 8 bytes of the hash as a little-endian i64, read with Node's Buffer.
      transactionId: Buffer.from(SEND.expect.tx_hash, 'hex').readBigInt64LE(0),
      genesisHash: fromHex(SEND.genesis),
      status: 'confirmed',
      blockHeight: 12n,
      duplicate: false,
    });
    expect(Buffer.from(result.signature).toString('hex')).toBe(SEND.expect.signature);
  });

  test('has results and events that JSON.stringify writes, with all digits', async () => {
    const written: string[] = [];
    const outcome = await run(sendDraft(), undefined, {
      onProgress: event => written.push(JSON.stringify(event)),
    });
    expect(JSON.parse(JSON.stringify({ outcome }))).toMatchObject({
      outcome: {
        transactionHash: SEND.expect.tx_hash,
        transactionId: `${Buffer.from(SEND.expect.tx_hash, 'hex').readBigInt64LE(0)}`,
        transaction: { amount: '100000000', sender: { payload: OWN.public_key } },
        blockHeight: '12',
      },
    });
    expect(structuredClone(outcome)).toEqual(outcome);
    expect(written.map(text => JSON.parse(text).step)).toContain('submitting');
  });

  test('has a resumed payment that JSON.stringify writes, with its error', async () => {
    gateway.on(POST, 'drop').on(STATUS, NOT_FOUND);
    await codeOf(run(sendDraft()));
    const options = { gateway: new GatewayClient(fixture.url), clock: fixture.clock(SENT.timestamp) };
    const [resumed] = await resumePayments(fixture.journal, options);
    expect(JSON.parse(JSON.stringify(resumed))).toMatchObject({
      status: 'unknown',
      payment: { transactionHash: SEND.expect.tx_hash },
      error: { code: 'BROADCAST_UNCERTAIN', message: resumed!.error!.message },
    });
  });

  test('broadcasts only the named fields of the signed transaction', async () => {
    await run(sendDraft());
    const account = `00000000${OWN.public_key}`;
    expect(JSON.parse(posts()[0]!.body)).toEqual({
      version: 1,
      timestamp: Number(SENT.timestamp),
      transaction_type: 1,
      fee: 2_500_000,
      sender_account_address: account,
      recipient_account_address: account,
      transaction_body_bytes: '00e1f50500000000',
      signature: SEND.expect.signature,
    });
  });

  test("requests the fee for the transaction's type and body length", async () => {
    await run(sendDraft());
    expect(gateway.requests[2]!.path).toBe('/api/v1/blockchain/estimate-fee?type=1&body_length=8');
  });

  test('reports the expected review before the device is asked', async () => {
    await run(sendDraft());
    const review = events.find(event => event.step === 'review');
    expect(review).toMatchObject({ items: SEND.expect.review });
    expect(events.indexOf(review!)).toBeLessThan(events.findIndex(event => event.step === 'signed'));
  });

  test('broadcasts escrow and message as they were signed', async () => {
    const vector = transactions.cases.find(({ name }) => name === 'send with escrow and message')!;
    const { type, amount, recipient, escrow, message, fee, timestamp } = decodeTransaction(
      fromHex(vector.tx),
    ) as Extract<Transaction, { type: 1 }>;
    gateway.on(POST, receipt(vector.expect.tx_hash));
    const status = `GET /api/v1/transactions/${vector.expect.tx_hash}/status`;
    gateway.on(status, NOT_FOUND, stage('confirmed')).on(INFO, info(undefined, vector.genesis));
    const result = await run({ type, amount, recipient, escrow, message, fee }, timestamp);
    expect(toHex(result.transactionHash)).toBe(vector.expect.tx_hash);
    expect(JSON.parse(posts()[0]!.body)).toMatchObject({
      message_hex: Buffer.from('invoice 42').toString('hex'),
      escrow: { commission: 5000, timeout: 1_800_000_000, instruction: 'ship first' },
    });
  });

  test("ends before the review if no broadcast can carry the escrow's instruction", async () => {
    const escrow = { ...HELD, instruction: Uint8Array.of(0xff) };
    await expect(run(sendDraft({ escrow }))).rejects.toMatchObject({ code: 'INSTRUCTION_NOT_UTF8' });
    expect(asked).toEqual([]);
  });

  test('returns after the broadcast if waitsForConfirmation is false', async () => {
    const result = await run(sendDraft(), undefined, { waitsForConfirmation: false });
    expect(result.status).toBe('staging');
    expect(gateway.routes.filter(route => route === STATUS)).toHaveLength(2);
  });

  test('stops waiting after confirmationTimeoutMs, and reports the last stage', async () => {
    gateway.on(STATUS, NOT_FOUND, stage('mempool'));
    const call = run(sendDraft(), undefined, { confirmationTimeoutMs: 5000 });
    await expect(call).rejects.toMatchObject({ code: 'NOT_CONFIRMED', facts: { stage: 'mempool' } });
    expect(fixture.sleptMs).toBeGreaterThanOrEqual(5000);
    expect(fixture.sleptMs).toBeLessThan(6000);
  });
});

describe('the chain', () => {
  test.each([
    [',"signing_version":1', 'SIGNING_VERSION'],
    [',"signing_version":3', 'SIGNING_VERSION'],
    [',"signing_version":"2"', 'GATEWAY_MALFORMED'],
    [',"signing_version":2,"signing_tag":"ZBC-TX2"', 'SIGNING_TAG'],
    [',"signing_version":2,"signing_tag":"zbc-tx"', 'SIGNING_TAG'],
  ])('is refused before anything is signed when the node reports %j', async (rest, code) => {
    gateway.on(INFO, info(rest));
    expect(await codeOf(run(sendDraft()))).toBe(code);
    expect(gateway.routes).toEqual([INFO]);
    expect(asked).toEqual([]);
  });

  test('is accepted when the node does not report its signing tag', async () => {
    gateway.on(INFO, info(',"signing_version":2'));
    expect((await run(sendDraft())).status).toBe('confirmed');
  });

  test('gives the same digest when the gateway writes its hash in upper case after 0x', async () => {
    gateway.on(INFO, info(undefined, `0x${SEND.genesis.toUpperCase()}`));
    expect(toHex((await run(sendDraft())).transactionHash)).toBe(SEND.expect.tx_hash);
  });

  test('is refused when it is not the expected chain', async () => {
    const expectedGenesisHash = new Uint8Array(32);
    expect(await codeOf(run(sendDraft(), undefined, { expectedGenesisHash }))).toBe('WRONG_CHAIN');
    expect(asked).toEqual([]);
  });
});

describe('before the device is asked', () => {
  test.each<[string, object, string]>([
    ['more than the account can spend', { amount: 997_500_001n }, 'INSUFFICIENT_BALANCE'],
    [
      'an escrow commission that the account cannot pay in addition',
      { amount: 997_500_000n, escrow: HELD },
      'INSUFFICIENT_BALANCE',
    ],
    ['a fee below the minimum', { fee: 2_499_999n }, 'FEE_TOO_LOW'],
    ['a message that no signer accepts', { message: new Uint8Array(257) }, 'INVALID_TRANSACTION'],
  ])('refuses %s', async (_name, changes, code) => {
    const failure = await run(sendDraft(changes)).catch(error => error);
    expect([failure.code, failure.name]).toContain(code);
    expect(asked).toEqual([]);
  });

  test('allows a payment of the last atomic unit', async () => {
    gateway.on(POST, refusal('stop here'));
    expect(await codeOf(run(sendDraft({ amount: 997_500_000n })))).toBe('BROADCAST_REFUSED');
    expect(asked).toHaveLength(1);
  });

  test('refuses a payment of coins that the account has but cannot spend', async () => {
    gateway.on(ACCOUNT, answer('{"balance":1000000000,"spendable_balance":100000000}'));
    expect(await codeOf(run(sendDraft()))).toBe('INSUFFICIENT_BALANCE');
    expect(asked).toEqual([]);
  });

  test('reports that an account which is not on the chain can spend nothing', async () => {
    gateway.on(ACCOUNT, NOT_FOUND);
    expect(await codeOf(run(sendDraft()))).toBe('INSUFFICIENT_BALANCE');
  });
});

describe('a broadcast', () => {
  test('is not sent again when its answer is lost and the chain knows the hash', async () => {
    gateway.on(POST, 'drop').on(STATUS, NOT_FOUND, stage('confirmed'));
    const result = await run(sendDraft());
    expect(posts()).toHaveLength(1);
    expect(result).toMatchObject({ status: 'confirmed', duplicate: true });
  });

  test('is sent again after a lost answer only if the status route reports that the hash is unknown', async () => {
    gateway.on(POST, 'drop', receipt()).on(STATUS, NOT_FOUND, NOT_FOUND, stage('confirmed'));
    await run(sendDraft());
    expect(gateway.routes.slice(5)).toEqual([POST, STATUS, POST, STATUS, HEIGHT]);
  });

  test('counts malformed answers and proxy errors as lost answers', async () => {
    gateway.on(POST, answer('<html>', 200), answer('', 500), answer('', 502), receipt());
    gateway.on(STATUS, NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND, stage('confirmed'));
    await run(sendDraft());
    expect(gateway.routes.slice(5)).toEqual([POST, STATUS, POST, STATUS, POST, STATUS, POST, STATUS, HEIGHT]);
  });

  test('is accepted as a duplicate after a lost answer', async () => {
    gateway.on(POST, 'drop', receipt(undefined, true)).on(STATUS, NOT_FOUND, NOT_FOUND, stage('confirmed'));
    expect(await run(sendDraft())).toMatchObject({ status: 'confirmed', duplicate: true });
  });

  test('succeeds if the second copy is refused because the first copy was accepted', async () => {
    gateway.on(POST, 'drop', refusal('insufficient balance'));
    gateway.on(STATUS, NOT_FOUND, NOT_FOUND, stage('mempool'), stage('confirmed'));
    expect(await run(sendDraft())).toMatchObject({ status: 'confirmed' });
  });

  test("is not repeated if the node refuses it, and the error has the node's reason, cleaned", async () => {
    gateway.on(POST, refusal('sender account does not\\u202e exist')).on(STATUS, NOT_FOUND);
    await expect(run(sendDraft())).rejects.toMatchObject({
      code: 'BROADCAST_REFUSED',
      message: 'the node rejected the transaction: sender account does not exist',
    });
    expect(posts()).toHaveLength(1);
  });

  test('may be answered with its hash in upper case', async () => {
    gateway.on(POST, receipt(SEND.expect.tx_hash.toUpperCase()));
    expect((await run(sendDraft())).status).toBe('confirmed');
  });
});

describe('requests that read', () => {
  test('are repeated after 503 and lost connections', async () => {
    gateway.on(INFO, BUSY, 'drop', info()).on(STATUS, NOT_FOUND, 'drop', BUSY, stage('confirmed'));
    expect((await run(sendDraft())).status).toBe('confirmed');
  });

  test('are given up after a few tries', async () => {
    gateway.on(INFO, BUSY);
    expect(await codeOf(run(sendDraft()))).toBe('GATEWAY_BUSY');
    expect(gateway.routes).toHaveLength(4);
  });

  test('are not repeated when the answer is a refusal', async () => {
    gateway.on(INFO, refusal('no'));
    expect(await codeOf(run(sendDraft()))).toBe('GATEWAY_STATUS');
    expect(gateway.routes).toHaveLength(1);
  });
});

describe('a token', () => {
  const TOKEN = 'GET /api/v1/tokens/-42';
  const tokenDraft = (amount: bigint): Draft => ({
    type: 11,
    recipient: SENT.recipient,
    tokenId: -42n,
    amount,
  });
  const token = (symbol: string) => answer(`{"token_id":-42,"decimals":6,"symbol":"${symbol}"}`);
  const held = answer(
    '{"tokens":[{"token_id":-42,"decimals":6,"balance":9000000,"spendable_balance":9000000}]}',
  );

  beforeEach(() => {
    gateway.on(TOKEN, token('USDX')).on(TOKENS, held).on(POST, refusal('stop here'));
  });

  test("has an amount scaled by the chain's decimals, which the device receives with the symbol", async () => {
    await codeOf(run(tokenDraft(1_250_000n)));
    expect(gateway.routes.slice(0, 5)).toEqual([INFO, ACCOUNT, TOKEN, TOKENS, FEE]);
    expect(asked[0]!.token).toEqual({ decimals: 6, symbol: 'USDX' });
    expect(decodeTransaction(asked[0]!.transaction)).toMatchObject({ tokenId: -42n, amount: 1_250_000n });
  });

  test.each(['not ascii: Ü', 'two words', 'thirteen-long', '\\u001b[2J'])(
    'whose symbol is %j is shown without it',
    async symbol => {
      gateway.on(TOKEN, token(symbol));
      await codeOf(run(tokenDraft(1_000_000n)));
      expect(asked[0]?.token).toEqual({ decimals: 6 });
    },
  );

  test('is refused before the device is asked if the amount is more than the account holds', async () => {
    expect(await codeOf(run(tokenDraft(9_000_001n)))).toBe('INSUFFICIENT_BALANCE');
    expect(asked).toEqual([]);
  });

  test('is refused before the device is asked if the amount was scaled by other decimals', async () => {
    const draft = { ...tokenDraft(1_000_000n), decimals: 8 } as Draft;
    expect(await codeOf(run(draft))).toBe('TOKEN_MISMATCH');
    expect(asked).toEqual([]);
  });

  test('pays the fee only if the caller allows it', async () => {
    const draft = { ...tokenDraft(1_000_000n), feeInToken: true } as Draft;
    expect(await codeOf(run(draft))).toBe('FEE_IN_TOKEN');
    expect(gateway.routes).toEqual([]);
    expect(await codeOf(run(draft, undefined, { allowsFeeInToken: true }))).toBe('BROADCAST_REFUSED');
    expect(decodeTransaction(asked[0]!.transaction)).toMatchObject({ feeInToken: true });
    const prepared = { ...tokenDraft(1n), feeInToken: true } as Draft;
    const options = {
      gateway: new GatewayClient(fixture.url),
      publicKey: fromHex(OWN.public_key),
      paysAgain: true,
    };
    const built = await prepareTransaction(prepared, {
      ...options,
      allowsFeeInToken: true,
      clock: fixture.clock(SENT.timestamp),
    });
    const signing = signTransaction(built, { signer: keyOf(0), clock: fixture.clock(SENT.timestamp) });
    expect(await codeOf(signing)).toBe('FEE_IN_TOKEN');
  });

  test('that the chain does not know is refused', async () => {
    gateway.on(TOKEN, NOT_FOUND);
    expect(await codeOf(run(tokenDraft(1_000_000n)))).toBe('UNKNOWN_TOKEN');
  });
});

describe('an escrow approval', () => {
  beforeEach(() => {
    gateway
      .on(INFO, info(undefined, ESCROW.genesis))
      .on(ESCROW_ROUTE, answer(JSON.stringify(ESCROW_RECORD)))
      .on(POST, receipt(ESCROW.expect.tx_hash))
      .on(`GET /api/v1/transactions/${ESCROW.expect.tx_hash}/status`, NOT_FOUND, stage('confirmed'));
  });

  test('gives the device the escrowed bytes and signature, rebuilt from the named fields', async () => {
    const result = await run(APPROVE, APPROVAL.timestamp);
    expect(Buffer.from(asked[0]!.linked!).toString('hex')).toBe(ESCROW.linked);
    expect(toHex(result.transactionHash)).toBe(ESCROW.expect.tx_hash);
    expect(events.find(event => event.step === 'review')).toMatchObject({ items: ESCROW.expect.review });
  });

  test('of a hash that the chain does not know is refused', async () => {
    gateway.on(ESCROW_ROUTE, NOT_FOUND);
    expect(await codeOf(run(APPROVE))).toBe('ESCROW_NOT_FOUND');
  });

  test('by an account that is not the approver is refused', async () => {
    const other = keyOf(1);
    expect(await codeOf(run(APPROVE, undefined, { signer: other }))).toBe('NOT_THE_APPROVER');
  });
});

test("an abort during the review ends the payment with the signal's reason, and nothing is sent", async () => {
  const controller = new AbortController();
  const signer = {
    getPublicKey: () => keyOf(0).getPublicKey(),
    signTransaction: () => {
      controller.abort();
      return Promise.reject(controller.signal.reason);
    },
  };
  const call = run(sendDraft(), undefined, { signer, signal: controller.signal });
  await expect(call).rejects.toMatchObject({ name: 'AbortedError', code: 'ABORTED' });
  expect(posts()).toEqual([]);
});

test('accounts of other kinds are accepted as recipients', async () => {
  gateway.on(POST, refusal('stop here'));
  const recipient = accountFromHex(`04000000${'ab'.repeat(20)}`);
  await codeOf(run(sendDraft({ recipient })));
  expect(JSON.parse(posts()[0]!.body).recipient_account_address).toBe(`04000000${'ab'.repeat(20)}`);
  expect(decodeTransaction(asked[0]!.transaction).sender).toEqual(
    accountFromPublicKey(fromHex(OWN.public_key)),
  );
});
