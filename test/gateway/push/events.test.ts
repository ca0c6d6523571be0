import { request } from 'node:http';
import { fromHex } from '@zbc-signer/chain';
import { NO_LIMITS } from '@zbc-signer/gateway';
import { confirmTransaction, GatewayClient, type SubmittedTransaction } from '@zbc-signer/host';
import { GatewayFixture } from '../../../testkit/gateway/gateway-fixture.js';
import { json } from '../../../testkit/gateway/recording-node.js';
import { httpRequest } from '../../../testkit/network/http.js';
import { until } from '../../../testkit/time/until.js';
import { EventClient } from './event-client.js';
import { GrowingNode } from './growing-node.js';

const [ONE, TWO] = ['11'.repeat(32), '22'.repeat(32)] as const;
const EVENTS = { accept: 'text/event-stream' };

let chain: GrowingNode;
let fixture: GatewayFixture;
const clients: EventClient[] = [];
const endings: (() => void)[] = [];

beforeEach(async () => {
  chain = await GrowingNode.start();
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  for (const end of endings.splice(0)) end();
  await fixture.close();
});

async function open(limits = { streams: 0, streamsPerClient: 0 }): Promise<void> {
  fixture = await GatewayFixture.open([chain.node], { limits: { ...NO_LIMITS, ...limits } });
}

/** Opens a fixture and collects the gateway's log and Node's warnings. */
async function openLogged(): Promise<{ lines: Record<string, unknown>[]; faults: string[] }> {
  const lines: Record<string, unknown>[] = [];
  const faults: string[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const onError = ({ message }: Error) => void faults.push(message);
  const limits = { limits: NO_LIMITS };
  fixture = await GatewayFixture.open([chain.node], limits, { logger: { level: 'info', stream }, onError });
  const onWarning = ({ message }: Error) => void faults.push(message);
  process.on('warning', onWarning);
  endings.push(() => void process.off('warning', onWarning));
  return { lines, faults };
}

async function listen(path: string, headers: Record<string, string> = {}): Promise<EventClient> {
  const client = await EventClient.open(fixture.gateway.url + path, headers);
  clients.push(client);
  return client;
}

const statusPath = (hash: string) => `/api/v1/transactions/${hash}/status`;
const heights = ({ events }: EventClient) => events.map(([, id]) => id);

describe('new blocks', () => {
  test('are sent as events with the head of each block', async () => {
    await open();
    const client = await listen('/api/v1/blocks');
    expect(client.status).toBe(200);
    expect(client.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      vary: 'accept',
    });
    chain.block(ONE);
    chain.block();
    await client.received(2);
    const head = (height: number, transaction_count: number) => ({
      height,
      block_hash: chain.hashOf(height),
      previous_block_hash: chain.hashOf(height - 1),
      timestamp: 1_795_315_288 + height,
      transaction_count,
    });
    expect(client.events).toEqual([
      ['block', '1', head(1, 1)],
      ['block', '2', head(2, 0)],
    ]);
  });

  test('are requested from a node once for all clients, and only while there is a client', async () => {
    await open();
    const all = await Promise.all(Array.from({ length: 20 }, () => listen('/api/v1/blocks')));
    await until(() => chain.waiting === 1);
    chain.block();
    await Promise.all(all.map(client => client.received(1)));
    await until(() => chain.waiting === 1);
    expect(chain.polls).toHaveLength(2);
    for (const client of all) client.close();
    await until(() => chain.waiting === 0);
  });

  test('continue after the last block that a client has seen', async () => {
    await open();
    const first = await listen('/api/v1/blocks');
    for (let count = 0; count < 3; count += 1) chain.block();
    await first.received(3);
    const second = await listen('/api/v1/blocks', { 'last-event-id': '1' });
    await second.received(2);
    expect(heights(second)).toEqual(['2', '3']);
    first.close();
    second.close();
    await until(() => chain.waiting === 0);
    chain.block();
    const third = await listen('/api/v1/blocks', { 'last-event-id': '3' });
    await third.received(1);
    expect(heights(third)).toEqual(['4']);
  });

  test('are the only blocks sent to a client without a last-event-id, even after a time without clients', async () => {
    await open();
    const first = await listen('/api/v1/blocks');
    first.close();
    await until(() => chain.waiting === 0);
    for (let count = 0; count < 3; count += 1) chain.block();
    const second = await listen('/api/v1/blocks');
    await until(() => chain.waiting === 1);
    chain.block();
    await second.received(1);
    expect(heights(second)).toEqual(['4']);
  });

  test('are sent to a client that claims to have seen a block above the newest', async () => {
    await open();
    const client = await listen('/api/v1/blocks', { 'last-event-id': '99999999999999999999' });
    chain.block();
    await client.received(1);
    expect(heights(client)).toEqual(['1']);
  });

  test('leave no gap when a reload ends the streams', async () => {
    await open();
    const first = await listen('/api/v1/blocks');
    chain.block();
    await first.received(1);
    await fixture.gateway.reload();
    await until(() => first.ended);
    expect(first.response.complete).toBe(true);
    chain.block();
    chain.block();
    const second = await listen('/api/v1/blocks', { 'last-event-id': '1' });
    await until(() => chain.waiting === 1);
    chain.block();
    await second.received(3);
    expect(heights(second)).toEqual(['2', '3', '4']);
    const third = await listen('/api/v1/blocks', { 'last-event-id': '0' });
    await third.received(4);
    expect(heights(third)).toEqual(['1', '2', '3', '4']);
  });

  test('of another chain end the streams', async () => {
    await open();
    const client = await listen('/api/v1/blocks');
    chain.block();
    await client.received(1);
    chain.fork = 'b';
    chain.block();
    await until(() => client.ended);
    expect(heights(client)).toEqual(['1']);
  });

  test.each([
    ['a height that was not asked for', { height: 9 }],
    ['an invalid hash', { block_hash: 'x\n\nevent: status' }],
    ['a number in place of a list', { transactions: 5 }],
  ])('with %s are not passed on', async (_what, changes) => {
    await open();
    const client = await listen('/api/v1/blocks');
    const good = chain.node.answer;
    let lies = 1;
    chain.node.answer = (request, response, socket) => {
      if (!request.path.includes('wait_ms') || lies === 0) return good(request, response, socket);
      lies -= 1;
      const block = { height: 2, block_hash: ONE, previous_block_hash: chain.hashOf(1), timestamp: 1 };
      const blocks = [{ ...block, transaction_count: 0, transactions: [], ...changes }];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ blocks }));
    };
    chain.block();
    chain.block();
    await client.received(2);
    expect(lies).toBe(0);
    expect(client.events.map(([, , data]) => data.block_hash)).toEqual([chain.hashOf(1), chain.hashOf(2)]);
  });
});

describe('the status of a transaction', () => {
  test('is sent at once and after each change, until the transaction is confirmed', async () => {
    await open();
    chain.stages.set(ONE, 'staging');
    const client = await listen(statusPath(ONE.toUpperCase()));
    await client.received(1);
    chain.stages.set(ONE, 'mempool');
    chain.block();
    await client.received(2);
    chain.block(TWO);
    chain.block(ONE);
    await until(() => client.ended);
    expect(client.events).toEqual([
      ['status', 'staging', { transaction_hash: ONE, status: 'staging' }],
      ['status', 'mempool', { transaction_hash: ONE, status: 'mempool' }],
      ['status', 'confirmed', { transaction_hash: ONE, status: 'confirmed', block_height: 3 }],
    ]);
  });

  test('that is confirmed is sent before the stream ends, and a browser that reconnects is answered 204', async () => {
    await open();
    chain.stages.set(ONE, 'confirmed');
    const client = await listen(statusPath(ONE));
    await until(() => client.ended);
    expect(heights(client)).toEqual(['confirmed']);
    const again = await fixture.get(statusPath(ONE), { ...EVENTS, 'last-event-id': 'confirmed' });
    expect([again.status, again.body.length]).toEqual([204, 0]);
  });

  test('ends the pause of a host that waits for the confirmation', async () => {
    await open();
    chain.stages.set(ONE, 'mempool');
    const sleep = (_durationMs: number, signal?: AbortSignal) =>
      new Promise<void>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    const confirmed = confirmTransaction({ transactionHash: fromHex(ONE) } as SubmittedTransaction, {
      gateway: new GatewayClient(fixture.gateway.url),
      clock: { now: () => 0, sleep },
    });
    await until(() => chain.waiting === 1);
    chain.stages.set(ONE, 'confirmed');
    chain.block(ONE);
    expect(await confirmed).toMatchObject({ status: 'confirmed' });
    await until(() => chain.waiting === 0);
  });

  test('is sent until the confirmation even if another client leaves before the feed has started', async () => {
    await open();
    for (const hash of [ONE, TWO]) chain.stages.set(hash, 'mempool');
    const answer = chain.node.answer;
    const starting: (() => void)[] = [];
    chain.node.answer = (...exchange) => {
      const isFirst = exchange[0].path === '/api/v1/blockchain/status' && starting.length === 0;
      if (isFirst) starting.push(() => answer(...exchange));
      else answer(...exchange);
    };
    const streams = () => fixture.gateway.context.traffic.counts().requests;
    const other = request(fixture.gateway.url + statusPath(TWO), { headers: EVENTS, agent: false })
      .on('error', () => {})
      .end();
    await until(() => starting.length === 1);
    const opening = listen(statusPath(ONE));
    // A later request is answered only after the stream has begun.
    await fixture.get('/gateway/status');
    const before = streams();
    other.destroy();
    await until(() => streams() > before);
    starting[0]!();
    const client = await opening;
    await client.received(1);
    chain.stages.set(ONE, 'confirmed');
    await until(() => chain.waiting === 1);
    chain.block(ONE);
    await until(() => client.ended);
    expect(heights(client)).toEqual(['mempool', 'confirmed']);
  });

  test('is answered as for a poll if no node knows the transaction', async () => {
    await open();
    const { status, headers } = await fixture.get(statusPath(ONE), EVENTS);
    expect([status, headers['content-type']]).toEqual([404, 'application/json']);
    await until(() => chain.waiting === 0);
  });
});

describe('streams', () => {
  test.each(['/api/v1/blocks', statusPath(ONE)])(
    'of %s that a client leaves log only the request',
    async path => {
      const { lines, faults } = await openLogged();
      chain.stages.set(ONE, 'mempool');
      const client = await listen(path);
      await until(() => client.text !== '');
      client.close();
      const requests = () => lines.filter(({ msg }) => msg === 'request');
      await until(() => requests().length === 1 && chain.waiting === 0);
      // If the hook had an effect or caused a warning, it would occur before the answer to the next request.
      await fixture.get('/gateway/status');
      await until(() => requests().length === 2);
      expect(lines.filter(({ msg }) => msg !== 'request' && !String(msg).startsWith('listening'))).toEqual(
        [],
      );
      expect(requests()[0]).toMatchObject({ level: 30, path, status: 200 });
      expect(faults).toEqual([]);
      expect(chain.node.asked.filter(asked => asked === '/api/v1/blocks')).toEqual([]);
    },
  );

  test('are limited in total, and can be opened again after a client leaves', async () => {
    await open({ streams: 2, streamsPerClient: 0 });
    const one = await listen('/api/v1/blocks');
    await listen('/api/v1/blocks');
    const refused = await fixture.get('/api/v1/blocks', EVENTS);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
    one.close();
    await until(async () => {
      const client = await listen('/api/v1/blocks');
      return client.status === 200;
    });
  });

  test('of one client are limited', async () => {
    await open({ streams: 0, streamsPerClient: 1 });
    await listen('/api/v1/blocks');
    expect((await fixture.get('/api/v1/blocks', EVENTS)).status).toBe(429);
  });

  test('of one client do not count towards the limit of another client', async () => {
    fixture = await GatewayFixture.open([chain.node], {
      limits: { ...NO_LIMITS, streamsPerClient: 1 },
      trustedProxies: ['127.0.0.1'],
    });
    const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.1'];
    const statuses: number[] = [];
    for (const address of addresses) {
      const { status } = await listen('/api/v1/blocks', { 'x-forwarded-for': address });
      statuses.push(status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  test('end when the gateway stops', async () => {
    await open();
    const client = await listen('/api/v1/blocks');
    await fixture.gateway.stop();
    await until(() => client.ended);
    expect(client.response.complete).toBe(true);
  });

  test('are not opened without a node', async () => {
    await open();
    await chain.node.stop();
    const { status } = await fixture.get('/api/v1/blocks', EVENTS);
    expect([502, 503]).toContain(status);
    await chain.node.listen();
  });
});

test.each([
  ['a client that accepts any type', '*/*'],
  ['a client that also accepts JSON', 'application/json, text/event-stream'],
])('%s receives a JSON answer in place of events', async (_what, accept) => {
  await open();
  chain.stages.set(ONE, 'mempool');
  const { headers } = await fixture.get(statusPath(ONE), { accept });
  expect(headers['content-type']).toBe('application/json');
});

test('clients that wait for blocks do not delay the events of other clients', async () => {
  await open();
  const waiting = Array.from({ length: 300 }, () => {
    const sent = request(`${fixture.gateway.url}/api/v1/blocks?from=99&wait_ms=10000`, {
      agent: false,
    }).end();
    return sent.on('response', response => response.resume()).on('error', () => {});
  });
  await until(() => chain.waiting === 240);
  const client = await listen('/api/v1/blocks');
  await until(() => chain.waiting === 241);
  chain.block(ONE);
  await client.received(1);
  expect(heights(client)).toEqual(['1']);
  for (const sent of waiting) sent.destroy();
});

test('a node that sends more data than any block has is asked again', async () => {
  fixture = await GatewayFixture.open([chain.node], { limits: NO_LIMITS, maxAnswerBytes: 67_108_864 });
  const whole = chain.node.answer;
  let sent = 0;
  chain.node.answer = (received, response, socket) => {
    if (!received.path.includes('wait_ms') || sent > 0) return whole(received, response, socket);
    sent += 1;
    const blocks = [{ height: 1 }, 'x'.repeat(9_000_000)];
    json(200, { blocks })(received, response, socket);
  };
  const client = await listen('/api/v1/blocks');
  await until(() => chain.polls.length > 1);
  expect(sent).toBe(1);
  chain.block(ONE);
  await client.received(1);
  expect(heights(client)).toEqual(['1']);
});

test('a request to a named node receives a JSON answer in place of events', async () => {
  await open();
  chain.stages.set(ONE, 'mempool');
  const host = `ip-127-0-0-1-p${chain.node.port}.gateway.test`;
  const { headers } = await httpRequest('GET', fixture.gateway.url + statusPath(ONE), {
    headers: { ...EVENTS, host },
  });
  expect(headers['content-type']).toBe('application/json');
});
