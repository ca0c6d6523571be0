import { GatewayClient, type sendTransaction, sentOf } from '@zbc-signer/host';
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
  STATUS,
  sendDraft,
  stage,
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

const confirmedIn = (block: number) => answer(`{"status":"confirmed","block_height":${block}}`);

function run(options: Partial<Parameters<typeof sendTransaction>[1]> = {}) {
  const otherGateways = fixtures.slice(1).map(({ url }) => new GatewayClient(url));
  return first.run(sendDraft(), undefined, { otherGateways, confirmationTimeoutMs: 5000, ...options });
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
      message: `otherGateways must differ from the gateway and each other: ${first.url} is named twice`,
    });
    expect(first.gateway.requests).toEqual([]);
  },
);

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
    ["the first gateway's amount within the limit if no two agree", 9_000_000n, fee(3n), fee(4n), 9_000_000],
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

  test('is refused above the limit if no two gateways agree', async () => {
    first.gateway.on(FEE, fee(10_000_001n));
    others[0]!.on(FEE, fee(3n));
    others[1]!.on(FEE, fee(4n));
    expect(await codeOf(run())).toBe('FEE_TOO_HIGH');
    expect(first.asked).toEqual([]);
  });
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

  test('is not made by default', async () => {
    await run();
    expect(others.map(postsOf)).toEqual([0, 0]);
  });

  test('is refused only if every gateway refuses it', async () => {
    for (const { gateway } of fixtures) gateway.on(POST, refusal('no')).on(STATUS, NOT_FOUND);
    const failure = await run({ broadcastsToAll: true }).catch(error => error);
    expect([failure.code, sentOf(failure)]).toEqual(['BROADCAST_REFUSED', 'maybe']);
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
