import { fromHex } from '@zbc-signer/chain';
import { GatewayClient, resumePayments } from '@zbc-signer/host';
import { answer, type FakeAnswer, FakeGateway } from '../../../testkit/gateway/fake-gateway.js';
import {
  codeOf,
  FlowFixture,
  HEIGHT,
  INFO,
  info,
  NOT_FOUND,
  POST,
  receipt,
  SEND,
  SENT,
  STATUS,
  sendDraft,
  stage,
} from '../../../testkit/gateway/flow-fixture.js';

const HOUR = 3600n;
const height = (of: number) => answer(`{"height":${of}}`);

let one: FakeGateway;
let two: FakeGateway;
let urls: string[];
beforeEach(async () => {
  [one, two] = [new FakeGateway(), new FakeGateway()];
  urls = [await one.start(), await two.start()];
  for (const gateway of [one, two]) gateway.on(INFO, info());
  two.on(HEIGHT, height(2));
});
afterEach(() => Promise.all([one.stop(), two.stop()]));

/** Number of requests to each gateway, without the one for its chain. */
const asked = () =>
  [one, two].map(({ requests }) => requests.filter(({ path }) => !INFO.endsWith(path)).length);

const client = () => new GatewayClient(urls, { timeoutMs: 300 });

test.each<[string, FakeAnswer]>([
  ['closes the connection', 'drop'],
  ['is silent', 'silence'],
  ['never ends its answer', 'drip'],
  ['is busy', answer('', 503)],
  ['limits the rate', answer('', 429)],
  ['has no node', answer('', 502)],
])('a read goes to the next gateway if the first one %s, and so do the reads after it', async (_, fault) => {
  one.on(HEIGHT, fault);
  const gateway = client();
  expect(await gateway.blockchainStatus()).toMatchObject({ height: 2n });
  expect(await gateway.blockchainStatus()).toMatchObject({ height: 2n });
  expect(asked()).toEqual([1, 2]);
  two.on(HEIGHT, 'drop');
  one.on(HEIGHT, height(3));
  expect(await gateway.blockchainStatus()).toMatchObject({ height: 3n });
});

test.each<[string, FakeAnswer, string]>([
  ['an error', answer('{"success":false,"error":"no","code":400}', 400), 'GATEWAY_STATUS'],
  ['another answer than the chain API has', answer('<p>'), 'GATEWAY_MALFORMED'],
])('%s is an answer, so that no other gateway is asked', async (_, reply, code) => {
  one.on(HEIGHT, reply);
  expect(await codeOf(client().blockchainStatus())).toBe(code);
  expect(two.requests).toEqual([]);
});

test('if no gateway answers, each is asked once', async () => {
  one.on(HEIGHT, 'drop');
  two.on(HEIGHT, 'drop');
  expect(await codeOf(client().blockchainStatus())).toBe('GATEWAY_UNREACHABLE');
  expect(asked()).toEqual([1, 1]);
});

describe('a second gateway of another chain', () => {
  beforeEach(() => {
    one.on(HEIGHT, height(1), 'drop', height(3));
    two.on(INFO, info('', 'ab'.repeat(32)));
  });

  test('answers nothing for the first one, which is asked again', async () => {
    const gateway = client();
    expect(await gateway.blockchainStatus()).toMatchObject({ height: 1n });
    expect(await codeOf(gateway.blockchainStatus())).toBe('NODE_CHAIN_MISMATCH');
    expect(await gateway.blockchainStatus()).toMatchObject({ height: 3n });
    expect(asked()).toEqual([3, 0]);
  });

  test.each<[string, FakeAnswer, string]>([
    ['names its chain', info('', 'ab'.repeat(32)), 'NODE_CHAIN_MISMATCH'],
    ['does not name its chain', 'drop', 'GATEWAY_UNREACHABLE'],
  ])('gets no broadcast if it %s', async (_, reply, code) => {
    two.on(INFO, reply);
    const refuse: typeof fetch = async (url, init) => {
      if (init?.method !== 'POST' || !`${url}`.startsWith(urls[0]!)) return fetch(url, init);
      throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) });
    };
    const gateway = new GatewayClient(urls, { fetch: refuse });
    await gateway.blockchainStatus();
    await expect(gateway.broadcast(SENT, fromHex(SEND.expect.signature!))).rejects.toMatchObject({
      code,
      facts: { sent: 'no' },
    });
    expect(two.requests.every(({ method }) => method === 'GET')).toBe(true);
  });
});

test('the time limit of a request is that of all gateways together', async () => {
  one.on(HEIGHT, 'silence');
  const gateway = new GatewayClient(urls);
  expect(await codeOf(gateway.blockchainStatus({ timeoutMs: 200 }))).toBe('GATEWAY_UNREACHABLE');
  expect(two.requests).toEqual([]);
});

test('a gateway cannot confirm what it answered for another one', async () => {
  const fixture = await FlowFixture.start();
  const otherGateways = [new GatewayClient(urls[1]!)];
  expect(await codeOf(fixture.run(sendDraft(), undefined, { gateway: client(), otherGateways }))).toBe(
    'INVALID_INPUT',
  );
  await fixture.gateway.stop();
});

describe('a payment', () => {
  let honest: FlowFixture;
  beforeEach(async () => {
    honest = await FlowFixture.start();
  });
  afterEach(() => honest.gateway.stop());

  /** Forwards to the honest gateway up to a request. Then it refuses connections; if `lost`, this one loses its answer. */
  function failing(number: number, how: 'refused' | 'lost'): typeof fetch {
    let requests = 0;
    return async (url, init) => {
      honest.gateway.on(STATUS, honest.posts.length > 0 ? stage('confirmed') : NOT_FOUND);
      if (!`${url}`.startsWith('http://first.test')) return fetch(url, init);
      requests += 1;
      const forwarded = () => fetch(`${url}`.replace('http://first.test', honest.url), init);
      if (requests < number) return forwarded();
      if (how === 'lost' && requests === number) await forwarded();
      const code = how === 'refused' ? 'ECONNREFUSED' : 'ECONNRESET';
      throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
    };
  }

  const numbers = Array.from({ length: 12 }, (_, at) => at + 1);
  test.each(numbers.flatMap(at => [[at, 'refused'] as const, [at, 'lost'] as const]))(
    'is made once if the first gateway fails from request %d on (%s)',
    async (number, how) => {
      const gateway = new GatewayClient(['http://first.test', honest.url], { fetch: failing(number, how) });
      expect(await honest.run(sendDraft(), undefined, { gateway })).toMatchObject({
        status: 'confirmed',
        sent: 'yes',
      });
      expect(new Set(honest.posts.map(({ body }) => body)).size).toBe(1);
      expect(await honest.journal.pending()).toEqual([]);
    },
  );

  test('goes to the second gateway only if the first one cannot have it', async () => {
    one.on(POST, 'drop');
    two.on(POST, receipt());
    const signature = fromHex(SEND.expect.signature!);
    await expect(client().broadcast(SENT, signature)).rejects.toMatchObject({ facts: { sent: 'maybe' } });
    expect(asked()[1]).toBe(0);
    const gateway = new GatewayClient(['http://127.0.0.1:9', urls[1]!]);
    expect(await gateway.broadcast(SENT, signature)).toMatchObject({ duplicate: false });
  });

  test('does not expire because a gateway that lags does not know it, when the one that has it fails', async () => {
    const block = (timestamp: bigint) =>
      answer(`{"height":9,"latest_block":{"height":9,"timestamp":${timestamp}}}`);
    const late = SENT.timestamp + HOUR + 200n;
    one.on(POST, receipt()).on(STATUS, stage('mempool'));
    const first = await FlowFixture.start();
    await first.run(sendDraft(), undefined, { waitsForConfirmation: false });
    expect(await first.journal.pending()).toHaveLength(1);
    first.gateway.on(HEIGHT, block(late)).on(STATUS, 'drop');
    two.on(HEIGHT, block(SENT.timestamp)).on(STATUS, NOT_FOUND).on(POST, 'drop');
    const gateway = new GatewayClient([first.url, urls[1]!], { timeoutMs: 500 });
    const options = { gateway, clock: first.clock(late), confirmationTimeoutMs: 1000 };
    const [resumed] = await resumePayments(first.journal, options);
    expect(resumed?.status).not.toBe('expired');
    expect(await first.journal.pending()).toHaveLength(1);
    await first.gateway.stop();
  });
});
