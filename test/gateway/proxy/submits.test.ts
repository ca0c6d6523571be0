import { errorOf, GatewayFixture, startNodes } from '../../../testkit/gateway/gateway-fixture.js';
import {
  type Answer,
  bytes,
  empty,
  json,
  RecordingNode,
  reset,
  silence,
} from '../../../testkit/gateway/recording-node.js';
import { until } from '../../../testkit/time/until.js';

let fixture: GatewayFixture;

afterEach(() => fixture.close());

async function open(
  answers: { archival?: Answer[]; full?: Answer[] },
  changes: Parameters<typeof GatewayFixture.open>[1] = {},
): Promise<RecordingNode[]> {
  const nodes = await startNodes(answers);
  fixture = await GatewayFixture.open(nodes, changes);
  return nodes;
}

const ACCEPTED = json(202, { status: 'success', duplicate: false, transaction_hash: 'ab' });
const SHORT = { timeouts: { connectMs: 1000, answerMs: 200, pieceMs: 200 } };
const PATH = '/api/v1/transactions';

test('a POST goes once to one full node, and never to an archival node', async () => {
  const [archival, first, second] = await open({ archival: [ACCEPTED], full: [ACCEPTED, ACCEPTED] });
  const reply = await fixture.post(PATH, '{"version": 1}');
  expect([reply.status, JSON.parse(reply.body.toString()).status]).toEqual([202, 'success']);
  expect(archival!.asked).toEqual([]);
  expect(
    [...first!.received, ...second!.received].map(({ method, path, body }) => [method, path, body]),
  ).toEqual([['POST', PATH, '{"version": 1}']]);
});

test('a POST is answered 503 without a full node', async () => {
  const [archival] = await open({ archival: [ACCEPTED] });
  expect((await fixture.post(PATH, '{}')).status).toBe(503);
  expect(archival!.asked).toEqual([]);
});

test('uses a new connection for each POST', async () => {
  const [node] = await open({ full: [ACCEPTED] });
  for (let turn = 0; turn < 3; turn++) await fixture.post(PATH, '{}');
  expect(new Set(node!.received.map(({ connection }) => connection)).size).toBe(3);
});

test('a POST goes to the next full node when a connection is refused', async () => {
  const nodes = await open({ full: [ACCEPTED, ACCEPTED] });
  const [first] = fixture.gateway.context.nodes.routed('full');
  const gone = nodes.find(({ port }) => port !== first!.port)!;
  const stays = nodes.find(node => node !== gone)!;
  await gone.stop();
  expect((await fixture.post(PATH, '{}')).status).toBe(202);
  expect(stays.asked).toHaveLength(1);
  expect(fixture.gateway.context.nodes.find(gone)?.health.fault).toBe('refuses connections');
  await gone.listen();
});

test('a POST is answered 502, without a warning that it may have been accepted, if no node is reachable', async () => {
  const [node] = await open({ full: [ACCEPTED] });
  await node!.stop();
  const reply = await fixture.post(PATH, '{}');
  expect([reply.status, errorOf(reply).error]).toEqual([502, 'The node refuses connections']);
  await node!.listen();
});

describe.each([
  ['resets the connection', reset, 502],
  ['answers nonsense', bytes('nonsense\r\n\r\n'), 502],
  ['breaks off its answer', bytes('HTTP/1.1 202 Accepted\r\nContent-Length: 9\r\n\r\n{"'), 502],
  ['never answers', silence, 504],
] satisfies [string, Answer, number][])(
  'a full node that %s after it has received the body',
  (_how, answer, status) => {
    test(`causes a ${status} with the warning that it may have accepted the transaction, and no other node receives it`, async () => {
      const nodes = await open({ full: [answer, answer] }, SHORT);
      const reply = await fixture.post(PATH, '{"version":1}');
      expect([reply.status, errorOf(reply).code]).toEqual([status, status]);
      expect(errorOf(reply).error).toContain('it may have accepted the transaction');
      expect(nodes.flatMap(({ received }) => received.map(({ body }) => body))).toEqual(['{"version":1}']);
    });
  },
);

const FINAL = 'HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\n{}';

test.each(['103 Early Hints', '102 Processing'])('skips a %s before the answer', async line => {
  const nodes = await open({ full: [bytes(`HTTP/1.1 ${line}\r\nLink: </x>\r\n\r\n${FINAL}`), ACCEPTED] });
  expect((await fixture.post(PATH, '{}')).status).toBe(202);
  expect((await fixture.post(PATH, '{}')).status).toBe(202);
  expect(nodes.flatMap(({ received }) => received)).toHaveLength(2);
});

test('treats an unrequested 100 as a missing answer, and never sends the POST again', async () => {
  const answer = bytes(`HTTP/1.1 100 Continue\r\n\r\n${FINAL}`);
  const nodes = await open({ full: [answer, answer] });
  const reply = await fixture.post(PATH, '{}');
  expect([reply.status, errorOf(reply).error]).toEqual([502, expect.stringContaining('may have accepted')]);
  expect(nodes.flatMap(({ received }) => received)).toHaveLength(1);
});

test('an empty 404 means only that the node that was asked does not accept the POST', async () => {
  await open({ full: [empty(404), ACCEPTED] });
  const replies = [await fixture.post(PATH, '{}'), await fixture.post(PATH, '{}')];
  const refused = replies.find(({ status }) => status === 404)!;
  expect(errorOf(refused).error).toBe('The node does not accept this POST');
});

test('a full node that freezes during a POST is noticed within 3.5 seconds, and the POST is not sent again', async () => {
  const nodes = await open({ full: [silence, silence] });
  for (const node of nodes) node.answerCheck = silence;
  const routed = () => fixture.gateway.context.nodes.routed('full');
  const beganMs = performance.now();
  const reply = fixture.post(PATH, '{}');
  await until(() => routed().length === 1);
  expect(performance.now() - beganMs).toBeLessThan(3500);
  expect((await reply).status).toBe(504);
  expect(nodes.flatMap(({ received }) => received)).toHaveLength(1);
});

test.each([400, 429, 500, 503])('passes on a %i and asks no other node', async status => {
  const error = { success: false, error: 'Transaction validation failed', code: status };
  const nodes = await open({ full: [json(status, error), json(status, error)] });
  const reply = await fixture.post(PATH, '{}');
  expect([reply.status, errorOf(reply)]).toEqual([status, error]);
  expect(nodes.flatMap(({ received }) => received)).toHaveLength(1);
});

test("proxies a node's faucet like any other POST", async () => {
  const [node] = await open({ full: [ACCEPTED] });
  await fixture.post('/api/v1/faucet', '{"address":"x"}');
  expect(node!.asked).toEqual(['POST /api/v1/faucet']);
});

test('uses a restarted node after its next check', async () => {
  const node = await RecordingNode.start('full', ACCEPTED);
  fixture = await GatewayFixture.open([node], { healthIntervalMs: 20 });
  await node.stop();
  // A check may find the node down before the request does.
  expect([502, 503]).toContain((await fixture.post(PATH, '{}')).status);
  await node.listen();
  while ((await fixture.post(PATH, '{}')).status !== 202) {}
  expect(node.received.length).toBeGreaterThan(0);
});
