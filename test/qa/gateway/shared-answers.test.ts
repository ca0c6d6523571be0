import { Redis } from 'ioredis';
import { GatewayScene, startNodes } from '../../../testkit/gateway/gateway-scene.js';
import { type Answer, GENESIS, json, type RecordingNode } from '../../../testkit/gateway/recording-node.js';
import { RedisServer } from '../../../testkit/redis-server.js';
import { until } from '../../../testkit/until.js';

const HASH = 'cd'.repeat(32);
const PATH = `/api/v1/transactions/${HASH}/status`;
const CONFIRMED = { transaction_hash: HASH, status: 'confirmed', block_height: 5 };
const BODY = JSON.stringify(CONFIRMED);
const [FIRST, OTHER] = ['a1'.repeat(32), 'b2'.repeat(32)];
const KEY = `zbc-gateway:gateway.test:answer:${GENESIS}:${PATH}`;

let redis: RedisServer;
let client: Redis;
let scenes: GatewayScene[] = [];
beforeAll(async () => {
  redis = await RedisServer.start();
  client = new Redis(redis.url, { lazyConnect: true });
  client.on('error', () => undefined);
});
beforeEach(() => client.flushall());
afterEach(async () => {
  await Promise.all(scenes.map(scene => scene.close()));
  scenes = [];
});
afterAll(async () => {
  client.disconnect();
  await redis.stop();
});

/** A chain of which the 128th block has this hash. */
const chain =
  (anchor: string, answer: Answer = json(200, CONFIRMED)): Answer =>
  (...exchange) => {
    const isAnchor = exchange[0].path === '/api/v1/blocks/128';
    (isAnchor ? json(200, { height: 128, block_hash: anchor }) : answer)(...exchange);
  };

async function nodeOf(answer: Answer, height = 200): Promise<RecordingNode> {
  const [node] = await startNodes({ full: [answer] });
  node!.answerCheck = json(200, { genesis_hash: GENESIS, height });
  return node!;
}

async function openFor(...nodes: RecordingNode[]): Promise<GatewayScene> {
  const limits = { requests: 0, writes: 0, windowSeconds: 60 };
  const scene = await GatewayScene.open(
    nodes,
    { redisUrl: redis.url, rateLimit: limits },
    { onError: () => undefined },
  );
  scenes.push(scene);
  return scene;
}

async function open(answer: Answer, height?: number): Promise<{ scene: GatewayScene; node: RecordingNode }> {
  const node = await nodeOf(answer, height);
  return { scene: await openFor(node), node };
}

/** What Redis holds of an answer of a node. */
const entry = ({ ip, port }: RecordingNode, body: string, anchor = `128 ${FIRST}`) =>
  `${anchor} ${ip}:${port}\n${body}`;

const asked = ({ asked: all }: RecordingNode) => all.filter(line => line.includes(HASH));
const kept = () => until(async () => (await client.exists(KEY)) === 1);
const reads = ({ gateway }: GatewayScene) => gateway.context.cache.reads;

it('what one gateway read, the other has from Redis and then from its memory', async () => {
  const { scene: one, node } = await open(chain(FIRST));
  expect((await one.get(PATH)).body.toString()).toBe(BODY);
  await kept();
  expect(await client.ttl(KEY)).toBeGreaterThan(86_400);
  expect(await client.get(KEY)).toBe(entry(node, BODY));
  const other = await openFor(node);
  const [first, second] = [await other.get(PATH), await other.get(PATH)];
  expect([first.body.toString(), second.body.toString()]).toEqual([BODY, BODY]);
  expect(first.headers.etag).toBe((await one.get(PATH)).headers.etag);
  expect(asked(node)).toHaveLength(1);
  expect(reads(other)).toEqual({ hit: 1, shared: 0, redis: 1, miss: 0 });
});

it('what a node said ends with it, here and at other gateways', async () => {
  const liar = await nodeOf(chain(FIRST));
  const honest = await nodeOf(chain(FIRST, json(404, { success: false, error: 'no', code: 404 })));
  const scene = await openFor(liar, honest);
  await until(async () => (await scene.get(PATH)).status === 200);
  await kept();
  scene.gateway.context.nodes.distrust(liar);
  expect((await scene.get(PATH)).status).toBe(404);
  expect((await (await openFor(honest)).get(PATH)).status).toBe(404);
  expect(await client.get(KEY)).toBe(entry(liar, BODY));
});

it('a node that is slow to tell its history is not waited for', async () => {
  const answer = chain(FIRST);
  const node = await nodeOf((...exchange) => {
    if (exchange[0].path !== '/api/v1/blocks/128') answer(...exchange);
  });
  await client.set(KEY, entry(node, BODY));
  const scene = await openFor(node);
  expect((await scene.get(PATH)).body.toString()).toBe(BODY);
  expect(asked(node)).toHaveLength(1);
});

it.each([
  ['of another history', chain(OTHER), 200],
  ['that is too short to tell', chain(FIRST), 128],
  ['that does not say', json(200, CONFIRMED), 200],
])('nothing in Redis is used before a node %s', async (_what, answer, height) => {
  const { scene, node } = await open(answer, height);
  await client.set(KEY, entry(node, BODY));
  expect((await scene.get(PATH)).body.toString()).toBe(BODY);
  expect(asked(node)).toHaveLength(1);
});

it('what a gateway has from Redis ends with the history of its node', async () => {
  const { scene, node } = await open(chain(FIRST));
  await client.set(KEY, entry(node, BODY));
  expect((await scene.get(PATH)).body.toString()).toBe(BODY);
  expect(asked(node)).toEqual([]);
  await node.stop();
  node.answer = chain(OTHER, json(404, { success: false, error: 'no', code: 404 }));
  await node.listen();
  await scene.gateway.context.nodes.refresh();
  await until(async () => (await scene.get(PATH)).status !== 502);
  expect((await scene.get(PATH)).status).toBe(404);
});

const escrow = { ...CONFIRMED, escrow_status: 'approved' };
type Held = (node: RecordingNode) => string;
const held: [string, Held][] = [
  ['nothing', () => ''],
  ['no answer', node => entry(node, '').trimEnd()],
  ['another transaction', node => entry(node, BODY.replaceAll('cd', 'ce'))],
  ['what is not confirmed', node => entry(node, JSON.stringify({ ...CONFIRMED, status: 'mempool' }))],
  ['more than a node says', node => entry(node, JSON.stringify({ ...CONFIRMED, more: 1 }))],
  ['an anchor of another height', node => entry(node, BODY, `256 ${FIRST}`)],
  ['an escrow, whose end is in another block', node => entry(node, JSON.stringify(escrow))],
  ['no JSON', node => entry(node, '{"')],
  ['too much', node => entry(node, BODY + ' '.repeat(100_000))],
  ['no node', () => `128 ${FIRST}\n${BODY}`],
  ['a node that is not admitted', () => `128 ${FIRST} 127.0.0.1:1\n${BODY}`],
];
it.each(held)('a value that holds %s is not used', async (_what, valueFor) => {
  const { scene, node } = await open(chain(FIRST));
  await client.set(KEY, valueFor(node));
  expect((await scene.get(PATH)).body.toString()).toBe(BODY);
  expect(asked(node)).toHaveLength(1);
});

it('a value of another type is not used', async () => {
  await client.hset(KEY, 'a', 'b');
  const { scene } = await open(chain(FIRST));
  expect((await scene.get(PATH)).body.toString()).toBe(BODY);
});

it('equal reads under way are asked once with Redis too', async () => {
  const waiting: (() => void)[] = [];
  const { scene, node } = await open(
    chain(FIRST, (...exchange) => waiting.push(() => json(200, CONFIRMED)(...exchange))),
  );
  const answers = Array.from({ length: 8 }, () => scene.get(PATH));
  await until(() => waiting.length > 0);
  for (const answer of waiting) answer();
  for (const { body } of await Promise.all(answers)) expect(body.toString()).toBe(BODY);
  expect(asked(node)).toHaveLength(1);
});

it('without Redis nodes are asked, and it is used again when it is back', async () => {
  const { scene, node } = await open(chain(FIRST));
  await redis.kill();
  try {
    expect((await scene.get(PATH)).body.toString()).toBe(BODY);
    expect((await scene.get(PATH)).body.toString()).toBe(BODY);
    expect(asked(node)).toHaveLength(1);
  } finally {
    await redis.run();
  }
  const hash = 'ef'.repeat(32);
  const path = PATH.replace(HASH, hash);
  const body = BODY.replace(HASH, hash);
  await until(
    async () => (await client.set(KEY.replace(HASH, hash), entry(node, body)).catch(() => '')) === 'OK',
  );
  node.answer = chain(FIRST, json(404, {}));
  await until(async () => (await scene.get(path)).status === 200);
  expect(reads(scene).redis).toBe(1);
});
