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

async function open(answer: Answer, height = 200): Promise<{ scene: GatewayScene; node: RecordingNode }> {
  const [node] = await startNodes({ full: [answer] });
  node!.answerCheck = json(200, { genesis_hash: GENESIS, height });
  const limits = { requests: 0, writes: 0, windowSeconds: 60 };
  const scene = await GatewayScene.open(
    [node!],
    { redisUrl: redis.url, rateLimit: limits },
    { onError: () => undefined },
  );
  scenes.push(scene);
  return { scene, node: node! };
}

const asked = ({ asked: all }: RecordingNode) => all.filter(line => line.includes(HASH));
const kept = () => until(async () => (await client.exists(KEY)) === 1);
const reads = ({ gateway }: GatewayScene) => gateway.context.cache.reads;

it('what one gateway read, the other has from Redis and then from its memory', async () => {
  const one = await open(chain(FIRST));
  expect((await one.scene.get(PATH)).body.toString()).toBe(BODY);
  await kept();
  expect(await client.ttl(KEY)).toBeGreaterThan(86_400);
  const other = await open(chain(FIRST));
  const [first, second] = [await other.scene.get(PATH), await other.scene.get(PATH)];
  expect([first.body.toString(), second.body.toString()]).toEqual([BODY, BODY]);
  expect(first.headers.etag).toBe((await one.scene.get(PATH)).headers.etag);
  expect(asked(other.node)).toEqual([]);
  expect(reads(other.scene)).toEqual({ hit: 1, shared: 0, redis: 1, miss: 0 });
});

it.each([
  ['of another history', chain(OTHER), 200],
  ['that is too short to tell', chain(FIRST), 128],
  ['that does not say', json(200, CONFIRMED), 200],
])('nothing in Redis is used before a node %s', async (_what, answer, height) => {
  await client.set(KEY, `128 ${FIRST}\n${BODY}`);
  const { scene, node } = await open(answer, height);
  expect((await scene.get(PATH)).body.toString()).toBe(BODY);
  expect(asked(node)).toHaveLength(1);
});

it('what a gateway has from Redis ends with the history of its node', async () => {
  await client.set(KEY, `128 ${FIRST}\n${BODY}`);
  const { scene, node } = await open(chain(FIRST));
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
it.each([
  ['nothing', ''],
  ['no answer', `128 ${FIRST}`],
  ['another transaction', `128 ${FIRST}\n${BODY.replaceAll('cd', 'ce')}`],
  ['what is not confirmed', `128 ${FIRST}\n${JSON.stringify({ ...CONFIRMED, status: 'mempool' })}`],
  ['more than a node says', `128 ${FIRST}\n${JSON.stringify({ ...CONFIRMED, more: 1 })}`],
  ['an anchor of another height', `256 ${FIRST}\n${BODY}`],
  ['an escrow, whose end is in another block', `128 ${FIRST}\n${JSON.stringify(escrow)}`],
  ['no JSON', `128 ${FIRST}\n{"`],
  ['too much', `128 ${FIRST}\n${BODY}${' '.repeat(100_000)}`],
])('a value that holds %s is not used', async (_what, value) => {
  await client.set(KEY, value);
  const { scene, node } = await open(chain(FIRST));
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
    async () => (await client.set(KEY.replace(HASH, hash), `128 ${FIRST}\n${body}`).catch(() => '')) === 'OK',
  );
  node.answer = chain(FIRST, json(404, {}));
  await until(async () => (await scene.get(path)).status === 200);
  expect(reads(scene).redis).toBe(1);
});
