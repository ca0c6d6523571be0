import { once } from 'node:events';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { NO_LIMITS } from '#gateway/config/config.js';
import { startGateway } from '#gateway/gateway.js';
import { gatewayConfig } from '../../testkit/gateway/gateway-config.js';
import { GatewayFixture } from '../../testkit/gateway/gateway-fixture.js';
import { type Answer, json, OTHER_GENESIS, RecordingNode } from '../../testkit/gateway/recording-node.js';
import { openRequest, readBody } from '../../testkit/network/http.js';

const OK = json(200, { ok: true });

let fixture: GatewayFixture;
afterEach(() => fixture?.close());

test('finishes running requests when it is stopped, and accepts no new connections', async () => {
  let answer = () => {};
  const slow: Answer = (request, response, socket) => {
    answer = () => OK(request, response, socket);
  };
  const node = await RecordingNode.start('full', slow);
  fixture = await GatewayFixture.open([node]);
  const reply = openRequest('GET', `${fixture.gateway.url}/api/v1/x`, {
    headers: { connection: 'keep-alive' },
  });
  while (node.received.length === 0) await nextTurn();
  const stopped = fixture.gateway.stop();
  while ((await knock(fixture.gateway.url)) !== 'ECONNREFUSED') await nextTurn();
  answer();
  const { response } = await reply;
  expect((await readBody(response)).toString()).toBe('{"ok":true}');
  await stopped;
});

test('closes a connection above the limit of its client at once', async () => {
  fixture = await GatewayFixture.open([], { limits: { ...NO_LIMITS, connectionsPerClient: 1 } });
  const { hostname, port } = new URL(fixture.gateway.url);
  const first = connect(Number(port), hostname);
  await once(first, 'connect');
  const second = connect(Number(port), hostname).on('error', () => undefined);
  let answer = '';
  second.on('data', piece => {
    answer += piece;
  });
  await once(second, 'close');
  // Otherwise a connection without a request would be answered 408 after ten seconds.
  expect([answer, first.destroyed]).toEqual(['', false]);
  first.destroy();
});

test('answers requests on an open connection while it stops', async () => {
  let answer = () => {};
  const node = await RecordingNode.start('full', (...exchange) => (answer = () => OK(...exchange)));
  fixture = await GatewayFixture.open([node]);
  const client = connect(Number(new URL(fixture.gateway.url).port), '127.0.0.1');
  const heads = ['/api/v1/x', '/gateway/health/live'].map(
    path => `GET ${path} HTTP/1.1\r\nHost: gateway.test\r\n\r\n`,
  );
  client.write(heads.join(''));
  while (node.received.length === 0) await nextTurn();
  const stopped = fixture.gateway.stop();
  while ((await knock(fixture.gateway.url)) !== 'ECONNREFUSED') await nextTurn();
  answer();
  const said = (await client.toArray()).join('');
  expect([...said.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '200']);
  await stopped;
});

test('closes idle connections when it is stopped', async () => {
  const node = await RecordingNode.start('full', OK);
  fixture = await GatewayFixture.open([node]);
  const socket = connect(Number(new URL(fixture.gateway.url).port), '127.0.0.1');
  socket.write('GET /api/v1/x HTTP/1.1\r\nHost: gateway.test\r\n\r\n');
  await once(socket, 'data');
  const ended = once(socket, 'end');
  await fixture.gateway.stop();
  await ended;
});

test('logs one line per request, without its query, keys and body', async () => {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write: (line, _encoding, done) => {
      lines.push(JSON.parse(String(line)));
      done();
    },
  });
  const node = await RecordingNode.start('full', OK);
  fixture = await GatewayFixture.open([node], {}, { logger: { stream } });
  await fixture.get('/api/v1/x?secret-query', {
    authorization: 'Bearer secret-bearer',
    'x-api-key': 'secret-key',
    cookie: 'secret-cookie',
    'user-agent': 'secret-agent',
  });
  await fixture.post('/api/v1/transactions?secret-query', '{"x":"secret-body"}');
  await fixture.get('/nowhere?secret-query');
  await fixture.get('/api/v1//x?secret-query');
  await fixture.get('/api/v1/%zz?secret-query');
  await fixture.get('/dl/%ff');
  await fixture.close();
  const requests = lines.filter(({ msg }) => msg === 'request');
  const of = `127.0.0.1:${node.port}`;
  expect(requests).toEqual([
    expect.objectContaining({ method: 'GET', path: '/api/v1/x', status: 200, ip: '127.0.0.1', node: of }),
    expect.objectContaining({ method: 'POST', path: '/api/v1/transactions', status: 200, node: of }),
    expect.objectContaining({ method: 'GET', path: '/nowhere', status: 404 }),
    expect.objectContaining({ method: 'GET', path: '/api/v1//x', status: 400 }),
    expect.objectContaining({ method: 'GET', path: '/api/v1/%zz', status: 400 }),
    expect.objectContaining({ method: 'GET', path: '/dl/%ff', status: 400 }),
  ]);
  expect(typeof requests[0]!.ms).toBe('number');
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('logs which nodes were tried for a request, what came of them, and how long they took', async () => {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const failing = await RecordingNode.start('archival', json(503, {}));
  const limiting = await RecordingNode.start('archival', json(429, {}));
  const full = await RecordingNode.start('full', OK);
  fixture = await GatewayFixture.open([failing, limiting, full], {}, { logger: { stream } });
  const { body } = await fixture.get('/api/v1/x');
  await full.stop();
  await fixture.get('/api/v1/x');
  await nextTurn();
  const [first, second] = lines.filter(({ msg }) => msg === 'request') as [
    (typeof lines)[0],
    (typeof lines)[0],
  ];
  const at = ({ port }: RecordingNode, result: string) => `127.0.0.1:${port} ${result}`;
  expect(first).toMatchObject({ status: 200, node: `127.0.0.1:${full.port}`, bytes: body.length });
  expect(new Set(first.tried as string[])).toEqual(new Set([at(failing, '5xx'), at(limiting, '429')]));
  expect(first.upstream_ms).toBeLessThanOrEqual(first.ms as number);
  expect(second.tried).toEqual(expect.arrayContaining([at(full, 'unreachable')]));
  expect(first.id).not.toBe(second.id);
});

test('counts the requests to each node', async () => {
  const node = await RecordingNode.start('full', OK);
  fixture = await GatewayFixture.open([node]);
  await fixture.get('/api/v1/x');
  await node.stop();
  await fixture.get('/api/v1/x');
  await nextTurn();
  const { traffic, nodes } = fixture.gateway.context;
  expect(traffic.countsOf(nodes.find(node)!)).toEqual({ requests: 2, failures: 1 });
  await node.listen();
});

test('counts rejected requests against their client', async () => {
  const node = await RecordingNode.start('full', OK);
  const fixture = await GatewayFixture.open([node], { rateLimit: { requests: 3, writes: 0 } });
  const statusOf = async (path: string, headers = {}) => (await fixture.get(path, headers)).status;
  expect(await statusOf('/api/v1//x')).toBe(400);
  expect(await statusOf('/%zz')).toBe(400);
  expect(await statusOf('/api/v1/x', { host: 'evil.test' })).toBe(403);
  expect(await statusOf('/api/v1//x')).toBe(429);
  await fixture.close();
  expect(node.asked).toEqual([]);
});

test('routes its own reads of the chain like the reads of a client', async () => {
  const archival = await RecordingNode.start('archival', json(404, { success: false }));
  fixture = await GatewayFixture.open([archival]);
  const { readChain } = fixture.gateway.context;
  await expect(readChain('/api/v1/x')).rejects.toMatchObject({ statusCode: 404 });
  archival.answer = (_request, response) =>
    void response.writeHead(200).end(`{"market_id":-9223372036854775808,"x":"${'x'.repeat(100_000)}"}`);
  await expect(readChain('/api/v1/x')).resolves.toMatchObject({ market_id: -(2n ** 63n) });
  archival.answer = json(200, 'x'.repeat(1_048_577));
  await expect(readChain('/api/v1/x')).rejects.toMatchObject({ statusCode: 502 });
  archival.answer = (_request, response) => void response.writeHead(200).end('{');
  await expect(readChain('/api/v1/x')).rejects.toMatchObject({ statusCode: 502 });
  archival.answer = json(503, {});
  await expect(readChain('/api/v1/x')).rejects.toMatchObject({ statusCode: 503 });
  archival.genesisHash = OTHER_GENESIS;
  await expect(readChain('/api/v1/x')).rejects.toThrow();
});

test('does not start with the wallet page if its directory is not given', async () => {
  const started = startGateway(gatewayConfig({ wallet: true }));
  await expect(started).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
});

test('reports the address on which it cannot listen', async () => {
  const node = await RecordingNode.start('full', OK);
  await expect(GatewayFixture.open([node], { listenPort: node.port })).rejects.toMatchObject({
    code: 'LISTEN_FAILED',
    message: `cannot listen on 127.0.0.1 port ${node.port}: address already in use (EADDRINUSE)`,
  });
  await node.stop();
});

test.each([
  [300, 'max-age=300'],
  [0, undefined],
])('with hsts_seconds %p, every response has strict-transport-security %p', async (hstsSeconds, told) => {
  const node = await RecordingNode.start('full', OK);
  fixture = await GatewayFixture.open([node], { hstsSeconds });
  const answers = [
    await fixture.get('/gateway/status'),
    await fixture.get('/api/v1/x'),
    await fixture.get('/nothing'),
    await fixture.get('/gateway/status', { host: 'other.test' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 403]);
  expect(answers.map(({ headers }) => headers['strict-transport-security'])).toEqual(Array(4).fill(told));
});

/** Tries to connect. Returns the code of the error, or undefined if the connection was accepted. */
async function knock(url: string): Promise<string | undefined> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  try {
    await once(socket, 'connect');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  } finally {
    socket.on('error', () => {}).destroy();
  }
}

function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
