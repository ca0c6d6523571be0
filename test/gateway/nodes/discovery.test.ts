import { GatewayFixture } from '../../../testkit/gateway/gateway-fixture.js';
import {
  type Answer,
  empty,
  json,
  OTHER_GENESIS,
  RecordingNode,
} from '../../../testkit/gateway/recording-node.js';

let seed: RecordingNode;
let archival: RecordingNode;
let full: RecordingNode;
let fixture: GatewayFixture;
let registry: { nodes: unknown[]; archivals: unknown[] };

const answerFrom =
  (name: string): Answer =>
  (request, ...rest) => {
    const list = /^\/api\/v1\/registry\/(nodes|archivals)$/.exec(request.path)?.[1];
    const answer = list
      ? json(200, { [list]: registry[list as keyof typeof registry] })
      : json(200, { from: name });
    answer(request, ...rest);
  };

beforeEach(async () => {
  seed = await RecordingNode.start('full', answerFrom('seed'));
  archival = await RecordingNode.start('archival', answerFrom('archival'));
  full = await RecordingNode.start('full', answerFrom('full'));
  registry = { nodes: [address(full), address(seed)], archivals: [address(archival)] };
});

afterEach(async () => {
  await fixture.close();
  await Promise.all([archival, full].map(node => node.stop()));
});

function address({ ip, port }: RecordingNode) {
  return { public_key: 'ab', ip, port, version: '1.0.0', registered_height: 1 };
}

function known(): [number, string, string][] {
  return fixture.gateway.context.nodes.nodes().map(({ port, role, source }) => [port, role, source]);
}

test('admits the nodes of the registry in public mode, each in the role of its list', async () => {
  fixture = await GatewayFixture.open([seed], { mode: 'public' });
  expect(known()).toEqual([
    [seed.port, 'full', 'static'],
    [full.port, 'full', 'registry'],
    [archival.port, 'archival', 'registry'],
  ]);
  expect((await fixture.get('/api/v1/x')).body.toString()).toBe('{"from":"archival"}');
  archival.answer = empty(404);
  expect((await fixture.get('/api/v1/x')).body.toString()).toBe('{"from":"seed"}');
  await seed.stop();
  expect((await fixture.get('/api/v1/x')).body.toString()).toBe('{"from":"full"}');
  await seed.listen();
});

test('does not read the registry in private mode', async () => {
  fixture = await GatewayFixture.open([seed]);
  expect(known()).toEqual([[seed.port, 'full', 'static']]);
  expect(seed.asked).toEqual([]);
});

test('ignores registered private addresses unless allowed', async () => {
  fixture = await GatewayFixture.open([seed], { mode: 'public', allowPrivateNodes: false });
  expect(known()).toEqual([[seed.port, 'full', 'static']]);
  expect([full.checks, archival.checks]).toEqual([0, 0]);
});

test('does not route to a registered node on a different chain', async () => {
  full.genesisHash = OTHER_GENESIS;
  archival.genesisHash = OTHER_GENESIS;
  fixture = await GatewayFixture.open([seed], { mode: 'public' });
  expect((await fixture.get('/api/v1/x')).body.toString()).toBe('{"from":"seed"}');
  expect([full.asked, archival.asked]).toEqual([[], []]);
});

test('sends only checks to a registered address that has passed no check, even for requests under its host name', async () => {
  full.answerCheck = json(404, {});
  archival.genesisHash = OTHER_GENESIS;
  fixture = await GatewayFixture.open([seed], { mode: 'public' });
  const hostOf = ({ port }: RecordingNode) => ({ host: `ip-127-0-0-1-p${port}.gateway.test` });
  for (const node of [full, archival]) {
    expect((await fixture.post('/api/v1/transactions', 'FLUSHALL', hostOf(node))).status).toBe(403);
    expect((await fixture.get('/api/v1/x', hostOf(node))).status).toBe(403);
    expect([node.checks > 0, node.asked]).toEqual([true, []]);
  }
  full.answerCheck = undefined;
  await fixture.gateway.context.nodes.refresh();
  expect((await fixture.get('/api/v1/x', hostOf(full))).status).toBe(200);
});

test('at the next refresh, drops nodes that left the registry or were removed', async () => {
  fixture = await GatewayFixture.open([seed], { mode: 'public' });
  const { nodes, allowlist } = fixture.gateway.context;
  expect((await fixture.get('/api/v1/x')).body.toString()).toBe('{"from":"archival"}');
  registry = { nodes: [address(full)], archivals: [] };
  await nodes.refresh();
  expect(known().map(([port]) => port)).toEqual([seed.port, full.port]);
  await allowlist.remove({ ip: full.ip, port: full.port });
  await nodes.refresh();
  expect(known().map(([port]) => port)).toEqual([seed.port]);
});

test('keeps registered nodes while the registry is unavailable', async () => {
  fixture = await GatewayFixture.open([seed], { mode: 'public' });
  for (const node of [seed, full, archival]) node.answer = json(500, {});
  await fixture.gateway.context.nodes.refresh();
  expect(known()).toHaveLength(3);
});

test('keeps the registered nodes of a list that cannot be read, and reads it again after the next check', async () => {
  fixture = await GatewayFixture.open([seed], { mode: 'public', healthIntervalMs: 10 });
  const before = known();
  let failures = 0;
  const failing: Answer = (request, ...rest) => {
    const fails = request.path === '/api/v1/registry/archivals';
    if (fails) failures += 1;
    (fails ? json(500, {}) : answerFrom('any'))(request, ...rest);
  };
  for (const node of [seed, full, archival]) node.answer = failing;
  while (failures < 12) await new Promise(resolve => setImmediate(resolve));
  expect(known()).toEqual(before);
  for (const node of [seed, full, archival]) node.answer = answerFrom('any');
  registry.archivals = [];
  while (known().length === 3) await new Promise(resolve => setImmediate(resolve));
  expect(known().map(([port]) => port)).toEqual([seed.port, full.port]);
});

test('reads the registry as soon as a node answers', async () => {
  await seed.stop();
  fixture = await GatewayFixture.open([seed], { mode: 'public', healthIntervalMs: 10 });
  expect(known()).toHaveLength(1);
  await seed.listen();
  while (known().length < 3) await new Promise(resolve => setImmediate(resolve));
  expect(known()).toHaveLength(3);
});

test('blocks are compared once for each round, not again for new nodes of the registry', async () => {
  const other = await RecordingNode.start('full', answerFrom('other'));
  const heights: string[] = [];
  for (const node of [seed, other]) node.height = 100;
  other.answerBlock = (request, ...rest) => {
    heights.push(request.path);
    json(200, {})(request, ...rest);
  };
  fixture = await GatewayFixture.open([seed, other], { mode: 'public' });
  expect([known().length, heights]).toEqual([4, ['/api/v1/blocks/94']]);
});
