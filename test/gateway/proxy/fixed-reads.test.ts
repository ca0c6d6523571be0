import { request } from 'node:http';
import { GatewayFixture, startNodes } from '../../../testkit/gateway/gateway-fixture.js';
import {
  type Answer,
  json,
  OTHER_GENESIS,
  RecordingNode,
  reset,
} from '../../../testkit/gateway/recording-node.js';
import { until } from '../../../testkit/time/until.js';

const HASH = 'cd'.repeat(32);
const PATH = `/api/v1/transactions/${HASH}/status`;
const CONFIRMED = { transaction_hash: HASH, status: 'confirmed', block_height: 5 };
const UNKNOWN = { success: false, error: 'Transaction not found', code: 404 };

let fixture: GatewayFixture;
let node: RecordingNode;

async function open(answer: Answer, changes: Parameters<typeof GatewayFixture.open>[1] = {}): Promise<void> {
  const nodes = await startNodes({ full: [answer] });
  node = nodes[0]!;
  fixture = await GatewayFixture.open(nodes, changes);
}
afterEach(() => fixture.close());

async function read(headers: Record<string, string> = {}): Promise<[number, string]> {
  const { status, body } = await fixture.get(PATH, headers);
  return [status, body.toString()];
}

const reads = () => fixture.gateway.context.cache.reads;
const check = () => fixture.gateway.context.nodes.refresh();

test('an answer that never changes is requested once, and later sent from memory', async () => {
  await open(json(200, CONFIRMED));
  const answers = [await read(), await read(), await read({ 'accept-encoding': 'gzip' })];
  expect(answers).toEqual(Array(3).fill([200, JSON.stringify(CONFIRMED)]));
  expect(node.asked).toEqual([`GET ${PATH}`]);
  expect(reads()).toEqual({ hit: 2, shared: 0, miss: 1 });
  expect((await fixture.head(PATH)).headers['content-length']).toBe(`${JSON.stringify(CONFIRMED).length}`);
  expect(node.received).toHaveLength(1);
});

test('only the body of a response is kept in memory, and not a long head', async () => {
  await open((_request, response) => {
    const head = { 'content-type': 'application/json', 'x-more': 'x'.repeat(10_000) };
    response.writeHead(200, head).end(JSON.stringify(CONFIRMED));
  });
  await read();
  const { body } = fixture.gateway.context.cache.get(PATH)!.answer;
  expect(body.toString()).toBe(JSON.stringify(CONFIRMED));
  expect(body.buffer.byteLength).toBe(body.length);
});

test('a client that already has the answer is answered 304', async () => {
  await open(json(200, CONFIRMED));
  const { headers } = await fixture.get(PATH);
  expect(headers).toMatchObject({
    etag: expect.stringMatching(/^"[\w-]{43}"$/),
    'cache-control': 'no-cache',
  });
  const again = await fixture.get(PATH, { 'if-none-match': `"x", W/${headers.etag}` });
  expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
  expect(await read({ 'if-none-match': '"x"' })).toEqual([200, JSON.stringify(CONFIRMED)]);
});

test.each([
  ['may change', { ...CONFIRMED, status: 'mempool' }],
  ['is above the height that the node reported', { ...CONFIRMED, block_height: 7 }],
])('an answer that %s is requested each time', async (_what, document) => {
  await open(json(200, document));
  for (let count = 0; count < 3; count += 1) expect(await read()).toEqual([200, JSON.stringify(document)]);
  expect(node.received).toHaveLength(3);
});

test('an answer of a registered node is requested each time, and marked no-store', async () => {
  const registered = await RecordingNode.start('archival', json(200, CONFIRMED));
  const { ip, port } = registered;
  await open(json(200, { nodes: [], archivals: [{ ip, port }] }), { mode: 'public' });
  for (let count = 0; count < 3; count += 1) expect(await read()).toEqual([200, JSON.stringify(CONFIRMED)]);
  expect(registered.received).toHaveLength(3);
  expect((await fixture.get(PATH)).headers['cache-control']).toBe('no-store');
  await registered.stop();
});

test('without a cache, each read is sent to the node', async () => {
  await open(json(200, CONFIRMED), { cacheBytes: 0 });
  for (let count = 0; count < 3; count += 1) expect(await read()).toEqual([200, JSON.stringify(CONFIRMED)]);
  expect(node.received).toHaveLength(3);
});

test('a client that does not accept JSON, and a request to a named node, get their answer from the node', async () => {
  await open(json(200, CONFIRMED));
  await read();
  await read({ accept: 'text/html' });
  expect(node.received[1]!.headers.accept).toBe('text/html');
  await read({ host: `ip-127-0-0-1-p${node.port}.gateway.test` });
  expect(node.received).toHaveLength(3);
});

test('equal reads at the same time are sent to the node once', async () => {
  const waiting: (() => void)[] = [];
  await open((...parts) => waiting.push(() => json(200, CONFIRMED)(...parts)));
  const answers = Array.from({ length: 8 }, () => read());
  await until(() => waiting.length === 1);
  waiting[0]!();
  expect(await Promise.all(answers)).toEqual(Array(8).fill([200, JSON.stringify(CONFIRMED)]));
  expect(node.received).toHaveLength(1);
  expect(reads()).toMatchObject({ miss: 1 });
});

test('a read that waits for an equal read is sent itself when the client of the other read leaves', async () => {
  const waiting: (() => void)[] = [];
  await open((...parts) => waiting.push(() => json(200, CONFIRMED)(...parts)));
  const first = request(fixture.gateway.url + PATH, { agent: false })
    .on('error', () => undefined)
    .end();
  await until(() => waiting.length === 1);
  const second = read();
  // A later request is answered only after the second read has begun to wait.
  await fixture.get('/gateway/status');
  // To the gateway, destroy() looks like a half-closed connection, and such a client still gets its answer.
  first.socket!.resetAndDestroy();
  await until(() => waiting.length === 2);
  waiting[1]!();
  expect(await second).toEqual([200, JSON.stringify(CONFIRMED)]);
  expect(fixture.gateway.context.traffic.counts().roles.full.failures).toBe(0);
});

test.each<[string, Answer, number]>([
  ['has no answer', reset, 502],
  ['is answered 500', json(500, {}), 500],
])(
  'a read that waits for an equal read is sent itself when the other read %s',
  async (_how, fail, status) => {
    const waiting: (() => void)[] = [];
    await open((...parts) => waiting.push(() => fail(...parts)));
    const first = read();
    await until(() => waiting.length === 1);
    const second = read();
    // A later request is answered only after the second read has begun to wait.
    await fixture.get('/gateway/status');
    expect(node.received).toHaveLength(1);
    node.answer = json(200, CONFIRMED);
    waiting[0]!();
    expect((await first)[0]).toBe(status);
    expect(await second).toEqual([200, JSON.stringify(CONFIRMED)]);
    expect(node.received).toHaveLength(2);
  },
);

describe('a kept answer is not sent', () => {
  beforeEach(async () => {
    await open(json(200, CONFIRMED));
    await read();
    node.answer = json(404, UNKNOWN);
    expect(await read()).toEqual([200, JSON.stringify(CONFIRMED)]);
  });

  test('when the node was stopped and another one runs in its place, before the next check', async () => {
    await node.stop();
    await node.listen();
    expect(await read()).toEqual([404, JSON.stringify(UNKNOWN)]);
  });

  test('when the node reports another genesis hash', async () => {
    node.genesisHash = OTHER_GENESIS;
    await check();
    expect((await read())[0]).toBe(503);
  });

  test('when the height of the node went back', async () => {
    node.answerCheck = json(200, { genesis_hash: node.genesisHash, height: 6 });
    await check();
    expect(await read()).toEqual([404, JSON.stringify(UNKNOWN)]);
  });

  test('when the node is no longer admitted', async () => {
    await fixture.gateway.context.allowlist.remove(node);
    await check();
    expect((await read())[0]).toBe(503);
  });

  test('when the node is down', async () => {
    await node.stop();
    const [status] = await read();
    expect([502, 503]).toContain(status);
    await node.listen();
  });
});
