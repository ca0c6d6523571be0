import { errorOf, GatewayFixture } from '../../../testkit/gateway/gateway-fixture.js';
import { type Answer, json, RecordingNode, silence } from '../../../testkit/gateway/recording-node.js';
import { until } from '../../../testkit/time/until.js';

const PAID = { success: true, amount: 10_000_000_000, block_height: 9 };
const BODY = JSON.stringify({ address: 'ZBC_TEST' });

let fixture: GatewayFixture;

afterEach(() => fixture?.close());

async function open(full: Answer, ...archivals: Answer[]): Promise<RecordingNode[]> {
  const nodes = [
    await RecordingNode.start('full', full),
    ...(await Promise.all(archivals.map(answer => RecordingNode.start('archival', answer)))),
  ];
  fixture = await GatewayFixture.open(nodes, { faucet: true });
  return nodes;
}

/** The answer of an archival node that waits until it has the block. */
const following =
  (until: Promise<unknown>): Answer =>
  (...exchange) =>
    void until.then(() => json(200, { blocks: [{ height: 9 }] })(...exchange));

test('the faucet has a page', async () => {
  await open(json(200, PAID));
  const { status, headers, body } = await fixture.get('/faucet');
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
  expect(headers['content-security-policy']).not.toContain('unsafe');
  expect(body.toString()).not.toMatch(/\b(src|href)="(?!data:,")/);
});

test('asks a full node, and answers when the archival nodes have the block', async () => {
  let has = () => {};
  const block = new Promise<void>(resolve => (has = resolve));
  const [full, one, other] = await open(json(200, PAID), following(block), following(Promise.resolve()));
  let isAnswered = false;
  const answered = fixture.post('/faucet', BODY, {
    'accept-encoding': 'gzip',
    authorization: 'Bearer secret',
  });
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

test('stops waiting for archival nodes that lag or do not answer', async () => {
  await open(json(200, PAID), json(503, {}), silence);
  expect((await fixture.post('/faucet', BODY)).status).toBe(200);
});

test('passes on a rejection at once', async () => {
  const refusal = { success: false, error: 'address is too short', code: 400 };
  const [, archival] = await open(json(400, refusal), silence);
  const reply = await fixture.post('/faucet', BODY);
  expect([reply.status, errorOf(reply)]).toEqual([400, refusal]);
  expect(archival!.asked).toEqual([]);
});

test('answers 503 without a full node', async () => {
  const archival = await RecordingNode.start('archival');
  fixture = await GatewayFixture.open([archival], { faucet: true });
  const reply = await fixture.post('/faucet', BODY);
  expect([reply.status, errorOf(reply).code]).toEqual([503, 503]);
  expect(archival.asked).toEqual([]);
});
