import {
  type Draft,
  estimateFee,
  GatewayClient,
  prepareTransaction,
  signTransaction,
} from '@zbc-signer/host';
import { answer } from '../../../../testkit/gateway/fake-gateway.js';
import {
  codeOf,
  FEE,
  FlowFixture,
  keyOf,
  NOT_FOUND,
  POST,
  refusal,
  SENT,
  STATUS,
  sendDraft,
} from '../../../../testkit/gateway/flow-fixture.js';

const COIN = 100_000_000n;
let fixture: FlowFixture;
beforeEach(async () => {
  fixture = await FlowFixture.start();
});
afterEach(() => fixture.gateway.stop());

const estimate = (minimumFee: bigint, rest = '') => answer(`{"minimum_fee":${minimumFee}${rest}}`);

test('a minimum fee above 0.1 coins is not shown, signed or paid', async () => {
  fixture.gateway.on(FEE, estimate(COIN / 10n + 1n));
  await expect(fixture.run(sendDraft())).rejects.toMatchObject({
    code: 'FEE_TOO_HIGH',
    facts: { fee: '10000001', maxFee: '10000000', minimumFee: '10000001' },
  });
  expect(fixture.asked).toEqual([]);
  expect(fixture.events.map(({ step }) => step)).not.toContain('review');
  expect(fixture.posts).toEqual([]);
});

test('the limit also holds for a software signer and for a fee that the caller gives', async () => {
  const signer = keyOf(0);
  const call = fixture.run(sendDraft({ fee: COIN / 10n + 1n }), undefined, { signer });
  expect(await codeOf(call)).toBe('FEE_TOO_HIGH');
  expect(fixture.posts).toEqual([]);
});

test('a fee of exactly the limit is signed', async () => {
  fixture.gateway.on(FEE, estimate(COIN / 10n)).on(POST, refusal('stop here'));
  expect(await codeOf(fixture.run(sendDraft()))).toBe('BROADCAST_REFUSED');
  expect(fixture.asked).toHaveLength(1);
});

test.each([
  [2n * COIN, 2n * COIN, 'BROADCAST_REFUSED'],
  [2_500_001n, 2_500_000n, 'FEE_TOO_HIGH'],
])('a minimum fee of %s with a limit of %s ends with %s', async (minimumFee, maxFee, code) => {
  fixture.gateway.on(FEE, estimate(minimumFee)).on(POST, refusal('stop here'));
  expect(await codeOf(fixture.run(sendDraft(), undefined, { maxFee }))).toBe(code);
});

test.each([
  [-3601n, 'CLOCK_MISMATCH'],
  [-3600n, 'BROADCAST_REFUSED'],
  [3600n, 'BROADCAST_REFUSED'],
  [3601n, 'CLOCK_MISMATCH'],
])("a node's clock that is %s seconds away ends with %s", async (difference, code) => {
  fixture.gateway.on(FEE, estimate(2_500_000n, `,"timestamp":${SENT.timestamp + difference}`));
  fixture.gateway.on(POST, refusal('stop here')).on(STATUS, NOT_FOUND);
  expect(await codeOf(fixture.run(sendDraft()))).toBe(code);
  expect(fixture.asked).toHaveLength(code === 'CLOCK_MISMATCH' ? 0 : 1);
});

test('an amount of 0 is sent only if it is allowed', async () => {
  fixture.gateway.on(POST, refusal('stop here'));
  await expect(fixture.run(sendDraft({ amount: 0n }))).rejects.toMatchObject({
    code: 'ZERO_AMOUNT',
    message: 'the amount is 0, and allowsZeroAmount is not set: nothing was signed',
  });
  expect(fixture.asked).toEqual([]);
  const allowed = fixture.run(sendDraft({ amount: 0n }), undefined, { allowsZeroAmount: true });
  expect(await codeOf(allowed)).toBe('BROADCAST_REFUSED');
});

test.each<[bigint, number | undefined]>([
  [COIN, undefined],
  [COIN / 4n, undefined],
  [COIN / 4n - 1n, 0.1],
  [2_500_000n, 1],
  [1n, 2_500_000],
  [0n, undefined],
])(
  'a fee of 0.025 coins is reported before the review, for an amount of %s atomic units with the share %s',
  async (amount, share) => {
    fixture.gateway.on(POST, refusal('stop here'));
    await codeOf(fixture.run(sendDraft({ amount }), undefined, { allowsZeroAmount: true }));
    const steps = fixture.events.map(({ step }) => step);
    expect(steps.indexOf('fee')).toBeLessThan(steps.indexOf('review'));
    const { highShare } = fixture.events.find(({ step }) => step === 'fee') as { highShare?: number };
    expect(highShare).toEqual(share === undefined ? undefined : expect.closeTo(share, 5));
  },
);

test.each([
  ['that the gateway asks for', {}],
  ['of the caller', { fee: 0n }],
])('a fee of 0 %s is refused before the device is asked', async (_whose, changes) => {
  fixture.gateway.on(FEE, estimate(0n));
  await expect(fixture.run(sendDraft(changes))).rejects.toMatchObject({
    code: 'FEE_TOO_LOW',
    message: expect.stringContaining('nothing was signed'),
  });
  expect(fixture.asked).toEqual([]);
});

test('a transaction prepared elsewhere with a fee of 0 is not signed', async () => {
  const prepared = await prepareTransaction(sendDraft(), {
    gateway: new GatewayClient(fixture.url),
    publicKey: SENT.sender.payload,
    journal: fixture.journal,
    clock: { now: () => Number(SENT.timestamp) * 1000, sleep: async () => undefined },
  });
  prepared.transaction.fee = 0n;
  const clock = { now: () => Number(SENT.timestamp) * 1000, sleep: async () => undefined };
  expect(await codeOf(signTransaction(prepared, { signer: keyOf(0), clock }))).toBe('FEE_TOO_LOW');
});

test.each<[string, Partial<Draft>, string]>([
  ['coins', sendDraft(), 'type=1&body_length=8'],
  ['coins, of which nothing else is known', { type: 1 }, 'type=1&body_length=8'],
  ['a token', { type: 11 }, 'type=11&body_length=16'],
  ['a token, with the fee in the token', { type: 11, feeInToken: true }, 'type=11&body_length=17'],
  [
    'a token, with the field that the fee is not in the token',
    { type: 11, feeInToken: false },
    'type=11&body_length=17',
  ],
  ['a decision', { type: 4 }, 'type=4&body_length=36'],
])('the fee of a draft of %s is asked for, and nothing else', async (_, draft, query) => {
  fixture.gateway.on(FEE, estimate(2_600_000n));
  const gateway = new GatewayClient(fixture.url);
  expect(await estimateFee(draft as Draft, { gateway })).toBe(2_600_000n);
  expect(fixture.gateway.requests.map(({ path }) => path)).toEqual([
    `/api/v1/blockchain/estimate-fee?${query}`,
  ]);
});

test('the fee of a draft of an unknown type is not asked for', async () => {
  const gateway = new GatewayClient(fixture.url);
  for (const type of [2, 'toString', undefined]) {
    expect(await codeOf(estimateFee({ type } as never, { gateway }))).toBe('INVALID_INPUT');
  }
  expect(await codeOf(estimateFee(undefined as never, { gateway }))).toBe('INVALID_INPUT');
  expect(fixture.gateway.requests).toEqual([]);
});

test('gateways that disagree about the fee of a draft estimate none', async () => {
  const other = await FlowFixture.start();
  other.gateway.on(FEE, estimate(2_600_000n));
  const otherGateways = [new GatewayClient(other.url)];
  const estimated = estimateFee(sendDraft(), { gateway: new GatewayClient(fixture.url), otherGateways });
  await expect(estimated).rejects.toMatchObject({ code: 'FEE_MISMATCH', facts: { otherFee: '2600000' } });
  await other.gateway.stop();
});
