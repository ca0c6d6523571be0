import { GatewayFixture, startNodes } from '../../../testkit/gateway/gateway-fixture.js';
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

let fixture: GatewayFixture;
let first: RecordingNode;
let second: RecordingNode;

afterEach(() => fixture.close());

/** Starts two nodes of one role whose usual latencies the gateway knows. */
async function open(changes: Parameters<typeof GatewayFixture.open>[1] = {}): Promise<void> {
  const nodes = await startNodes({ archival: [FIRST, SECOND] });
  [first, second] = nodes as [RecordingNode, RecordingNode];
  fixture = await GatewayFixture.open(nodes, { hedgeMs: 1, ...changes });
  await makeKnown();
}

async function makeKnown(): Promise<void> {
  // On a slow machine, some of these reads may be hedged.
  await until(async () => {
    await fixture.get('/api/v1/x');
    const { nodes } = fixture.gateway.context;
    return [first, second].every(node => nodes.find(node)!.latencies.p95Ms !== undefined);
  });
}

/** Makes the first node the next to be asked; nodes take turns. */
function giveFirstItsTurn(): void {
  const { nodes } = fixture.gateway.context;
  for (let turn = 0; turn < 2; turn += 1) {
    if (nodes.routed(first.role)[0]?.port === second.port) return;
  }
}

async function get(path = '/api/v1/x') {
  giveFirstItsTurn();
  return JSON.parse((await fixture.get(path)).body.toString());
}
const counts = () => fixture.gateway.context.traffic.counts();

test('a slow read is sent to the next node too, and the first request is cancelled', async () => {
  await open();
  const before = counts();
  let stopped = 0;
  first.answer = (_request, response) => response.on('close', () => (stopped += 1));
  expect(await get()).toEqual({ from: 'second' });
  await until(() => stopped === 1);
  expect(counts().hedged).toBe(before.hedged + 1);
  const { nodes } = fixture.gateway.context.traffic.counts();
  expect(nodes.map(({ failures, running }) => [failures, running])).toEqual([
    [0, 0],
    [0, 0],
  ]);
});

test('a slow answer of a node of the operator is not replaced by that of a registered node', async () => {
  await open();
  Reflect.set(fixture.gateway.context.nodes.find(second)!, 'source', 'registry');
  first.answer = (...exchange) => void setTimeout(() => FIRST(...exchange), 300);
  expect(await get()).toEqual({ from: 'first' });
  const { breaker } = fixture.gateway.context.nodes.find(first)!;
  first.answer = (...exchange) => {
    breaker.failed(1);
    setTimeout(() => FIRST(...exchange), 300);
  };
  expect(await get()).toEqual({ from: 'first' });
  expect(breaker.isOpen).toBe(true);
});

test('the answer of the first node is used if it arrives first', async () => {
  await open();
  let ask: () => void = () => undefined;
  const asked = new Promise<void>(resolve => {
    ask = resolve;
  });
  second.answer = () => ask();
  first.answer = (...exchange) => void asked.then(() => FIRST(...exchange));
  expect(await get()).toEqual({ from: 'first' });
});

describe('with an archival and a full node', () => {
  const BALANCE = '/api/v1/accounts/x';

  async function openBoth(): Promise<void> {
    const nodes = await startNodes({ archival: [FIRST], full: [SECOND] });
    [first, second] = nodes as [RecordingNode, RecordingNode];
    fixture = await GatewayFixture.open(nodes, { hedgeMs: 1 });
    await until(async () => {
      await fixture.get(BALANCE);
      return fixture.gateway.context.nodes.find(first)!.latencies.p95Ms !== undefined;
    });
  }

  test('the full node, which has another spendable balance, never answers for a slow archival node', async () => {
    await openBoth();
    first.answer = slowly(FIRST, 700);
    const replies = await Promise.all(Array.from({ length: 8 }, () => fixture.get(BALANCE)));
    for (const { body, headers } of replies) {
      expect([JSON.parse(body.toString()).from, headers['zbc-answered-by']]).toEqual(['first', 'archival']);
    }
    expect(second.received).toEqual([]);
  });

  test('the full node answers within seconds for an archival node that froze during the read', async () => {
    await openBoth();
    first.answer = silence;
    first.answerCheck = silence;
    const beganMs = performance.now();
    const { body, headers } = await fixture.get(BALANCE);
    expect([JSON.parse(body.toString()).from, headers['zbc-answered-by']]).toEqual([
      'second',
      'full after failure',
    ]);
    expect(performance.now() - beganMs).toBeLessThan(7000);
  });
});

test('reads that wait for a frozen node are answered within seconds, even if they are more than may be hedged', async () => {
  await open({ timeouts: { connectMs: 2000, answerMs: 15_000, pieceMs: 10_000 } });
  first.answer = silence;
  first.answerCheck = silence;
  const beganMs = performance.now();
  const replies = await Promise.all(Array.from({ length: 300 }, () => fixture.get('/api/v1/x')));
  expect(new Set(replies.map(({ body }) => JSON.parse(body.toString()).from))).toEqual(new Set(['second']));
  expect(performance.now() - beganMs).toBeLessThan(10_000);
});

/** Delays an answer far beyond the node's usual latency. */
function slowly(answer: Answer, milliseconds = 60): Answer {
  return (...exchange) => void setTimeout(() => answer(...exchange), milliseconds);
}

test('a read that waits for a block, or is for a named node, is never sent to a second node', async () => {
  await open();
  first.answer = slowly(FIRST);
  const before = second.received.length;
  expect(await get('/api/v1/blocks?wait_ms=1000')).toEqual({ from: 'first' });
  const host = `ip-127-0-0-1-p${first.port}.gateway.test`;
  expect((await fixture.get('/api/v1/x', { host })).body.toString()).toContain('first');
  expect(second.received).toHaveLength(before);
});

test('a POST is never sent to a second node', async () => {
  const nodes = await startNodes({ full: [json(202, {}), json(202, {})] });
  fixture = await GatewayFixture.open(nodes, { hedgeMs: 1 });
  [first, second] = nodes as [RecordingNode, RecordingNode];
  await makeKnown();
  const posts = () => nodes.flatMap(({ asked }) => asked.filter(line => line.startsWith('POST')));
  for (const node of nodes) node.answer = slowly(json(202, {}));
  for (let count = 0; count < 4; count += 1) {
    expect((await fixture.post('/api/v1/transactions', '{}')).status).toBe(202);
  }
  expect(posts()).toHaveLength(4);
});

test('nothing is hedged when hedging is switched off', async () => {
  await open({ hedgeMs: 0 });
  first.answer = slowly(FIRST);
  expect(await get()).toEqual({ from: 'first' });
  expect(counts().hedged).toBe(0);
});

describe('the circuit breaker', () => {
  const breakerOf = (node: RecordingNode) => fixture.gateway.context.nodes.find(node)!.breaker;
  const isOpen = () => breakerOf(first).isOpen;

  test('puts a node that is repeatedly too slow last, but still asks it when the other node fails', async () => {
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

  test.each<[string, Answer]>([
    ['fails', reset],
    ['answers 500', empty(500)],
  ])('opens when a node %s, and closes when it answers again after the pause', async (_what, answer) => {
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

  test('does not open for a node that refuses requests under load', async () => {
    await open({ hedgeMs: 0, breaker: { failures: 2, pauseMs: 3_600_000 } });
    first.answer = json(503, { success: false, error: 'under load', code: 503 });
    for (let count = 0; count < 4; count += 1) expect(await get()).toEqual({ from: 'second' });
    expect([isOpen(), first.received.length >= 4]).toEqual([false, true]);
  });
});
