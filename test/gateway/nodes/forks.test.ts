import { compareForks } from '#gateway/nodes/forks.js';
import { KnownNode } from '#gateway/nodes/known-node.js';
import { GatewayFixture, startNodes } from '../../../testkit/gateway/gateway-fixture.js';
import {
  type Answer,
  GENESIS,
  json,
  type RecordingNode,
  reset,
} from '../../../testkit/gateway/recording-node.js';
import { until } from '../../../testkit/time/until.js';

let fixture: GatewayFixture;
let nodes: RecordingNode[];
let log: string[];
let asked: string[];

beforeEach(() => {
  log = [];
  asked = [];
});
afterEach(() => fixture.close());

/** Opens a gateway with a full node for each fork; each node has the balance and the blocks of its fork. */
async function open(...forks: string[]): Promise<void> {
  nodes = await startNodes({ full: forks.map(fork => json(200, { balance: fork })) });
  for (const [at, node] of nodes.entries()) {
    node.height = 100;
    follow(node, forks[at]!);
  }
  const stream = { write: (line: string) => void log.push(JSON.parse(line).msg) };
  fixture = await GatewayFixture.open(nodes, {}, { logger: { level: 'info', stream } });
}

function follow(node: RecordingNode, fork: string): void {
  node.answer = json(200, { balance: fork });
  node.answerBlock = (request, response, socket) => {
    asked.push(request.path);
    json(200, { block_hash: fork.repeat(32).toUpperCase() })(request, response, socket);
  };
}

const directory = () => fixture.gateway.context.nodes;
const refresh = () => directory().refresh();
const routed = () => nodes.map(node => directory().find(node)?.routed);
const nameOf = ({ port }: RecordingNode) => `127.0.0.1:${port}`;

/** The balances that four reads show. */
async function balances(): Promise<string[]> {
  const shown = new Set<string>();
  for (let turn = 0; turn < 4; turn += 1) {
    shown.add(JSON.parse((await fixture.get('/api/v1/accounts/x')).body.toString()).balance);
  }
  return [...shown];
}

test('two nodes on different forks of one genesis never show two balances: the first in the list wins', async () => {
  await open('aa', 'bb');
  expect(await balances()).toEqual(['aa']);
  expect(routed()).toEqual([true, false]);
  expect(new Set(asked)).toEqual(new Set(['/api/v1/blocks/94']));
  expect(log).toContain(
    `node ${nameOf(nodes[1]!)} (full) has another block 94 than ${nameOf(nodes[0]!)}: it is on another fork and is not asked`,
  );
  await fixture.post('/api/v1/transactions', '{}');
  expect(nodes[1]!.asked).toEqual([]);
});

test('the fork of most nodes wins, and a node that changes over to it is used again', async () => {
  await open('aa', 'bb', 'bb');
  expect([await balances(), routed()]).toEqual([['bb'], [false, true, true]]);
  follow(nodes[0]!, 'bb');
  await refresh();
  expect(routed()).toEqual([true, true, true]);
});

test('a node of another fork stays out while it alone answers, and is used once the others are removed', async () => {
  await open('aa', 'bb');
  await nodes[0]!.stop();
  await refresh();
  expect(routed()).toEqual([false, false]);
  expect((await fixture.get('/api/v1/accounts/x')).status).toBe(503);
  const [{ ip, port }] = nodes as [RecordingNode];
  const key = { 'x-api-key': 'k'.repeat(43) };
  await fixture.post('/gateway/allowlist/remove', JSON.stringify({ ip, port }), key);
  await refresh();
  expect(directory().find(nodes[1]!)!.routed).toBe(true);
  await nodes[0]!.listen();
});

test('the fork that is followed does not change when one of its nodes fails', async () => {
  await open('bb', 'aa', 'aa');
  expect(routed()).toEqual([false, true, true]);
  await nodes[2]!.stop();
  await refresh();
  expect([await balances(), routed()]).toEqual([['aa'], [false, true, false]]);
  await nodes[2]!.listen();
});

const WITHOUT_HASH = [
  ['omits the hash of a block', json(200, { height: 94 })],
  ['does not have the block', json(404, {})],
  ['sends a hash that is none', json(200, { block_hash: 'ab' })],
  ['limits the gateway', json(429, {})],
  ['does not answer for the block', reset],
] as const;

test.each(WITHOUT_HASH)('a node that %s is not judged', async (_what, answer) => {
  await open('aa', 'aa');
  nodes[1]!.answerBlock = answer;
  await refresh();
  expect(routed()).toEqual([true, true]);
});

test.each(WITHOUT_HASH)(
  'a node of another fork stays out while it, or the other node, %s',
  async (_what, answer) => {
    await open('aa', 'bb');
    for (const node of nodes) {
      const before = node.answerBlock;
      node.answerBlock = answer;
      await refresh();
      expect(routed()).toEqual([true, false]);
      node.answerBlock = before;
    }
  },
);

test('a node gets no request before its blocks were compared', async () => {
  await open('aa', 'aa');
  nodes[1]!.answerBlock = async (...of) => {
    const shown = await balances();
    expect(shown).toEqual(['aa']);
    json(200, { block_hash: 'bb'.repeat(32) })(...of);
  };
  nodes[1]!.answer = json(200, { balance: 'bb' });
  const { ip, port } = nodes[1]!;
  const key = { 'x-api-key': 'k'.repeat(43) };
  for (const change of ['remove', 'add'])
    await fixture.post(`/gateway/allowlist/${change}`, JSON.stringify({ ip, port }), key);
  await refresh();
  expect(routed()).toEqual([true, false]);
});

test('a late node of another fork is noticed, and its height does not count', async () => {
  await open('aa', 'aa', 'aa');
  follow(nodes[2]!, 'bb');
  nodes[2]!.height = 90;
  await refresh();
  expect(routed()).toEqual([true, true, false]);
  nodes[2]!.height = 103;
  await refresh();
  expect(directory().bestHeight()).toBe(100n);
});

test('removed nodes do not decide which fork is followed', async () => {
  await open('aa', 'bb', 'bb');
  const key = { 'x-api-key': 'k'.repeat(43) };
  for (const { ip, port } of nodes.slice(1)) {
    await fixture.post('/gateway/allowlist/remove', JSON.stringify({ ip, port }), key);
  }
  await refresh();
  expect(routed()).toEqual([true, undefined, undefined]);
});

test('registered nodes do not decide which fork is followed', async () => {
  const health = { answers: true, genesisHash: GENESIS, height: 100n, checkedAtMs: 1 };
  const known = (['static', 'registry', 'registry'] as const).map((source, at) =>
    Object.assign(new KnownNode({ ip: '192.0.2.1', port: at + 1, role: 'full', source }), { health }),
  );
  await compareForks(known, GENESIS, async ({ source }) => (source === 'registry' ? 'bb' : 'aa'));
  expect(known.map(({ fork }) => fork)).toEqual([undefined, undefined, undefined]);
});

test('the admin page names the node whose fork is followed, and the metric counts', async () => {
  await open('aa', 'bb');
  const state = await fixture.get('/admin/state', { 'x-api-key': 'k'.repeat(43) });
  const shown = JSON.parse(state.body.toString()).nodes.map((node: { state: string }) => node.state);
  expect(shown).toEqual(['is routed to', expect.stringContaining(nameOf(nodes[0]!))]);
});

test('blocks of a chain that is too short are not compared', async () => {
  nodes = await startNodes({ full: [json(200, {}), json(200, {})] });
  for (const node of nodes) {
    node.height = 6;
    follow(node, 'aa');
  }
  fixture = await GatewayFixture.open(nodes);
  expect([routed(), asked]).toEqual([[true, true], []]);
});

test('a stop waits neither for a block nor for a check of the same node', async () => {
  await open('aa', 'bb');
  const [, node] = nodes as [RecordingNode, RecordingNode];
  let ended = 0;
  const wait: Answer = (_request, _response, socket) => void socket.on('close', () => (ended += 1));
  let isAsked = false;
  node.answerBlock = (...request) => {
    isAsked = true;
    wait(...request);
  };
  const compared = refresh();
  await until(() => isAsked);
  node.answerCheck = wait;
  const { checks } = node;
  directory().suspect(node);
  await until(() => node.checks > checks);
  const startedMs = performance.now();
  await fixture.gateway.stop();
  await compared;
  expect(performance.now() - startedMs).toBeLessThan(1000);
  await until(() => ended === 2);
});
