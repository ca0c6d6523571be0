import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { GatewayConfig } from '#gateway/config/config.js';
import { parseGatewayConfig } from '#gateway/config/parse.js';
import { errorOf, GatewayFixture, startNodes } from '../../../testkit/gateway/gateway-fixture.js';
import { type Answer, json } from '../../../testkit/gateway/recording-node.js';
import { httpRequest } from '../../../testkit/network/http.js';
import { someOf } from '../../../testkit/repository/case-count.js';

const DEFAULTS = parseGatewayConfig({ gateway_host: 'x', admin_api_key: 'k'.repeat(43) }, '/');
/** Larger than the operating system's buffers for a connection. */
const LARGE = Buffer.alloc(8_000_000, 'x');
const HASH = 'ab'.repeat(32);

/** Pauses with a timer of this process, in which the gateway runs too. */
const pause = (ms: number) => new Promise<undefined>(resolve => setTimeout(resolve, ms, undefined));

let fixture: GatewayFixture;
let greedy: Socket[] = [];

afterEach(async () => {
  for (const socket of greedy) socket.destroy();
  greedy = [];
  await fixture.close();
});

/** Answers large bodies and long polls like a node. */
const answer: Answer = (received, response) => {
  if (new URL(received.path, 'http://node.test').searchParams.has('wait_ms')) {
    setTimeout(() => response.end('{"blocks":[]}'), 10_000).unref();
  } else if (received.path === '/api/v1/large') {
    response.writeHead(200, { 'content-length': LARGE.length }).end(LARGE);
  } else {
    json(200, received.path.includes('release') ? { releases: [] } : {})(
      received,
      response,
      response.socket!,
    );
  }
};

async function open(changes: Partial<GatewayConfig> = {}): Promise<void> {
  const { limits } = DEFAULTS;
  fixture = await GatewayFixture.open(await startNodes({ archival: [answer], full: [answer] }), {
    limits,
    maxAnswerBytes: 64_000_000,
    ...changes,
  });
}

/** Sends requests from addresses of this machine, and never reads the answers. */
async function sendAndIgnore(count: number, target: string, from: (index: number) => string): Promise<void> {
  const { port } = new URL(fixture.gateway.url);
  for (let index = 0; index < count; index += 1) {
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: from(index) });
    socket.on('error', () => {});
    greedy.push(socket);
    await once(socket, 'connect');
    socket.write(`GET ${target} HTTP/1.1\r\nhost: gateway.test\r\n\r\n`);
  }
  await pause(500);
}

const GREEDY = (_index: number) => '127.0.0.2';

/** Checks that the request of another client is answered in less time than the greedy clients wait. */
async function expectAnswer(path: string, withinMs = 8000): Promise<void> {
  const asked = httpRequest('GET', fixture.gateway.url + path, { headers: { host: 'gateway.test' } });
  const reply = await Promise.race([asked, pause(withinMs)]);
  expect(reply?.status).toBe(200);
}

test.each([
  ['200 unread responses', 200, '/api/v1/large'],
  ['500 long polls', 500, '/api/v1/blocks?from=99&wait_ms=10000'],
])('%s of one client do not block other clients', async (_what, count, target) => {
  await open();
  await sendAndIgnore(count, target, GREEDY);
  for (const path of ['/api/v1/tokens', `/verify?sha256=${HASH}`, '/api/v1/large', '/gateway/status']) {
    await expectAnswer(path);
  }
});

test('unread responses of many clients occupy the connections to a node for only a few seconds', async () => {
  await open();
  await sendAndIgnore(200, '/api/v1/large', index => `127.0.1.${1 + (index % 50)}`);
  await expectAnswer('/api/v1/large', 15_000);
});

test.each(
  someOf([
    'from=99&wait_ms=10000',
    'from=99&wait%5fms=10000',
    '%77ait_m%73=10000',
    'x=1&wait_ms=1&wait_ms=10000',
  ]),
)('long polls of many clients (%s) do not delay other requests', async query => {
  await open();
  await sendAndIgnore(300, `/api/v1/blocks?${query}`, index => `127.0.1.${1 + (index % 50)}`);
  await expectAnswer('/api/v1/tokens');
  await expectAnswer(`/verify?sha256=${HASH}`);
});

test('a request above the limit of its client is answered 429 at once, and requests are accepted again once one has ended', async () => {
  await open({ limits: { ...DEFAULTS.limits, requestsPerClient: 3 } });
  await sendAndIgnore(3, '/api/v1/blocks?from=99&wait_ms=10000', () => '127.0.0.1');
  const reply = await fixture.get('/api/v1/tokens', { host: 'gateway.test' });
  expect([reply.status, reply.headers['retry-after']]).toEqual([429, '1']);
  expect(errorOf(reply).error).toBe('Too many requests at once from your address: 3 allowed');
  greedy.pop()!.destroy();
  await pause(100);
  expect((await fixture.get('/api/v1/tokens', { host: 'gateway.test' })).status).toBe(200);
});

test('a chain request above the total limit is answered 503 at once, while GET /gateway/status is still answered', async () => {
  await open({ limits: { ...DEFAULTS.limits, requests: 2 } });
  await sendAndIgnore(2, '/api/v1/blocks?from=99&wait_ms=10000', GREEDY);
  const reply = await fixture.get('/api/v1/tokens', { host: 'gateway.test' });
  expect([reply.status, errorOf(reply).error]).toEqual([503, 'The gateway is overloaded']);
  expect((await fixture.get('/gateway/status', { host: 'gateway.test' })).status).toBe(200);
  for (const socket of greedy) socket.destroy();
  await pause(100);
  await expectAnswer('/api/v1/tokens');
});

test('a long poll for which no node has a free connection is answered 503 before the other long polls end', async () => {
  await open({ timeouts: DEFAULTS.timeouts });
  const target = '/api/v1/blocks?from=99&wait_ms=10000';
  await sendAndIgnore(480, target, index => `127.0.1.${1 + (index % 50)}`);
  expect(fixture.nodes.map(({ received }) => received.length)).toEqual([240, 240]);
  const asked = fixture.get(target, { host: 'gateway.test' });
  const reply = await Promise.race([asked, pause(8000)]);
  expect(reply?.status).toBe(503);
  expect(errorOf(reply!).error).toBe('The nodes are overloaded');
  expect(reply!.headers).toHaveProperty('retry-after');
});

test('closes and counts connections above the limit of their client and connections above the total limit', async () => {
  await open({
    limits: { ...DEFAULTS.limits, connections: 8, connectionsPerClient: 5 },
    metrics: { host: '127.0.0.1', port: 0 },
  });
  await sendAndIgnore(7, '/gateway/status', GREEDY);
  await sendAndIgnore(5, '/gateway/status', () => '127.0.0.3');
  expect(greedy.map(socket => socket.closed)).toEqual([
    ...Array(5).fill(false),
    ...Array(2).fill(true),
    ...Array(3).fill(false),
    ...Array(2).fill(true),
  ]);
  const metrics = await (await fetch(fixture.gateway.metricsUrl!)).text();
  expect(metrics.match(/^zbc_gateway_connections_refused_total.*$/gm)).toEqual([
    'zbc_gateway_connections_refused_total{limit="all"} 2',
    'zbc_gateway_connections_refused_total{limit="client"} 2',
  ]);
  greedy.shift()!.destroy();
  await pause(100);
  await expectAnswer('/gateway/status');
  await sendAndIgnore(1, '/gateway/status', GREEDY);
  expect(greedy.at(-1)!.closed).toBe(false);
});

test('closes a connection whose response is not read', async () => {
  await open({ timeouts: { connectMs: 500, answerMs: 500, pieceMs: 10 }, maxAnswerBytes: 64_000_000 });
  const huge = Buffer.alloc(30_000_000);
  for (const node of fixture.nodes) {
    node.answer = (_received, response) =>
      void response.writeHead(200, { 'content-length': huge.length }).end(huge);
  }
  await sendAndIgnore(1, '/api/v1/large', GREEDY);
  const [socket] = greedy;
  const startedMs = performance.now();
  // The connection ends at the second check, because bytes may have been sent after the first.
  await pause(25_000);
  let received = 0;
  socket!.on('data', piece => (received += piece.length));
  await once(socket!, 'close');
  expect(received).toBeLessThan(huge.length);
  expect(performance.now() - startedMs).toBeLessThan(35_000);
});
