import { GatewayScene, startNodes } from '../gateway-scene.js';
import { bytes, GENESIS, json, OTHER_GENESIS, RecordingNode, reset, silence } from '../recording-node.js';

let scene: GatewayScene;

afterEach(() => scene.close());

const OK = json(200, { ok: true });

function directory() {
  return scene.gateway.context.nodes;
}

it('knows what a node tells of itself', async () => {
  const node = await RecordingNode.start('full', OK);
  node.answerCheck = json(200, {
    genesis_hash: `0x${'AB'.repeat(32)}`,
    height: 12,
    signing_version: 2,
    version: 'x',
  });
  scene = await GatewayScene.open([node]);
  expect(directory().find(node)).toMatchObject({
    routed: true,
    source: 'static',
    health: { answers: true, genesisHash: 'ab'.repeat(32), height: 12n, signingVersion: 2n },
  });
  expect(directory().genesisHash()).toBe('ab'.repeat(32));
});

it.each([
  ['answers 404 to node/info', json(404, {})],
  ['does not name its chain', json(200, { height: 1 })],
  ['does not name its chain', json(200, { genesis_hash: 'a1' })],
  ['does not name its chain', json(200, { genesis_hash: [GENESIS] })],
  ['gave a malformed answer', json(200, 'x')],
  ['gave a malformed answer', bytes('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n{"a"')],
  ['gave a malformed answer', bytes(`HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n${'['.repeat(60_000)}`)],
  ['gave a malformed answer', bytes('nonsense\r\n\r\n')],
  ['gave too large an answer', json(200, { genesis_hash: GENESIS, x: 'x'.repeat(66_000) })],
  ['broke the connection', reset],
  ['does not answer in time', silence],
])('is told that a node %s', async (fault, answer) => {
  const node = await RecordingNode.start('full', OK);
  node.answerCheck = answer;
  scene = await GatewayScene.open([node], { timeouts: { connectMs: 1000, answerMs: 200, pieceMs: 200 } });
  expect(directory().find(node)).toMatchObject({ routed: false, health: { answers: false, fault } });
  expect((await scene.get('/api/v1/x')).status).toBe(503);
  expect(node.asked).toEqual([]);
});

it('is told that nobody listens', async () => {
  const node = await RecordingNode.start('full', OK);
  await node.stop();
  scene = await GatewayScene.open([node]);
  expect(directory().find(node)).toMatchObject({
    routed: false,
    health: { answers: false, fault: 'refuses connections' },
  });
  await node.listen();
});

it('finds at the next check that a node has gone, and that it is back', async () => {
  const node = await RecordingNode.start('full', OK);
  scene = await GatewayScene.open([node], { healthIntervalMs: 10 });
  await node.stop();
  while (directory().find(node)!.routed) await nextTurn();
  await node.listen();
  while (!directory().find(node)!.routed) await nextTurn();
  expect((await scene.get('/api/v1/x')).status).toBe(200);
});

it('checks a node at once after a request failed on it, and asks it last until then', async () => {
  const nodes = await startNodes({ full: [OK, OK] });
  scene = await GatewayScene.open(nodes);
  const [suspect, other] = nodes as [RecordingNode, RecordingNode];
  let check = () => {};
  suspect.answerCheck = (request, response, socket) => {
    check = () => json(200, { genesis_hash: GENESIS })(request, response, socket);
  };
  directory().reportFailure(suspect, 'broke the connection', true);
  for (let turn = 0; turn < 4; turn++) await scene.get('/api/v1/x');
  expect([suspect.received.length, other.received.length]).toEqual([0, 4]);
  while (suspect.checks === 1) await nextTurn();
  check();
  while (suspect.received.length === 0) await scene.get('/api/v1/x');
});

it('still asks a node on which a request failed when there is no other', async () => {
  const node = await RecordingNode.start('full', reset);
  scene = await GatewayScene.open([node]);
  node.answerCheck = silence;
  expect((await scene.get('/api/v1/x')).status).toBe(502);
  node.answer = OK;
  expect((await scene.get('/api/v1/x')).status).toBe(200);
});

it('routes to the chain that most nodes are on, and follows them to a new one', async () => {
  const nodes = await startNodes({ full: [OK, OK, OK] });
  nodes[0]!.genesisHash = OTHER_GENESIS;
  scene = await GatewayScene.open(nodes);
  expect(nodes.map(node => directory().find(node)!.routed)).toEqual([false, true, true]);
  nodes[1]!.genesisHash = OTHER_GENESIS;
  await directory().refresh();
  expect(nodes.map(node => directory().find(node)!.routed)).toEqual([true, true, false]);
  expect(directory().genesisHash()).toBe(OTHER_GENESIS);
});

it('routes to the configured chain alone', async () => {
  const nodes = await startNodes({ full: [OK, OK] });
  scene = await GatewayScene.open(nodes, { genesisHash: OTHER_GENESIS });
  expect((await scene.get('/api/v1/x')).status).toBe(503);
  nodes[0]!.genesisHash = OTHER_GENESIS;
  await directory().refresh();
  expect(
    directory()
      .routed('full')
      .map(({ port }) => port),
  ).toEqual([nodes[0]!.port]);
});

function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
