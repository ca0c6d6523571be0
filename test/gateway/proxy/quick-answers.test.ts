import { request } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { NodeFault } from '#gateway/upstream/node-fault.js';
import { gatewayConfig } from '../../../testkit/gateway/gateway-config.js';
import { GatewayScene, startNodes } from '../../../testkit/gateway/gateway-scene.js';
import { sendRaw } from '../../../testkit/gateway/raw-request.js';
import { type Answer, json, type RecordingNode } from '../../../testkit/gateway/recording-node.js';
import { until } from '../../../testkit/until.js';

const HASH = 'cd'.repeat(32);
const PATH = `/api/v1/transactions/${HASH}/status`;
const CONFIRMED = { transaction_hash: HASH, status: 'confirmed', block_height: 5 };
const LIMITED = { requests: 5, writes: 0, windowSeconds: 60 };
const MANY = { rateLimit: { ...LIMITED, requests: 500 } };

let scene: GatewayScene;
/** Before the same node, and without the short way: a hook may alter what the app answers. */
let byApp: GatewayScene | undefined;
let node: RecordingNode;

async function open(changes: Parameters<typeof GatewayScene.open>[1] = {}, answer = json(200, CONFIRMED)) {
  const nodes = await startNodes({ full: [answer] });
  node = nodes[0]!;
  scene = await GatewayScene.open(nodes, changes);
}
async function openBoth(changes: Parameters<typeof GatewayScene.open>[1]): Promise<void> {
  await open(changes);
  byApp = await GatewayScene.open([node], changes, { extend: () => undefined });
}
/** Open, and with the answer in memory. */
async function openKept(changes: Parameters<typeof GatewayScene.open>[1] = {}): Promise<void> {
  await open(changes);
  expect((await scene.get(PATH)).status).toBe(200);
}
afterEach(async () => {
  await byApp?.gateway.stop();
  byApp = undefined;
  await scene.close();
});

async function read(headers: Record<string, string> = {}, path = PATH, by = scene) {
  const answer = await by.get(path, headers);
  return { status: answer.status, headers: answer.headers, body: answer.body.toString('latin1') };
}

/** What both ways say, without what the time changes. */
async function readBoth(headers: Record<string, string>, path: string) {
  const both = [await read(headers, path), await read(headers, path, byApp)] as const;
  for (const { headers: sent } of both) for (const name of ['date', 'ratelimit-reset']) delete sent[name];
  return both;
}

const ORIGIN = 'https://app.example';
const PROXIED = { trustedProxies: ['127.0.0.1'] };
const SHARED = { corsOrigins: [ORIGIN] };
const WITH_ORIGIN = { origin: ORIGIN };
const LARGE = JSON.stringify({ list: 'z'.repeat(150_000) });
const raw =
  (status: number, headers: Record<string, string>, body: string | Buffer = ''): Answer =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);
const ANSWERS: Record<string, [Answer, number]> = {
  JSON: [json(200, { any: 1 }), 200],
  'JSON that varies': [json(200, { any: 1 }, { vary: 'accept-encoding', etag: '"1"' }), 200],
  'bytes above 127': [raw(200, { 'content-type': 'application/json' }, Buffer.from([34, 195, 169, 34])), 200],
  HTML: [raw(200, { 'content-type': 'text/html' }, '<script>'), 200],
  'no type': [raw(200, {}, 'text'), 200],
  'no body': [raw(200, { 'content-length': '0' }), 200],
  'status 204': [raw(204, {}), 204],
  'status 304': [raw(304, { etag: '"1"' }), 304],
  'a failure without a body': [raw(500, {}), 500],
  'a failure with one': [json(500, { error: 'no' }), 500],
  'a refusal for a while': [raw(503, { 'retry-after': '7' }), 503],
  'nothing found': [raw(404, {}), 404],
  'nothing found, explained': [json(404, { error: 'none' }), 404],
  'a mistake of the client': [json(400, { error: 'bad' }), 400],
  'a list of 150 kB': [raw(200, { 'content-type': 'application/json' }, LARGE), 200],
  'a redirection': [raw(302, { location: '/' }), 502],
  'values like names': [json(200, { any: 1 }, { etag: 'vary', 'last-modified': 'content-length' }), 200],
  'a list with such values': [
    raw(200, { 'content-type': 'application/json', etag: 'vary', 'retry-after': 'content-length' }, LARGE),
    200,
  ],
  'no answer': [(_request, _response, socket) => void socket.destroy(), 502],
};

it.each([
  [{}, {}],
  [{ ...SHARED, hstsSeconds: 60, ...MANY }, WITH_ORIGIN],
  [SHARED, {}],
  [{}, { 'if-none-match': '"1"' }],
  [
    { ...SHARED, ...PROXIED, ...MANY },
    { ...WITH_ORIGIN, 'x-forwarded-for': '192.0.2.1' },
  ],
])('whatever a node says is the same by both ways, with %j, to %j', async (changes, headers) => {
  await openBoth(changes);
  for (const [what, [answer, status]] of Object.entries(ANSWERS)) {
    node.answer = answer;
    for (const coded of [{}, { 'accept-encoding': 'br' }]) {
      const [quick, asBefore] = await readBoth({ ...headers, ...coded }, '/api/v1/any?list=1');
      expect({ what, ...quick }).toEqual({ what, ...asBefore });
      const isUnasked = status === 304 && !('if-none-match' in headers);
      expect({ what, status: quick.status }).toEqual({ what, status: isUnasked ? 502 : status });
    }
  }
});

it('nodes are asked by the short way, also behind a proxy and for other origins', async () => {
  await openBoth({ ...PROXIED, ...SHARED });
  const [quick, asBefore] = await readBoth(WITH_ORIGIN, '/api/v1/any');
  // The only difference between the two.
  expect(Object.keys(quick.headers)).not.toEqual(Object.keys(asBefore.headers));
  expect(Object.keys(quick.headers)[0]).toBe('x-content-type-options');
  expect(quick.headers).toMatchObject({ 'access-control-allow-origin': ORIGIN, vary: 'origin' });
  expect((await read({ origin: 'https://evil.example' }, '/api/v1/any')).headers).not.toHaveProperty(
    'access-control-allow-origin',
  );
});

it('clients behind a proxy have a limit each, and are told apart in the log', async () => {
  await openKept({ ...PROXIED, rateLimit: LIMITED });
  const seen: string[] = [];
  scene.gateway.context.answers.listen(({ ip }) => seen.push(ip));
  const left = [];
  for (const [client, path] of [
    ['192.0.2.1', PATH],
    ['192.0.2.1', '/api/v1/any'],
    ['192.0.2.2, 198.51.100.7', PATH],
    ['192.0.2.2, 198.51.100.7', '/api/v1/any'],
  ] as const) {
    const { headers } = await read({ 'x-forwarded-for': client }, path);
    left.push(Number(headers['ratelimit-remaining']));
  }
  expect(left).toEqual([4, 3, 4, 3]);
  expect(seen).toEqual(['192.0.2.1', '192.0.2.1', '198.51.100.7', '198.51.100.7']);
});

it('a client that leaves ends its question, and makes place for the next', async () => {
  let isLeft = false;
  const silence: Answer = (_request, response) => {
    response.on('close', () => {
      isLeft = true;
    });
  };
  const { limits } = gatewayConfig();
  await open({ limits: { ...limits, requestsPerClient: 1 } }, silence);
  const seen: unknown[] = [];
  scene.gateway.context.answers.listen(({ status, bytes, node: by }) => seen.push([status, bytes, by]));
  const sent = request(`${scene.gateway.url}/api/v1/any?list=1`, { agent: false }).end();
  sent.on('error', () => undefined);
  await until(() => node.received.length === 1);
  expect((await read({}, '/api/v1/other')).status).toBe(429);
  sent.destroy();
  await until(() => isLeft && seen.length === 2);
  expect(seen[1]).toEqual([499, 0, null]);
  node.answer = json(200, {});
  expect((await read({}, '/api/v1/other')).status).toBe(200);
});

it('a list that breaks off breaks off for the client too', async () => {
  const head = { 'content-type': 'application/json', 'content-length': '200000' };
  await open({}, (_request, response, socket) => {
    response.writeHead(200, head).write(LARGE, () => socket.destroy());
  });
  await expect(read({}, '/api/v1/any')).rejects.toThrow();
  node.answer = json(200, {});
  await until(async () => (await read({}, '/api/v1/any')).status === 200);
});

it('what a node gives up before any of it was sent is its failure, by the app too', async () => {
  await open(SHARED, raw(200, { 'content-type': 'application/json', etag: '"1"' }, LARGE));
  const fault = new NodeFault('broken', true, 'sent too large a response');
  const extend = (app: FastifyInstance) => {
    app.addHook('onSend', (_request, _reply, payload, done) => {
      if (payload instanceof Readable) payload.destroy(fault);
      done(null, payload);
    });
  };
  byApp = await GatewayScene.open([node], SHARED, { extend });
  for (const coding of ['br', 'identity']) {
    const { status, headers, body } = await read({ 'accept-encoding': coding }, '/api/v1/any', byApp);
    expect([status, JSON.parse(body).error]).toEqual([502, 'The node sent too large a response']);
    expect(headers).toMatchObject({ vary: 'origin', 'content-type': 'application/json; charset=utf-8' });
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'zbc-height': '7' });
    for (const name of ['content-encoding', 'etag']) expect(headers).not.toHaveProperty(name);
  }
});

it.each([
  {},
  { hstsSeconds: 60 },
  { ...SHARED, ...PROXIED },
  { rateLimit: { ...LIMITED, requests: 0, writes: 1 } },
])('an answer from memory is the same by the short way and by the app, with %j', async changes => {
  await openBoth(changes);
  await readBoth({}, PATH);
  for (const headers of [{}, WITH_ORIGIN, { 'accept-encoding': 'br' }, { accept: 'text/html' }]) {
    const [quick, asBefore] = await readBoth(headers, PATH);
    expect(quick).toEqual(asBefore);
    expect(quick.headers['content-security-policy']).toContain('sandbox');
    const tag = { 'if-none-match': quick.headers.etag ?? '' };
    const [again, againByApp] = await readBoth({ ...headers, ...tag }, PATH);
    expect(again).toEqual(againByApp);
  }
  // Once for each gateway, and for what is not read as JSON.
  expect(node.received.length).toBeLessThanOrEqual(6);
});

it.each([[{}], [SHARED]])('a value like the name of a header does no harm, with %j', async changes => {
  const named = { etag: 'vary', 'last-modified': 'vary', 'retry-after': 'content-length' };
  await openBoth(changes);
  node.answer = json(200, CONFIRMED, named);
  for (const _ of ['asked', 'kept']) {
    const [quick, asBefore] = await readBoth({}, PATH);
    expect(quick).toEqual(asBefore);
    expect(quick).toMatchObject({ status: 200, headers: { 'last-modified': 'vary' } });
  }
  const bytes: number[] = [];
  scene.gateway.context.answers.listen(answered => bytes.push(answered.bytes));
  const head = { 'content-type': 'application/json', 'content-length': String(LARGE.length) };
  node.answer = raw(200, { ...named, ...head }, LARGE);
  expect((await read({}, '/api/v1/any')).body).toBe(LARGE);
  await until(() => bytes.length === 1);
  expect(bytes).toEqual([LARGE.length]);
});

it('both ways count for the same limit of a client, and in the same figures', async () => {
  await openKept({ rateLimit: LIMITED });
  const { context } = scene.gateway;
  const before = (await context.readTraffic()).requests;
  const left = [];
  for (const way of ['quick', 'app', 'node', 'app']) {
    const path = way === 'node' ? '/api/v1/any' : PATH;
    const answer = way === 'app' ? await scene.head(PATH) : await read({}, path);
    left.push(Number(answer.headers['ratelimit-remaining']));
  }
  expect(left).toEqual([3, 2, 1, 0]);
  const refused = await read();
  expect([refused.status, refused.headers['ratelimit-remaining']]).toEqual([429, '0']);
  expect(refused.body).toContain('Too many requests');
  expect((await context.readTraffic()).requests - before).toBe(5);
  expect(context.cache.reads).toMatchObject({ hit: 3, miss: 1 });
  const { hit } = (await context.readHistory()).reads;
  expect(hit.reduce((sum, count) => sum + count, 0)).toBe(3);
});

it.each([
  ['another host', 403, ['Host: example.org']],
  ['two hosts', 400, ['Host: gateway.test', 'Host: gateway.test']],
  ['no host', 400, []],
  ['a body', 400, ['Host: gateway.test', 'Content-Length: 1']],
  ['an upgrade', 400, ['Host: gateway.test', 'Connection: upgrade', 'Upgrade: h2c']],
  ['a loop', 508, ['Host: gateway.test', 'Via: 1.1 zbc-gateway']],
  ['too many lines', 431, ['Host: gateway.test', ...Array.from({ length: 256 }, () => 'A: b')]],
])('nothing, in memory or not, is given to a request with %s', async (_what, status, lines) => {
  await openKept();
  for (const path of [PATH, '/api/v1/any']) {
    const text = [`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
    expect((await sendRaw(scene.gateway.url, text)).status).toBe(status);
  }
  expect(node.received).toHaveLength(1);
});
