import { GatewayScene, startNodes } from '../../../testkit/gateway/gateway-scene.js';
import { sendRaw } from '../../../testkit/gateway/raw-request.js';
import { json, type RecordingNode } from '../../../testkit/gateway/recording-node.js';

const HASH = 'cd'.repeat(32);
const PATH = `/api/v1/transactions/${HASH}/status`;
const CONFIRMED = { transaction_hash: HASH, status: 'confirmed', block_height: 5 };
/** Leaves a request to the app, which answers the same. */
const BY_APP = { 'if-none-match': '"x"' };
const LIMITED = { requests: 5, writes: 0, windowSeconds: 60 };

let scene: GatewayScene;
let node: RecordingNode;

async function open(changes: Parameters<typeof GatewayScene.open>[1] = {}): Promise<void> {
  const nodes = await startNodes({ full: [json(200, CONFIRMED)] });
  node = nodes[0]!;
  scene = await GatewayScene.open(nodes, changes);
  expect((await scene.get(PATH)).status).toBe(200);
}
afterEach(() => scene.close());

async function read(headers: Record<string, string> = {}) {
  const answer = await scene.get(PATH, headers);
  return { status: answer.status, headers: answer.headers, body: answer.body.toString() };
}

it.each([{}, { hstsSeconds: 60 }, { rateLimit: { requests: 0, writes: 1, windowSeconds: 60 } }])(
  'an answer from memory is the same by the short way and by the app, with %j',
  async changes => {
    await open(changes);
    const [quick, byApp] = [await read(), await read(BY_APP)];
    for (const { headers } of [quick, byApp]) {
      delete headers.date;
      delete headers['ratelimit-remaining'];
    }
    expect(quick).toEqual(byApp);
    expect(quick.headers['content-security-policy']).toContain('sandbox');
    expect(node.received).toHaveLength(1);
  },
);

it('both ways count for the same limit of a client', async () => {
  await open({ rateLimit: LIMITED });
  const left = [];
  for (const headers of [{}, BY_APP, {}, BY_APP]) {
    left.push(Number((await read(headers)).headers['ratelimit-remaining']));
  }
  expect(left).toEqual([3, 2, 1, 0]);
  const refused = await read();
  expect([refused.status, refused.headers['ratelimit-remaining']]).toEqual([429, '0']);
  expect(refused.body).toContain('Too many requests');
});

it('both ways are counted and in the same figures', async () => {
  await open();
  const { context } = scene.gateway;
  const before = (await context.readTraffic()).requests;
  for (const headers of [{}, BY_APP, {}]) await read(headers);
  expect((await context.readTraffic()).requests - before).toBe(3);
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
])('what is in memory is refused to a request with %s', async (_what, status, lines) => {
  await open();
  const request = [`GET ${PATH} HTTP/1.1`, ...lines, '', ''].join('\r\n');
  expect((await sendRaw(scene.gateway.url, request)).status).toBe(status);
});
