import { errorOf, GatewayScene, startNodes } from '../../../testkit/gateway/gateway-scene.js';
import {
  type Answer,
  empty,
  json,
  type RecordingNode,
  reset,
} from '../../../testkit/gateway/recording-node.js';
import { until } from '../../../testkit/until.js';

const FIRST = json(200, { from: 'first' });
const SECOND = json(200, { from: 'second' });

let scene: GatewayScene;
let first: RecordingNode;
let second: RecordingNode;

afterEach(() => scene.close());

/** An archival node, which is asked first and known, and a full one. */
async function open(changes: Parameters<typeof GatewayScene.open>[1] = {}): Promise<void> {
  const nodes = await startNodes({ archival: [FIRST], full: [SECOND] });
  [first, second] = nodes as [RecordingNode, RecordingNode];
  scene = await GatewayScene.open(nodes, { hedgeMs: 1, ...changes });
  await makeKnown();
}

async function makeKnown(): Promise<void> {
  // A slow machine may have some of them hedged.
  await until(async () => {
    await scene.get('/api/v1/x');
    return scene.gateway.context.nodes.find(first)!.conduct.p95Ms !== undefined;
  });
}

const get = async (path = '/api/v1/x') => JSON.parse((await scene.get(path)).body.toString());
const counts = async () => (await scene.gateway.context.readTraffic()).reads;

it('a slow read is asked of the next node too, and the first is told to stop', async () => {
  await open();
  const before = await counts();
  let stopped = 0;
  first.answer = (_request, response) => response.on('close', () => (stopped += 1));
  expect(await get()).toEqual({ from: 'second' });
  await until(() => stopped === 1);
  expect((await counts()).hedged).toBe(before.hedged + 1);
  const { nodes } = await scene.gateway.context.readTraffic();
  expect(nodes.map(({ failures, running }) => [failures, running])).toEqual([
    [0, 0],
    [0, 0],
  ]);
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

it.each<[string, Answer]>([
  ['a refusal', json(404, { success: false, error: 'Transaction not found', code: 404 })],
  ['an empty 404', empty(404)],
  ['a failure', empty(500)],
  ['a broken connection', reset],
])('%s of the second node, of the other role, leaves the word to the first', async (_what, answer) => {
  await open();
  let saidNothing: () => void = () => undefined;
  const said = new Promise<void>(resolve => {
    saidNothing = resolve;
  });
  second.answer = (request, response, socket) => {
    socket.on('close', saidNothing);
    response.on('finish', saidNothing);
    answer(request, response, socket);
  };
  // The gateway has read what the second said by the time that it has answered another request.
  first.answer = (...exchange) =>
    void said.then(() => scene.get('/gateway/status')).then(() => FIRST(...exchange));
  expect(await get()).toEqual({ from: 'first' });
});

it('what the second refused is the answer when the first fails', async () => {
  await open();
  second.answer = json(404, { success: false, error: 'Market not found', code: 404 });
  first.answer = (_request, _response, socket) =>
    void until(() => second.received.length > 0).then(() => socket.destroy());
  const reply = await scene.get('/api/v1/x');
  expect([reply.status, errorOf(reply).error]).toEqual([404, 'Market not found']);
});

/** Answers long after the time that the node needed before. */
const slowly =
  (answer: Answer): Answer =>
  (...exchange) =>
    void setTimeout(() => answer(...exchange), 60);

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
  expect((await counts()).hedged).toBe(0);
});

describe('the circuit breaker', () => {
  const conductOf = (node: RecordingNode) => scene.gateway.context.nodes.find(node)!.conduct;
  const isOpen = () => conductOf(first).isOpen;

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
    second.answer = empty(404);
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
