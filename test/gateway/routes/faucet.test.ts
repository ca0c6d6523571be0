import { errorOf, GatewayScene } from '../../../testkit/gateway/gateway-scene.js';
import { type Answer, json, RecordingNode, silence } from '../../../testkit/gateway/recording-node.js';
import { until } from '../../../testkit/time/until.js';

const PAID = { success: true, amount: 10_000_000_000, block_height: 9 };
const BODY = JSON.stringify({ address: 'ZBC_TEST' });

let scene: GatewayScene;

afterEach(() => scene?.close());

async function open(full: Answer, ...archivals: Answer[]): Promise<RecordingNode[]> {
  const nodes = [
    await RecordingNode.start('full', full),
    ...(await Promise.all(archivals.map(answer => RecordingNode.start('archival', answer)))),
  ];
  scene = await GatewayScene.open(nodes, { faucet: true });
  return nodes;
}

/** An archival node that answers once it has the block. */
const following =
  (until: Promise<unknown>): Answer =>
  (...exchange) =>
    void until.then(() => json(200, { blocks: [{ height: 9 }] })(...exchange));

it('has a page', async () => {
  await open(json(200, PAID));
  const { status, headers, body } = await scene.get('/faucet');
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
  expect(headers['content-security-policy']).not.toContain('unsafe');
  expect(body.toString()).not.toMatch(/\b(src|href)="(?!data:,")/);
});

it('asks a full node, and answers when the archival nodes have the block', async () => {
  let has = () => {};
  const block = new Promise<void>(resolve => (has = resolve));
  const [full, one, other] = await open(json(200, PAID), following(block), following(Promise.resolve()));
  let isAnswered = false;
  const answered = scene.post('/faucet', BODY, { 'accept-encoding': 'gzip', authorization: 'Bearer secret' });
  void answered.then(() => (isAnswered = true));
  await until(() => one!.received.length === 1 && other!.received.length === 1);
  await new Promise(setImmediate);
  expect(isAnswered).toBe(false);
  has();
  const reply = await answered;
  expect([reply.status, JSON.parse(reply.body.toString())]).toEqual([200, PAID]);
  expect(full!.received).toMatchObject([{ method: 'POST', path: '/faucet', body: BODY }]);
  expect(full!.received[0]!.headers.authorization).toBeUndefined();
  const asked = ['GET /api/v1/blocks?from=9&limit=1&wait_ms=2000'];
  expect([one!.asked, other!.asked]).toEqual([asked, asked]);
});

it('stops waiting for archival nodes that lag or do not answer', async () => {
  await open(json(200, PAID), json(503, {}), silence);
  expect((await scene.post('/faucet', BODY)).status).toBe(200);
});

it('passes on a rejection at once', async () => {
  const refusal = { success: false, error: 'address is too short', code: 400 };
  const [, archival] = await open(json(400, refusal), silence);
  const reply = await scene.post('/faucet', BODY);
  expect([reply.status, errorOf(reply)]).toEqual([400, refusal]);
  expect(archival!.asked).toEqual([]);
});

it('is 503 without a full node', async () => {
  const archival = await RecordingNode.start('archival');
  scene = await GatewayScene.open([archival], { faucet: true });
  const reply = await scene.post('/faucet', BODY);
  expect([reply.status, errorOf(reply).code]).toEqual([503, 503]);
  expect(archival.asked).toEqual([]);
});

it('exists only on a development gateway', async () => {
  const full = await RecordingNode.start('full', json(200, PAID));
  scene = await GatewayScene.open([full]);
  const replies = [
    await scene.get('/faucet'),
    await scene.post('/faucet', BODY),
    await scene.head('/faucet'),
  ];
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(full.asked).toEqual([]);
});
