import { GatewayScene } from '../../../testkit/gateway/gateway-scene.js';
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
let scene: GatewayScene;
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
  await scene.close();
  await Promise.all([archival, full].map(node => node.stop()));
});

function address({ ip, port }: RecordingNode) {
  return { public_key: 'ab', ip, port, version: '1.0.0', registered_height: 1 };
}

function known(): [number, string, string][] {
  return scene.gateway.context.nodes.nodes().map(({ port, role, source }) => [port, role, source]);
}

it('admits the nodes of the registry in public mode, each in the role of its list', async () => {
  scene = await GatewayScene.open([seed], { mode: 'public' });
  expect(known()).toEqual([
    [seed.port, 'full', 'static'],
    [full.port, 'full', 'registry'],
    [archival.port, 'archival', 'registry'],
  ]);
  expect((await scene.get('/api/v1/x')).body.toString()).toBe('{"from":"archival"}');
  archival.answer = empty(404);
  expect((await scene.get('/api/v1/x')).body.toString()).toBe('{"from":"seed"}');
  await seed.stop();
  expect((await scene.get('/api/v1/x')).body.toString()).toBe('{"from":"full"}');
  await seed.listen();
});

it('does not read the registry in private mode', async () => {
  scene = await GatewayScene.open([seed]);
  expect(known()).toEqual([[seed.port, 'full', 'static']]);
  expect(seed.asked).toEqual([]);
});

it('ignores registered private addresses unless allowed', async () => {
  scene = await GatewayScene.open([seed], { mode: 'public', allowPrivateNodes: false });
  expect(known()).toEqual([[seed.port, 'full', 'static']]);
  expect([full.checks, archival.checks]).toEqual([0, 0]);
});

it('does not route to a registered node on a different chain', async () => {
  full.genesisHash = OTHER_GENESIS;
  archival.genesisHash = OTHER_GENESIS;
  scene = await GatewayScene.open([seed], { mode: 'public' });
  expect((await scene.get('/api/v1/x')).body.toString()).toBe('{"from":"seed"}');
  expect([full.asked, archival.asked]).toEqual([[], []]);
});

it('sends nothing but checks to a registered address that passed none, also by its name', async () => {
  full.answerCheck = json(404, {});
  archival.genesisHash = OTHER_GENESIS;
  scene = await GatewayScene.open([seed], { mode: 'public' });
  const hostOf = ({ port }: RecordingNode) => ({ host: `ip-127-0-0-1-p${port}.gateway.test` });
  for (const node of [full, archival]) {
    expect((await scene.post('/api/v1/transactions', 'FLUSHALL', hostOf(node))).status).toBe(403);
    expect((await scene.get('/api/v1/x', hostOf(node))).status).toBe(403);
    expect([node.checks > 0, node.asked]).toEqual([true, []]);
  }
  full.answerCheck = undefined;
  await scene.gateway.context.nodes.refresh();
  expect((await scene.get('/api/v1/x', hostOf(full))).status).toBe(200);
});

it('drops nodes at the next refresh that left the registry or were removed', async () => {
  scene = await GatewayScene.open([seed], { mode: 'public' });
  const { nodes, allowlist, traffic } = scene.gateway.context;
  expect((await scene.get('/api/v1/x')).body.toString()).toBe('{"from":"archival"}');
  registry = { nodes: [address(full)], archivals: [] };
  await nodes.refresh();
  expect(known().map(([port]) => port)).toEqual([seed.port, full.port]);
  expect(traffic.counts().nodes.map(({ port }) => port)).toEqual([seed.port]);
  await allowlist.remove({ ip: full.ip, port: full.port });
  await nodes.refresh();
  expect(known().map(([port]) => port)).toEqual([seed.port]);
});

it('keeps registered nodes while the registry is unavailable', async () => {
  scene = await GatewayScene.open([seed], { mode: 'public' });
  for (const node of [seed, full, archival]) node.answer = json(500, {});
  await scene.gateway.context.nodes.refresh();
  expect(known()).toHaveLength(3);
});

it('reads the registry as soon as a node answers', async () => {
  await seed.stop();
  scene = await GatewayScene.open([seed], { mode: 'public', healthIntervalMs: 10 });
  expect(known()).toHaveLength(1);
  await seed.listen();
  while (known().length < 3) await new Promise(resolve => setImmediate(resolve));
  expect(known()).toHaveLength(3);
});

it('follows changes of the allowlist', async () => {
  scene = await GatewayScene.open([seed]);
  await scene.gateway.context.allowlist.add({ ip: full.ip, port: full.port, role: 'full' });
  while (!scene.gateway.context.nodes.find(full)?.routed) await new Promise(resolve => setImmediate(resolve));
  expect(known().at(-1)).toEqual([full.port, 'full', 'admin']);
});
