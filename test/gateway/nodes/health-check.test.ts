import { GatewayScene, startNodes } from '../../../testkit/gateway/gateway-scene.js';
import {
  bytes,
  GENESIS,
  json,
  OTHER_GENESIS,
  RecordingNode,
  reset,
  silence,
} from '../../../testkit/gateway/recording-node.js';
import { until } from '../../../testkit/time/until.js';

let scene: GatewayScene;

afterEach(() => scene.close());

const OK = json(200, { ok: true });

function directory() {
  return scene.gateway.context.nodes;
}

it('reads chain and height of a node', async () => {
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
    health: { answers: true, genesisHash: 'ab'.repeat(32), height: 12n },
  });
  expect(directory().genesisHash()).toBe('ab'.repeat(32));
});

it.each([-5, -1n, 2n ** 64n, 7.5, '7'])('takes %p for no height', async height => {
  const node = await RecordingNode.start('full', OK);
  node.answerCheck = bytes(
    `HTTP/1.1 200 OK\r\n\r\n{"genesis_hash":"${GENESIS}","height":${typeof height === 'string' ? `"${height}"` : height}}`,
  );
  scene = await GatewayScene.open([node]);
  expect(directory().find(node)).toMatchObject({ routed: true, behind: 0n });
  expect(directory().find(node)!.health).not.toHaveProperty('height');
  expect((await scene.get('/api/v1/x')).headers).not.toHaveProperty('zbc-height');
});

it.each([
  ['returned 404 for node/info', json(404, {})],
  ['did not report its chain', json(200, { height: 1 })],
  ['did not report its chain', json(200, { genesis_hash: 'a1' })],
  ['did not report its chain', json(200, { genesis_hash: [GENESIS] })],
  ['sent a malformed response', json(200, 'x')],
  ['sent a malformed response', bytes('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n{"a"')],
  [
    'sent a malformed response',
    bytes(`HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n${'['.repeat(60_000)}`),
  ],
  ['sent a malformed response', bytes('nonsense\r\n\r\n')],
  ['sent too large a response', json(200, { genesis_hash: GENESIS, x: 'x'.repeat(66_000) })],
  ['closed the connection', reset],
  ['did not respond in time', silence],
])('reports that a node %s', async (fault, answer) => {
  const node = await RecordingNode.start('full', OK);
  node.answerCheck = answer;
  scene = await GatewayScene.open([node], { timeouts: { connectMs: 1000, answerMs: 200, pieceMs: 200 } });
  expect(directory().find(node)).toMatchObject({ routed: false, health: { answers: false, fault } });
  expect((await scene.get('/api/v1/x')).status).toBe(503);
  expect(node.asked).toEqual([]);
});

it('reports a refused connection', async () => {
  const node = await RecordingNode.start('full', OK);
  await node.stop();
  scene = await GatewayScene.open([node]);
  expect(directory().find(node)).toMatchObject({
    routed: false,
    health: { answers: false, fault: 'refuses connections' },
  });
  await node.listen();
});

it('notices at the next check that a node has stopped or restarted', async () => {
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
  directory().reportFailure(suspect, 'closed the connection', true);
  for (let turn = 0; turn < 4; turn++) await scene.get('/api/v1/x');
  expect([suspect.received.length, other.received.length]).toEqual([0, 4]);
  while (suspect.checks === 1) await nextTurn();
  check();
  while (suspect.received.length === 0) await scene.get('/api/v1/x');
});

it('waits for a silent node at the start for seconds only, and not at the stop', async () => {
  const node = await RecordingNode.start('full', OK);
  node.answerCheck = silence;
  const startedMs = performance.now();
  scene = await GatewayScene.open([node], {
    timeouts: { connectMs: 2000, answerMs: 15_000, pieceMs: 1000 },
  });
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  expect((await scene.get('/gateway/status')).status).toBe(200);
  expect((await scene.get('/api/v1/x')).status).toBe(503);
  const nodes = directory();
  const { checks } = node;
  const refreshed = nodes.refresh();
  await until(() => node.checks > checks);
  await scene.gateway.stop();
  await refreshed;
  expect(nodes.nodes().map(({ health }) => health.fault)).toEqual(['was cancelled']);
});

it('asks a node after a failed request if it is the only one', async () => {
  const node = await RecordingNode.start('full', reset);
  scene = await GatewayScene.open([node], { timeouts: { connectMs: 1000, answerMs: 1000, pieceMs: 1000 } });
  node.answerCheck = silence;
  expect((await scene.get('/api/v1/x')).status).toBe(502);
  node.answer = OK;
  expect((await scene.get('/api/v1/x')).status).toBe(200);
});

describe('with two nodes of one chain and one of another', () => {
  let nodes: RecordingNode[];
  const routed = () => nodes.map(node => directory().find(node)!.routed);
  const askBoth = async () => [
    (await scene.get('/api/v1/x')).status,
    (await scene.post('/api/v1/transactions', '{}')).status,
  ];

  beforeEach(async () => {
    nodes = await startNodes({ full: [OK, OK, OK] });
    nodes[0]!.genesisHash = OTHER_GENESIS;
  });
  /** The nodes listen again, so that the scene can stop them. */
  const listenAgain = () => Promise.all([nodes[1]!.listen(), nodes[2]!.listen()]);
  const stopMost = () => Promise.all([nodes[1]!.stop(), nodes[2]!.stop()]);

  it('never routes to the other one, when the two fail or change too', async () => {
    scene = await GatewayScene.open(nodes);
    expect(routed()).toEqual([false, true, true]);
    await stopMost();
    await directory().refresh();
    expect(await askBoth()).toEqual([503, 503]);
    await listenAgain();
    nodes[1]!.genesisHash = OTHER_GENESIS;
    await directory().refresh();
    expect([routed(), directory().genesisHash()]).toEqual([[false, false, true], GENESIS]);
    nodes[2]!.genesisHash = OTHER_GENESIS;
    await directory().refresh();
    expect([await askBoth(), nodes[0]!.asked]).toEqual([[503, 503], []]);
  });

  it('nor when the two are down at the start, and says why', async () => {
    await stopMost();
    scene = await GatewayScene.open(nodes);
    expect([await askBoth(), nodes[0]!.asked]).toEqual([[503, 503], []]);
    await listenAgain();
    await directory().refresh();
    expect(routed()).toEqual([false, true, true]);
  });

  it('nor after a reload that names no chain, but after one that names it', async () => {
    let changes = {};
    scene = await GatewayScene.open(
      nodes,
      {},
      {
        readConfig: async () => ({ config: { ...scene.gateway.context.config, ...changes }, warnings: [] }),
      },
    );
    await stopMost();
    await directory().refresh();
    await scene.gateway.reload();
    expect(await askBoth()).toEqual([503, 503]);
    changes = { genesisHash: OTHER_GENESIS };
    await scene.gateway.reload();
    expect(await askBoth()).toEqual([200, 200]);
    await listenAgain();
  });
});

it('routes only to the configured chain', async () => {
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
