import { GatewayScene, startNodes } from '../../../testkit/gateway/gateway-scene.js';
import {
  type Answer,
  empty,
  json,
  type RecordingNode,
  reset,
  silence,
} from '../../../testkit/gateway/recording-node.js';
import { until } from '../../../testkit/time/until.js';

const FIRST = json(200, { from: 'first' });
const SECOND = json(200, { from: 'second' });

let scene: GatewayScene;
let first: RecordingNode;
let second: RecordingNode;

afterEach(() => scene.close());

/** Two nodes of a role with known usual latencies. */
async function open(changes: Parameters<typeof GatewayScene.open>[1] = {}): Promise<void> {
  const nodes = await startNodes({ archival: [FIRST, SECOND] });
  [first, second] = nodes as [RecordingNode, RecordingNode];
  scene = await GatewayScene.open(nodes, { hedgeMs: 1, ...changes });
  await makeKnown();
}

async function makeKnown(): Promise<void> {
  // On a slow machine, some of these reads may be hedged.
  await until(async () => {
    await scene.get('/api/v1/x');
    const { nodes } = scene.gateway.context;
    return [first, second].every(node => nodes.find(node)!.latencies.p95Ms !== undefined);
  });
}

/** Nodes are asked in turn: makes it the first one's turn. */
function giveFirstItsTurn(): void {
  const { nodes } = scene.gateway.context;
  for (let turn = 0; turn < 2; turn += 1) {
    if (nodes.routed(first.role)[0]?.port === second.port) return;
  }
}

async function get(path = '/api/v1/x') {
  giveFirstItsTurn();
  return JSON.parse((await scene.get(path)).body.toString());
}
const counts = () => scene.gateway.context.traffic.counts();

it('a slow read is asked of the next node too, and the first is told to stop', async () => {
  await open();
  const before = counts();
  let stopped = 0;
  first.answer = (_request, response) => response.on('close', () => (stopped += 1));
  expect(await get()).toEqual({ from: 'second' });
  await until(() => stopped === 1);
  expect(counts().hedged).toBe(before.hedged + 1);
  const { nodes } = scene.gateway.context.traffic.counts();
  expect(nodes.map(({ failures, running }) => [failures, running])).toEqual([
    [0, 0],
    [0, 0],
  ]);
});

it("a slow node of the operator's is waited for, whatever a registered one would say", async () => {
  await open();
  Reflect.set(scene.gateway.context.nodes.find(second)!, 'source', 'registry');
  first.answer = (...exchange) => void setTimeout(() => FIRST(...exchange), 300);
  expect(await get()).toEqual({ from: 'first' });
});

it('the first answers when it is the first to do so', async () => {
  await open();
  let ask: () => void = () => undefined;
  const asked = new Promise<void>(resolve => {
    ask = resolve;
  });
  second.answer = () => ask();
  first.answer = (...exchange) => void asked.then(() => FIRST(...exchange));
  expect(await get()).toEqual({ from: 'first' });
});

describe('an archival and a full node', () => {
  const BALANCE = '/api/v1/accounts/x';

  async function openBoth(): Promise<void> {
    const nodes = await startNodes({ archival: [FIRST], full: [SECOND] });
    [first, second] = nodes as [RecordingNode, RecordingNode];
    scene = await GatewayScene.open(nodes, { hedgeMs: 1 });
    await until(async () => {
      await scene.get(BALANCE);
      return scene.gateway.context.nodes.find(first)!.latencies.p95Ms !== undefined;
    });
  }

  it('the full one, which has another spendable balance, never answers for an archival one that is slow', async () => {
    await openBoth();
    first.answer = slowly(FIRST, 700);
    const replies = await Promise.all(Array.from({ length: 8 }, () => scene.get(BALANCE)));
    for (const { body, headers } of replies) {
      expect([JSON.parse(body.toString()).from, headers['zbc-answered-by']]).toEqual(['first', 'archival']);
    }
    expect(second.received).toEqual([]);
  });

  it('the full one answers within seconds for an archival one that froze while it was asked', async () => {
    await openBoth();
    first.answer = silence;
    first.answerCheck = silence;
    const beganMs = performance.now();
    const { body, headers } = await scene.get(BALANCE);
    expect([JSON.parse(body.toString()).from, headers['zbc-answered-by']]).toEqual([
      'second',
      'full after failure',
    ]);
    expect(performance.now() - beganMs).toBeLessThan(7000);
  });
});

it('reads that wait for a node that froze go on within seconds, more of them than may be hedged', async () => {
  await open({ timeouts: { connectMs: 2000, answerMs: 15_000, pieceMs: 10_000 } });
  first.answer = silence;
  first.answerCheck = silence;
  const beganMs = performance.now();
  const replies = await Promise.all(Array.from({ length: 300 }, () => scene.get('/api/v1/x')));
  expect(new Set(replies.map(({ body }) => JSON.parse(body.toString()).from))).toEqual(new Set(['second']));
  expect(performance.now() - beganMs).toBeLessThan(10_000);
});

/** Delays an answer far beyond the node's usual latency. */
function slowly(answer: Answer, milliseconds = 60): Answer {
  return (...exchange) => void setTimeout(() => answer(...exchange), milliseconds);
}

it('a read that waits for a block and one of a named node are asked of no second node', async () => {
  await open();
  first.answer = slowly(FIRST);
  const before = second.received.length;
  expect(await get('/api/v1/blocks?wait_ms=1000')).toEqual({ from: 'first' });
  const host = `ip-127-0-0-1-p${first.port}.gateway.test`;
  expect((await scene.get('/api/v1/x', { host })).body.toString()).toContain('first');
  expect(second.received).toHaveLength(before);
});

it('a POST is never sent to a second node', async () => {
  const nodes = await startNodes({ full: [json(202, {}), json(202, {})] });
  scene = await GatewayScene.open(nodes, { hedgeMs: 1 });
  [first, second] = nodes as [RecordingNode, RecordingNode];
  await makeKnown();
  const posts = () => nodes.flatMap(({ asked }) => asked.filter(line => line.startsWith('POST')));
  for (const node of nodes) node.answer = slowly(json(202, {}));
  for (let count = 0; count < 4; count += 1) {
    expect((await scene.post('/api/v1/transactions', '{}')).status).toBe(202);
  }
  expect(posts()).toHaveLength(4);
});

it('nothing is hedged when it is switched off', async () => {
  await open({ hedgeMs: 0 });
  first.answer = slowly(FIRST);
  expect(await get()).toEqual({ from: 'first' });
  expect(counts().hedged).toBe(0);
});

describe('the circuit breaker', () => {
  const breakerOf = (node: RecordingNode) => scene.gateway.context.nodes.find(node)!.breaker;
  const isOpen = () => breakerOf(first).isOpen;

  it('puts a node that is too slow again and again last, where it is still asked', async () => {
    await open({ breaker: { failures: 3, pauseMs: 3_600_000 } });
    first.answer = () => undefined;
    await until(async () => {
      await get();
      return isOpen();
    });
    const before = first.received.length;
    expect([await get(), await get()]).toEqual([{ from: 'second' }, { from: 'second' }]);
    expect(first.received).toHaveLength(before);
    second.answer = reset;
    first.answer = FIRST;
    expect(await get()).toEqual({ from: 'first' });
  });

  it.each<[string, Answer]>([
    ['fails', reset],
    ['answers 500', empty(500)],
  ])('opens when a node %s, closes when it answers again after the pause', async (_what, answer) => {
    await open({ hedgeMs: 0, breaker: { failures: 2, pauseMs: 100 } });
    first.answer = answer;
    await until(async () => {
      expect(await get()).toEqual({ from: 'second' });
      return isOpen();
    });
    first.answer = FIRST;
    await until(async () => (await get()).from === 'first');
    expect(isOpen()).toBe(false);
  });

  it('does not open for load that a node refuses', async () => {
    await open({ hedgeMs: 0, breaker: { failures: 2, pauseMs: 3_600_000 } });
    first.answer = json(503, { success: false, error: 'under load', code: 503 });
    for (let count = 0; count < 4; count += 1) expect(await get()).toEqual({ from: 'second' });
    expect([isOpen(), first.received.length >= 4]).toEqual([false, true]);
  });
});
