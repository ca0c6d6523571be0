import { setTimeout as pause } from 'node:timers/promises';
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
/** Time limit of a read while one of two nodes stalls. */
const STALLED_MS = 1200;

let fixture: GatewayFixture;
let first: RecordingNode;
let second: RecordingNode;

afterEach(() => fixture.close());

async function open(
  answers: Parameters<typeof startNodes>[0] = { archival: [FIRST, SECOND] },
  changes: Parameters<typeof GatewayFixture.open>[1] = {},
): Promise<void> {
  const nodes = await startNodes(answers);
  [first, second] = nodes as [RecordingNode, RecordingNode];
  fixture = await GatewayFixture.open(nodes, changes);
}

/** Makes the first node the next to be asked; nodes of one role take turns. */
function giveFirstItsTurn(): void {
  const { nodes } = fixture.gateway.context;
  for (let turn = 0; turn < 2; turn += 1) {
    if (nodes.routed(first.role)[0]?.port === second.port) return;
  }
}

async function get(path = '/api/v1/x') {
  giveFirstItsTurn();
  const beganMs = performance.now();
  const { body, headers } = await fixture.get(path);
  const tookMs = performance.now() - beganMs;
  return { ...JSON.parse(body.toString()), by: headers['zbc-answered-by'], tookMs };
}

/** Delays an answer. */
function delayed(milliseconds: number, answer: Answer): Answer {
  return (...exchange) => void setTimeout(() => answer(...exchange), milliseconds);
}

const isPoor = (node: RecordingNode) => fixture.gateway.context.nodes.find(node)!.isPoor;

test('a read of a node that stalls is answered by the next node, and the first request is cancelled', async () => {
  await open();
  let stopped = 0;
  first.answer = (_request, response) => response.on('close', () => (stopped += 1));
  const { from, tookMs } = await get();
  expect([from, tookMs < STALLED_MS]).toEqual(['second', true]);
  await until(() => stopped === 1);
  const { traffic } = fixture.gateway.context;
  const slow = { node: `${first.ip}:${first.port}`, result: 'slow', count: 1 };
  expect(traffic.results()).toEqual(
    expect.arrayContaining([slow, expect.objectContaining({ result: '2xx' })]),
  );
});

test('no further node is asked once a read is answered', async () => {
  let asked = 0;
  const answer: Answer = (...exchange) => (++asked === 2 ? silence : FIRST)(...exchange);
  const reads = { nextMs: 200, tryMs: 2000, totalMs: 4000 };
  await open({ archival: [answer, answer, answer] }, { reads });
  for (const _ of ['answered', 'stalled']) expect((await fixture.get('/api/v1/x')).status).toBe(200);
  await pause(2 * reads.nextMs);
  expect(asked).toBe(3);
});

test('the answer of the first node is used if it arrives first', async () => {
  await open();
  let ask: () => void = () => undefined;
  const asked = new Promise<void>(resolve => {
    ask = resolve;
  });
  second.answer = () => ask();
  first.answer = (...exchange) => void asked.then(() => FIRST(...exchange));
  expect(await get()).toMatchObject({ from: 'first' });
});

test('a slow answer of a node of the operator is not replaced by that of a registered node', async () => {
  await open();
  Reflect.set(fixture.gateway.context.nodes.find(second)!, 'source', 'registry');
  first.answer = delayed(1500, FIRST);
  expect(await get()).toMatchObject({ from: 'first' });
  expect(second.received).toEqual([]);
});

test('a registered node answers for a node of the operator that stalls until its limit', async () => {
  await open(undefined, { reads: { nextMs: 100, tryMs: 400, totalMs: 1000 } });
  Reflect.set(fixture.gateway.context.nodes.find(second)!, 'source', 'registry');
  first.answer = silence;
  expect(await get()).toMatchObject({ from: 'second' });
});

describe('with an archival and a full node', () => {
  const BALANCE = '/api/v1/accounts/x';
  const openBoth = (changes = {}) => open({ archival: [FIRST], full: [SECOND] }, changes);

  test('the full node, which has another spendable balance, never answers for an archival node that is only slow', async () => {
    await openBoth();
    first.answer = delayed(700, FIRST);
    expect(await get(BALANCE)).toMatchObject({ from: 'first', by: 'archival' });
    expect(second.received).toEqual([]);
  });

  test('the full node answers for an archival node that stalls, and is asked first while the breaker is open', async () => {
    await openBoth({ breaker: { failures: 2, pauseMs: 3_600_000 } });
    first.answer = silence;
    for (let count = 0; count < 2; count += 1) {
      const { from, by, tookMs } = await get(BALANCE);
      expect([from, by, tookMs < STALLED_MS]).toEqual(['second', 'full after failure', true]);
    }
    expect(isPoor(first)).toBe(true);
    const before = first.received.length;
    expect(await get(BALANCE)).toMatchObject({ from: 'second', by: 'full after failure' });
    expect(first.received).toHaveLength(before);
  });

  test('an archival node that is slow to answer still decides about a record that the full node lacks', async () => {
    await openBoth();
    first.answer = delayed(1500, FIRST);
    second.answer = empty(404);
    expect(await get()).toMatchObject({ from: 'first', by: 'archival' });
    expect(second.received).toHaveLength(1);
  });

  test('an archival node whose breaker is open is asked for a record that the full node lacks', async () => {
    await openBoth({ breaker: { failures: 1, pauseMs: 3_600_000 } });
    first.answer = reset;
    expect(await get()).toMatchObject({ from: 'second' });
    first.answer = FIRST;
    second.answer = empty(404);
    expect(await get()).toMatchObject({ from: 'first', by: 'archival' });
  });
});

test('a read that waits for a block, or is for a named node, is never sent to a second node', async () => {
  await open();
  first.answer = delayed(1500, FIRST);
  expect(await get('/api/v1/blocks?wait_ms=1000')).toMatchObject({ from: 'first' });
  const host = `ip-127-0-0-1-p${first.port}.gateway.test`;
  expect((await fixture.get('/api/v1/x', { host })).body.toString()).toContain('first');
  expect(second.received).toEqual([]);
});

test('a POST is never sent to a second node', async () => {
  const accepted = delayed(1500, json(202, {}));
  await open({ full: [accepted, accepted] });
  expect((await fixture.post('/api/v1/transactions', '{}')).status).toBe(202);
  expect([...first.asked, ...second.asked]).toEqual(['POST /api/v1/transactions']);
});

test('a read that every node stalls is answered 504 before its limit', async () => {
  await open({ archival: [silence, silence] }, { reads: { nextMs: 100, tryMs: 400, totalMs: 600 } });
  const beganMs = performance.now();
  expect((await fixture.get('/api/v1/x')).status).toBe(504);
  expect(performance.now() - beganMs).toBeLessThan(800);
});

describe('the circuit breaker', () => {
  const isOpen = () => isPoor(first);

  test('puts a node that stalls repeatedly last, but still asks it when the other node fails', async () => {
    await open(undefined, { breaker: { failures: 2, pauseMs: 3_600_000 } });
    first.answer = silence;
    await until(async () => {
      await get();
      return isOpen();
    });
    const before = first.received.length;
    for (const _ of [1, 2]) expect(await get()).toMatchObject({ from: 'second' });
    expect(first.received).toHaveLength(before);
    second.answer = reset;
    first.answer = FIRST;
    expect(await get()).toMatchObject({ from: 'first' });
  });

  test.each<[string, Answer]>([
    ['fails', reset],
    ['answers 500', empty(500)],
  ])('opens when a node %s, and closes when it answers again after the pause', async (_what, answer) => {
    await open(undefined, { breaker: { failures: 2, pauseMs: 100 } });
    first.answer = answer;
    await until(async () => {
      expect(await get()).toMatchObject({ from: 'second' });
      return isOpen();
    });
    first.answer = FIRST;
    await until(async () => (await get()).from === 'first');
    expect(isOpen()).toBe(false);
  });

  test('does not open for a node that refuses requests under load', async () => {
    await open(undefined, { breaker: { failures: 2, pauseMs: 3_600_000 } });
    first.answer = json(503, { success: false, error: 'under load', code: 503 });
    for (let count = 0; count < 4; count += 1) expect(await get()).toMatchObject({ from: 'second' });
    expect([isOpen(), first.received.length >= 4]).toEqual([false, true]);
  });
});
