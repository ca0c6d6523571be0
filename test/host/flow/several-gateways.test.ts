import {
  broadcastStateOf,
  type Draft,
  formatDocument,
  GatewayClient,
  parseSignedDocument,
  type sendTransaction,
  submitTransaction,
} from '@zbc-signer/host';
import { answer, type FakeAnswer, type FakeGateway } from '../../../testkit/gateway/fake-gateway.js';
import {
  codeOf,
  FEE,
  FlowFixture,
  HEIGHT,
  INFO,
  info,
  NOT_FOUND,
  POST,
  receipt,
  refusal,
  SENT,
  STATUS,
  sendDraft,
  stage,
  TOKENS,
} from '../../../testkit/gateway/flow-fixture.js';

let fixtures: FlowFixture[];
let first: FlowFixture;
let others: FakeGateway[];
beforeEach(async () => {
  fixtures = await Promise.all([1, 2, 3].map(() => FlowFixture.start()));
  first = fixtures[0]!;
  others = fixtures.slice(1).map(({ gateway }) => gateway);
  for (const other of others) other.on(STATUS, stage('confirmed'));
});
afterEach(() => Promise.all(fixtures.map(({ gateway }) => gateway.stop())));

/** Answers after which the wait for a confirmation must go on. */
const ODD: [what: string, reply: FakeAnswer][] = [
  ['500', answer('', 500)],
  ['401', answer('{"success":false,"error":"no","code":401}', 401)],
  ['404 with a page', answer('<title>Not found</title>', 404)],
  ['an empty 404', answer('', 404)],
  ['a redirect', { status: 302, body: '', headers: { location: '/' } }],
  ['a page', answer('<title>Welcome</title>')],
  ['bytes that are not HTTP', 'garbage'],
  [
    'the status of another transaction',
    answer(`{"transaction_hash":"${'00'.repeat(32)}","status":"mempool"}`),
  ],
  ['a block that existed at preparation', answer('{"status":"confirmed","block_height":3}')],
  ['a block that does not exist yet', answer('{"status":"confirmed","block_height":99}')],
  ['an unknown stage', stage('rejected')],
];

const confirmedIn = (block: number) => answer(`{"status":"confirmed","block_height":${block}}`);

function run(options: Partial<Parameters<typeof sendTransaction>[1]> = {}, draft: Draft = sendDraft()) {
  const otherGateways = fixtures.slice(1).map(({ url }) => new GatewayClient(url));
  return first.run(draft, undefined, { otherGateways, confirmationTimeoutMs: 5000, ...options });
}

describe('a payment that the gateway calls confirmed', () => {
  test('is confirmed if another gateway names the same block', async () => {
    others[1]!.on(STATUS, NOT_FOUND);
    expect(await run()).toMatchObject({ status: 'confirmed', blockHeight: 12n });
  });

  test.each<[string, FakeAnswer, FakeAnswer]>([
    ['knows it', NOT_FOUND, NOT_FOUND],
    ['has it in a block', stage('mempool'), stage('mempool')],
    ['names the same block', confirmedIn(11), confirmedIn(10)],
    ['answers', 'drop', 'drop'],
  ])('is not confirmed if no other gateway %s', async (_what, one, two) => {
    others[0]!.on(STATUS, one);
    others[1]!.on(STATUS, two);
    await expect(run()).rejects.toMatchObject({
      code: 'NOT_CONFIRMED',
      message: 'not confirmed: 1 of 3 gateways confirm the same block, but 2 are needed',
      facts: { sent: 'yes', stage: 'confirmed' },
    });
  });

  test('is reported with the names of the gateways whose confirmation cannot be true', async () => {
    for (const other of others) other.on(STATUS, confirmedIn(1));
    await expect(run()).rejects.toMatchObject({
      code: 'NOT_CONFIRMED',
      message: expect.stringContaining(`${fixtures[1]!.url} and ${fixtures[2]!.url}`),
    });
  });

  test('is refused if the quorum is larger than the number of gateways', async () => {
    expect(await codeOf(run({ quorum: 4 }))).toBe('INVALID_INPUT');
    expect(await codeOf(run({ quorum: 2, otherGateways: [] }))).toBe('INVALID_INPUT');
  });

  test('is not confirmed by one of two gateways', async () => {
    others[0]!.on(STATUS, NOT_FOUND);
    const otherGateways = [new GatewayClient(fixtures[1]!.url)];
    expect(await codeOf(run({ otherGateways }))).toBe('NOT_CONFIRMED');
  });

  test('is not confirmed if the gateways name no block', async () => {
    for (const { gateway } of fixtures) gateway.on(STATUS, answer('{"status":"confirmed"}'));
    first.gateway.on(STATUS, NOT_FOUND, answer('{"status":"confirmed"}'));
    expect(await codeOf(run())).toBe('NOT_CONFIRMED');
  });

  test('needs confirmations from as many gateways as the quorum', async () => {
    others[0]!.on(STATUS, NOT_FOUND);
    expect(await codeOf(run({ quorum: 3 }))).toBe('NOT_CONFIRMED');
  });

  test('is confirmed by the other gateways if the first gateway is gone after the broadcast', async () => {
    first.gateway.on(STATUS, NOT_FOUND, 'drop');
    expect(await run()).toMatchObject({ status: 'confirmed', blockHeight: 12n });
  });
});

test.each(['', '/', '/api/v1'])(
  'a gateway cannot confirm its own answer under the same URL with %j',
  async end => {
    const otherGateways = [new GatewayClient(`${first.url}${end}`)];
    await expect(run({ otherGateways })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(`${first.url} is named twice`),
    });
    expect(first.gateway.requests).toEqual([]);
  },
);

describe.each(ODD)('one answer of %s', (_what, odd) => {
  const alone = { otherGateways: [] };

  test('does not end the wait for the confirmation', async () => {
    first.gateway.on(STATUS, NOT_FOUND, odd, stage('mempool'), odd, stage('confirmed'));
    expect(await run(alone)).toMatchObject({ status: 'confirmed', blockHeight: 12n });
  });

  test('does not take the vote of another gateway', async () => {
    others[0]!.on(STATUS, odd, stage('confirmed'));
    others[1]!.on(STATUS, stage('staging'), odd, stage('confirmed'));
    expect(await run({ quorum: 3 })).toMatchObject({ status: 'confirmed', blockHeight: 12n });
  });
});

test.each(ODD.slice(0, 7))(
  'one answer of %s about the height does not end the wait either',
  async (_what, odd) => {
    first.gateway.on(HEIGHT, odd, answer('{"height":12}'));
    expect(await run({ otherGateways: [] })).toMatchObject({ status: 'confirmed', blockHeight: 12n });
  },
);

test('a gateway counts by its last answer', async () => {
  first.gateway.on(STATUS, NOT_FOUND, confirmedIn(11), stage('mempool'), stage('confirmed'));
  others[0]!.on(STATUS, ...Array<FakeAnswer>(4).fill(confirmedIn(11)), stage('confirmed'));
  others[1]!.on(STATUS, NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND, stage('confirmed'));
  expect(await run({ quorum: 3, confirmationTimeoutMs: 60_000 })).toMatchObject({
    status: 'confirmed',
    blockHeight: 12n,
  });
});

describe('a payment that nobody waits for', () => {
  const settle = async (...statuses: FakeAnswer[]) => {
    for (const [at, { gateway }] of fixtures.entries()) {
      gateway.on(STATUS, ...(at === 0 ? [NOT_FOUND] : []), statuses[at]!);
    }
    return run({ waitsForConfirmation: false });
  };

  test('is confirmed if the quorum names the same block', async () => {
    expect(await settle(NOT_FOUND, confirmedIn(11), confirmedIn(11))).toMatchObject({
      status: 'confirmed',
      blockHeight: 11n,
    });
  });

  test.each<[string, string, FakeAnswer, FakeAnswer, FakeAnswer]>([
    ['is the only one to name its block', 'submitted', confirmedIn(11), NOT_FOUND, confirmedIn(12)],
    ['reports the payment as waiting', 'mempool', answer('{"status":"mempool"}'), 'drop', confirmedIn(12)],
    [
      'names a block that does not exist yet',
      'submitted',
      confirmedIn(999),
      confirmedIn(999),
      confirmedIn(999),
    ],
  ])('is not confirmed if the gateway %s', async (_what, status, ...statuses) => {
    const outcome = await settle(...statuses);
    expect(outcome).toMatchObject({ status, sent: 'yes' });
    expect(outcome).not.toHaveProperty('blockHeight');
    expect(await first.journal.pending()).toMatchObject([{ sent: 'yes' }]);
    expect(first.events).not.toContainEqual(expect.objectContaining({ stage: 'confirmed' }));
  });

  test('is not confirmed by a single gateway whose chain cannot be read', async () => {
    first.gateway.on(STATUS, NOT_FOUND, stage('confirmed')).on(HEIGHT, 'drop');
    expect(await run({ waitsForConfirmation: false, otherGateways: [] })).toMatchObject({
      status: 'submitted',
    });
  });
});

describe('the fee', () => {
  const fee = (atoms: bigint) => answer(`{"minimum_fee":${atoms}}`);
  const paid = () => JSON.parse(first.posts[0]!.body).fee;
  // With another fee, the hash differs from the fixture's, so the broadcast is stopped here.
  beforeEach(() => first.gateway.on(POST, refusal('stop here')));

  test.each<[string, bigint, FakeAnswer, FakeAnswer, number]>([
    ['the amount on which two other gateways agree', 9_000_000n, fee(3_000_000n), fee(3_000_000n), 3_000_000],
    [
      'the amount on which the first and another gateway agree',
      2_600_000n,
      fee(1n),
      fee(2_600_000n),
      2_600_000,
    ],
    [
      "the first gateway's amount if no other gateway answers",
      2_600_000n,
      'drop',
      answer('', 500),
      2_600_000,
    ],
  ])('is %s', async (_what, own, one, two, expected) => {
    first.gateway.on(FEE, fee(own));
    others[0]!.on(FEE, one);
    others[1]!.on(FEE, two);
    await codeOf(run());
    expect(paid()).toBe(expected);
  });

  test.each<[string, FakeAnswer, FakeAnswer]>([
    ['no two gateways agree', fee(3n), fee(4n)],
    ['the only other gateway that answers differs', 'drop', fee(2_500_000n)],
  ])('is not paid if %s, unless the caller gives it', async (_what, one, two) => {
    first.gateway.on(FEE, fee(9_000_000n));
    others[0]!.on(FEE, one);
    others[1]!.on(FEE, two);
    expect(await codeOf(run())).toBe('FEE_MISMATCH');
    expect(first.asked).toEqual([]);
    await codeOf(run({}, sendDraft({ fee: 9_500_000n })));
    expect(paid()).toBe(9_500_000);
  });
});

describe('a token that the gateway describes', () => {
  const TOKEN = 'GET /api/v1/tokens/-42';
  const token = (changes = {}) =>
    answer(JSON.stringify({ token_id: -42, decimals: 3, symbol: 'USDX', name: 'Dollar', ...changes }));
  const draft = (changes = {}) => ({
    type: 11 as const,
    recipient: SENT.recipient,
    tokenId: -42n,
    amount: 2500n,
    ...changes,
  });
  const describeToken = ({ gateway }: FlowFixture, changes: object = {}) =>
    gateway.on(TOKEN, token(changes)).on(
      TOKENS,
      answer(
        JSON.stringify({
          tokens: [{ token_id: -42, decimals: 3, ...changes, balance: 9000, spendable_balance: 9000 }],
        }),
      ),
    );
  beforeEach(() => {
    for (const fixture of fixtures) describeToken(fixture);
    first.gateway.on(POST, refusal('stop here'));
  });

  test.each<[string, object, object]>([
    ['decimals', { decimals: 4 }, { decimals: 4 }],
    ['decimals', { decimals: 4 }, {}],
    ['symbol', { symbol: 'ZBC' }, {}],
    ['name', { name: 'Euro' }, {}],
  ])('with %s of its own (%j) is not shown on the device', async (field, lie, changes) => {
    describeToken(first, lie);
    await expect(run({}, draft(changes))).rejects.toMatchObject({ code: 'TOKEN_MISMATCH', facts: { field } });
    expect(first.asked).toEqual([]);
    expect(first.events.map(({ step }) => step)).not.toContain('token');
  });

  test('has no symbol or name that one gateway alone reports', async () => {
    for (const other of others) other.on(TOKEN, token({ symbol: null, name: null }));
    await codeOf(run({}, draft()));
    const shown = first.events.find(({ step }) => step === 'token');
    expect(shown).toMatchObject({ token: { id: -42n, decimals: 3 } });
    expect(JSON.stringify(shown)).not.toMatch(/USDX|Dollar/);
  });

  test.each<[string, FakeAnswer, FakeAnswer, object]>([
    ['one other gateway describes it so too', token(), 'drop', { decimals: 3, symbol: 'USDX' }],
    [
      'one other gateway describes less of it',
      token({ symbol: null, name: null, supply: 7 }),
      NOT_FOUND,
      { decimals: 3 },
    ],
  ])('is shown as others vouch for it if %s', async (_what, one, two, shown) => {
    others[0]!.on(TOKEN, one);
    others[1]!.on(TOKEN, two);
    expect(await codeOf(run({}, draft()))).toBe('BROADCAST_REFUSED');
    expect(first.asked[0]!.token).toEqual(shown);
  });

  test.each<[string, FakeAnswer]>([
    ['GATEWAY_UNREACHABLE', 'drop'],
    ['UNKNOWN_TOKEN', NOT_FOUND],
  ])('is not shown if no other gateway describes it: %s', async (code, reply) => {
    for (const other of others) other.on(TOKEN, reply);
    expect(await codeOf(run({}, draft()))).toBe(code);
    expect(first.asked).toEqual([]);
  });
});

test('a chain that no other gateway confirms is not signed for', async () => {
  for (const other of others) other.on(INFO, 'drop');
  expect(await codeOf(run())).toBe('GATEWAY_UNREACHABLE');
  expect(first.asked).toEqual([]);
});

test('a gateway that does not report its chain is not asked again before the review', async () => {
  others[0]!.on(INFO, 'drop');
  first.gateway.on(POST, refusal('stop here'));
  await codeOf(run());
  expect(first.asked).toHaveLength(1);
  expect(others[0]!.routes).not.toContain(FEE);
});

test('a gateway of another chain ends the payment before anything is signed', async () => {
  others[1]!.on(INFO, info(undefined, 'ef'.repeat(32)));
  await expect(run()).rejects.toMatchObject({
    code: 'NODE_CHAIN_MISMATCH',
    facts: { node: fixtures[2]!.url },
  });
  expect(first.asked).toEqual([]);
});

describe('a broadcast to all gateways', () => {
  const postsOf = ({ routes }: FakeGateway) => routes.filter(route => route === POST).length;

  test('reaches each gateway, and one gateway that accepts it is enough', async () => {
    first.gateway.on(POST, refusal('insufficient balance'));
    others[0]!.on(POST, 'drop');
    expect(await run({ broadcastsToAll: true })).toMatchObject({ status: 'confirmed' });
    expect(fixtures.map(({ gateway }) => postsOf(gateway))).toEqual([1, 1, 1]);
  });

  test('reaches the others even if the first gateway says that it has the payment', async () => {
    const made = await run();
    const [gateway, ...otherGateways] = fixtures.map(({ url }) => new GatewayClient(url));
    first.gateway.on(STATUS, stage('mempool'));
    await submitTransaction(parseSignedDocument(formatDocument(made)), {
      gateway: gateway!,
      otherGateways,
      broadcastsToAll: true,
      journal: first.journal,
      clock: first.clock(SENT.timestamp),
    });
    expect(others.map(postsOf)).toEqual([1, 1]);
  });

  test('is not made by default', async () => {
    await run();
    expect(others.map(postsOf)).toEqual([0, 0]);
  });

  test('is refused only if every gateway refuses it', async () => {
    for (const { gateway } of fixtures) gateway.on(POST, refusal('no')).on(STATUS, NOT_FOUND);
    const failure = await run({ broadcastsToAll: true }).catch(error => error);
    expect([failure.code, broadcastStateOf(failure)]).toEqual(['BROADCAST_REFUSED', 'maybe']);
    others[0]!.on(POST, 'drop');
    expect(await codeOf(run({ broadcastsToAll: true, paysAgain: true }))).toBe('BROADCAST_UNCERTAIN');
  });

  test('is accepted if one gateway answers with another hash and another gateway accepts the transaction', async () => {
    first.gateway.on(POST, receipt('00'.repeat(32)));
    expect(await run({ broadcastsToAll: true })).toMatchObject({ status: 'confirmed' });
  });
});

test('a refusal is not believed while another gateway knows the hash', async () => {
  first.gateway.on(POST, refusal('fee too low')).on(STATUS, NOT_FOUND);
  expect(await run({ quorum: 2 })).toMatchObject({ status: 'confirmed', duplicate: true });
});
