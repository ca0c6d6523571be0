import { GatewayFixture, startNodes } from '../../../testkit/gateway/gateway-fixture.js';
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

let fixture: GatewayFixture;

afterEach(() => fixture.close());

const OK = json(200, { ok: true });

function directory() {
  return fixture.gateway.context.nodes;
}

test('reads chain and height of a node', async () => {
  const node = await RecordingNode.start('full', OK);
  node.answerCheck = json(200, {
    genesis_hash: `0x${'AB'.repeat(32)}`,
    height: 12,
    signing_version: 2,
    version: 'x',
  });
  fixture = await GatewayFixture.open([node]);
  expect(directory().find(node)).toMatchObject({
    routed: true,
    source: 'static',
    health: { answers: true, genesisHash: 'ab'.repeat(32), height: 12n },
  });
  expect(directory().genesisHash()).toBe('ab'.repeat(32));
});

test.each([-5, -1n, 2n ** 64n, 7.5, '7'])('does not accept %p as a height', async height => {
  const node = await RecordingNode.start('full', OK);
  node.answerCheck = bytes(
    `HTTP/1.1 200 OK\r\n\r\n{"genesis_hash":"${GENESIS}","height":${typeof height === 'string' ? `"${height}"` : height}}`,
  );
  fixture = await GatewayFixture.open([node]);
  expect(directory().find(node)).toMatchObject({ routed: true, behind: 0n });
  expect(directory().find(node)!.health).not.toHaveProperty('height');
  expect((await fixture.get('/api/v1/x')).headers).not.toHaveProperty('zbc-height');
});

test.each([
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
  ['sent a response that is too large', json(200, { genesis_hash: GENESIS, x: 'x'.repeat(66_000) })],
  ['closed the connection', reset],
  ['did not respond in time', silence],
])('reports that a node %s', async (fault, answer) => {
  const node = await RecordingNode.start('full', OK);
  node.answerCheck = answer;
  fixture = await GatewayFixture.open([node], { timeouts: { connectMs: 1000, answerMs: 200, pieceMs: 200 } });
  expect(directory().find(node)).toMatchObject({ routed: false, health: { answers: false, fault } });
  expect((await fixture.get('/api/v1/x')).status).toBe(503);
  expect(node.asked).toEqual([]);
});

test('reports a refused connection', async () => {
  const node = await RecordingNode.start('full', OK);
  await node.stop();
  fixture = await GatewayFixture.open([node]);
  expect(directory().find(node)).toMatchObject({
    routed: false,
    health: { answers: false, fault: 'refuses connections' },
  });
  await node.listen();
});

test('notices at the next check that a node has stopped or restarted', async () => {
  const node = await RecordingNode.start('full', OK);
  fixture = await GatewayFixture.open([node], { healthIntervalMs: 10 });
  await node.stop();
  while (directory().find(node)!.routed) await nextTurn();
  await node.listen();
  while (!directory().find(node)!.routed) await nextTurn();
  expect((await fixture.get('/api/v1/x')).status).toBe(200);
});

test('checks a node at once after a failed request', async () => {
  const [node] = (await startNodes({ full: [OK] })) as [RecordingNode];
  fixture = await GatewayFixture.open([node]);
  const { checks } = node;
  directory().reportFailure(node, 'closed the connection', true);
  await until(() => node.checks > checks);
});

test('waits only seconds for a silent node at the start, and does not wait for it at the stop', async () => {
  const node = await RecordingNode.start('full', OK);
  node.answerCheck = silence;
  const startedMs = performance.now();
  fixture = await GatewayFixture.open([node], {
    timeouts: { connectMs: 2000, answerMs: 15_000, pieceMs: 1000 },
  });
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  expect((await fixture.get('/gateway/status')).status).toBe(200);
  expect((await fixture.get('/api/v1/x')).status).toBe(503);
  const nodes = directory();
  const { checks } = node;
  const refreshed = nodes.refresh();
  await until(() => node.checks > checks);
  await fixture.gateway.stop();
  await refreshed;
  expect(nodes.nodes().map(({ health }) => health.fault)).toEqual(['was cancelled']);
});

test('still asks a node after a failed request if it is the only node', async () => {
  const node = await RecordingNode.start('full', reset);
  fixture = await GatewayFixture.open([node], {
    timeouts: { connectMs: 1000, answerMs: 1000, pieceMs: 1000 },
  });
  node.answerCheck = silence;
  expect((await fixture.get('/api/v1/x')).status).toBe(502);
  node.answer = OK;
  expect((await fixture.get('/api/v1/x')).status).toBe(200);
});

describe('with two nodes of one chain and one of another', () => {
  let nodes: RecordingNode[];
  const routed = () => nodes.map(node => directory().find(node)!.routed);
  const askBoth = async () => [
    (await fixture.get('/api/v1/x')).status,
    (await fixture.post('/api/v1/transactions', '{}')).status,
  ];

  beforeEach(async () => {
    nodes = await startNodes({ full: [OK, OK, OK] });
    nodes[0]!.genesisHash = OTHER_GENESIS;
  });
  /** Makes the stopped nodes listen again, so that the fixture can stop them at the end. */
  const listenAgain = () => Promise.all([nodes[1]!.listen(), nodes[2]!.listen()]);
  const stopMost = () => Promise.all([nodes[1]!.stop(), nodes[2]!.stop()]);

  test('never routes to the third node, even when the two nodes fail or change their chain', async () => {
    fixture = await GatewayFixture.open(nodes);
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

  test('does not route to the third node when the two nodes are down at the start', async () => {
    await stopMost();
    fixture = await GatewayFixture.open(nodes);
    expect([await askBoth(), nodes[0]!.asked]).toEqual([[503, 503], []]);
    await listenAgain();
    await directory().refresh();
    expect(routed()).toEqual([false, true, true]);
  });
});

test('routes only to the configured chain', async () => {
  const nodes = await startNodes({ full: [OK, OK] });
  fixture = await GatewayFixture.open(nodes, { genesisHash: OTHER_GENESIS });
  expect((await fixture.get('/api/v1/x')).status).toBe(503);
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
