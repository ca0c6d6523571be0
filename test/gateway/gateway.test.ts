import { once } from 'node:events';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { GatewayScene } from '../../testkit/gateway/gateway-scene.js';
import { type Answer, json, OTHER_GENESIS, RecordingNode } from '../../testkit/gateway/recording-node.js';
import { openRequest, readBody } from '../../testkit/network/http.js';

const OK = json(200, { ok: true });

let scene: GatewayScene;
afterEach(() => scene?.close());

it('finishes running requests when stopped, and accepts no new ones', async () => {
  let answer = () => {};
  const slow: Answer = (request, response, socket) => {
    answer = () => OK(request, response, socket);
  };
  const node = await RecordingNode.start('full', slow);
  scene = await GatewayScene.open([node]);
  const reply = openRequest('GET', `${scene.gateway.url}/api/v1/x`, {
    headers: { connection: 'keep-alive' },
  });
  while (node.received.length === 0) await nextTurn();
  const stopped = scene.gateway.stop();
  while ((await knock(scene.gateway.url)) !== 'ECONNREFUSED') await nextTurn();
  answer();
  const { response } = await reply;
  expect((await readBody(response)).toString()).toBe('{"ok":true}');
  await stopped;
});

it('answers what comes on an open connection while it stops', async () => {
  let answer = () => {};
  const node = await RecordingNode.start('full', (...exchange) => (answer = () => OK(...exchange)));
  scene = await GatewayScene.open([node]);
  const client = connect(Number(new URL(scene.gateway.url).port), '127.0.0.1');
  const heads = ['/api/v1/x', '/gateway/health/live'].map(
    path => `GET ${path} HTTP/1.1\r\nHost: gateway.test\r\n\r\n`,
  );
  client.write(heads.join(''));
  while (node.received.length === 0) await nextTurn();
  const stopped = scene.gateway.stop();
  while ((await knock(scene.gateway.url)) !== 'ECONNREFUSED') await nextTurn();
  answer();
  const said = (await client.toArray()).join('');
  expect([...said.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '200']);
  await stopped;
});

it('closes idle connections when stopped', async () => {
  const node = await RecordingNode.start('full', OK);
  scene = await GatewayScene.open([node]);
  const socket = connect(Number(new URL(scene.gateway.url).port), '127.0.0.1');
  socket.write('GET /api/v1/x HTTP/1.1\r\nHost: gateway.test\r\n\r\n');
  await once(socket, 'data');
  const ended = once(socket, 'end');
  await scene.gateway.stop();
  await ended;
});

it('logs one line per request, without query, key and body', async () => {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write: (line, _encoding, done) => {
      lines.push(JSON.parse(String(line)));
      done();
    },
  });
  const node = await RecordingNode.start('full', OK);
  scene = await GatewayScene.open([node], {}, { logger: { stream } });
  await scene.get('/api/v1/x?secret-query', {
    authorization: 'Bearer secret-bearer',
    'x-api-key': 'secret-key',
    cookie: 'secret-cookie',
    'user-agent': 'secret-agent',
  });
  await scene.post('/api/v1/transactions?secret-query', '{"x":"secret-body"}');
  await scene.get('/nowhere?secret-query');
  await scene.get('/api/v1//x?secret-query');
  await scene.get('/api/v1/%zz?secret-query');
  await scene.get('/dl/%ff');
  await scene.close();
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

it('counts responses and requests to each node', async () => {
  const node = await RecordingNode.start('full', OK);
  scene = await GatewayScene.open([node]);
  await scene.get('/api/v1/x');
  await scene.get('/nowhere');
  await scene.get('/%zz');
  await node.stop();
  await scene.get('/api/v1/x');
  await nextTurn();
  const { requests, answers, bytesOut, nodes } = scene.gateway.context.traffic.counts();
  expect([requests, answers]).toEqual([4, { 1: 0, 2: 1, 3: 0, 4: 2, 5: 1 }]);
  expect(bytesOut).toBeGreaterThan(11);
  expect(nodes).toEqual([{ ip: node.ip, port: node.port, requests: 2, failures: 1, running: 0 }]);
  await node.listen();
});

it('counts a client that leaves before the response as 499', async () => {
  const node = await RecordingNode.start('full', () => {});
  const scene = await GatewayScene.open([node]);
  const statuses: number[] = [];
  scene.gateway.context.answers.listen(({ status }) => statuses.push(status));
  const client = connect(Number(new URL(scene.gateway.url).port), '127.0.0.1');
  client.write('GET /api/v1/x?wait_ms=9 HTTP/1.1\r\nHost: gateway.test\r\n\r\n');
  while (node.received.length === 0) await nextTurn();
  client.destroy();
  while (statuses.length === 0) await nextTurn();
  await scene.close();
  expect(statuses).toEqual([499]);
});

it('counts rejected requests against their client', async () => {
  const node = await RecordingNode.start('full', OK);
  const scene = await GatewayScene.open([node], { rateLimit: { requests: 3, writes: 0 } });
  const statusOf = async (path: string, headers = {}) => (await scene.get(path, headers)).status;
  expect(await statusOf('/api/v1//x')).toBe(400);
  expect(await statusOf('/%zz')).toBe(400);
  expect(await statusOf('/api/v1/x', { host: 'evil.test' })).toBe(403);
  expect(await statusOf('/api/v1//x')).toBe(429);
  await scene.close();
  expect(node.asked).toEqual([]);
});

it('accepts hooks before its routes', async () => {
  const node = await RecordingNode.start('full', OK);
  scene = await GatewayScene.open(
    [node],
    {},
    { extend: app => void app.addHook('onSend', async () => '{"altered":true}') },
  );
  expect((await scene.get('/api/v1/x')).body.toString()).toBe('{"altered":true}');
});

it("routes its own reads of the chain like a client's", async () => {
  const archival = await RecordingNode.start('archival', json(404, { success: false }));
  scene = await GatewayScene.open([archival]);
  const { readChain } = scene.gateway.context;
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

it('reports the address on which it cannot listen', async () => {
  const node = await RecordingNode.start('full', OK);
  await expect(GatewayScene.open([node], { listenPort: node.port })).rejects.toMatchObject({
    code: 'LISTEN_FAILED',
    message: `cannot listen on 127.0.0.1 port ${node.port}: address already in use (EADDRINUSE)`,
  });
  await node.stop();
});

it.each([
  [300, 'max-age=300'],
  [0, undefined],
])('with hsts_seconds %p, tells it in every response or in none', async (hstsSeconds, told) => {
  const node = await RecordingNode.start('full', OK);
  scene = await GatewayScene.open([node], { hstsSeconds });
  const answers = [
    await scene.get('/gateway/status'),
    await scene.get('/api/v1/x'),
    await scene.get('/nothing'),
    await scene.get('/gateway/status', { host: 'other.test' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 403]);
  expect(answers.map(({ headers }) => headers['strict-transport-security'])).toEqual(Array(4).fill(told));
});

/** The outcome of a connection attempt: the code of its error, or undefined if it was accepted. */
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
