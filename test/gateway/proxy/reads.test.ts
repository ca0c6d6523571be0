import { errorOf, GatewayFixture, startNodes } from '../../../testkit/gateway/gateway-fixture.js';
import {
  type Answer,
  bytes,
  empty,
  json,
  OTHER_GENESIS,
  type RecordingNode,
  reset,
  silence,
} from '../../../testkit/gateway/recording-node.js';

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

const FROM_ARCHIVAL = json(200, { from: 'archival' });
const FROM_FULL = json(200, { from: 'full' });
const SHORT = { timeouts: { connectMs: 1000, answerMs: 200, pieceMs: 200 } };

test('asks only an archival node if it answers', async () => {
  const [archival, full] = await open({ archival: [FROM_ARCHIVAL], full: [FROM_FULL] });
  const reply = await fixture.get('/api/v1/blocks/latest?a=b');
  expect([reply.status, reply.body.toString()]).toEqual([200, '{"from":"archival"}']);
  expect(archival!.asked).toEqual(['GET /api/v1/blocks/latest?a=b']);
  expect(full!.asked).toEqual([]);
});

test("asks a full node after an archival node's empty 404", async () => {
  const [archival, full] = await open({ archival: [empty(404)], full: [FROM_FULL] });
  const reply = await fixture.get('/api/v1/blockchain/estimate-fee?type=1&body_length=8');
  expect([reply.status, reply.body.toString()]).toEqual([200, '{"from":"full"}']);
  expect(archival!.asked).toEqual(full!.asked);
});

test('recognises an empty 404 in chunks', async () => {
  const chunked = bytes('HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n');
  await open({ archival: [chunked], full: [FROM_FULL] });
  expect((await fixture.get('/api/v1/x')).body.toString()).toBe('{"from":"full"}');
});

test('does not ask a second archival node after an empty 404', async () => {
  const [first, second, full] = await open({ archival: [empty(404), empty(404)], full: [FROM_FULL] });
  await fixture.get('/api/v1/x');
  expect(first!.asked.length + second!.asked.length).toBe(1);
  expect(full!.asked).toHaveLength(1);
});

test('returns a 404 with a body', async () => {
  const error = { success: false, error: 'no such market', code: 404 };
  const [, full] = await open({ archival: [json(404, error)], full: [FROM_FULL] });
  const reply = await fixture.get('/api/v1/x');
  expect([reply.status, errorOf(reply)]).toEqual([404, error]);
  expect(full!.asked).toEqual([]);
});

test('adds an error body if full nodes return an empty 404 too', async () => {
  await open({ archival: [empty(404)], full: [empty(404)] });
  const reply = await fixture.get('/api/v1/x');
  expect([reply.status, errorOf(reply)]).toEqual([
    404,
    { success: false, error: 'Not found on any node', code: 404 },
  ]);
});

test('answers 503 after an empty 404 if there is no full node', async () => {
  await open({ archival: [empty(404)] });
  const reply = await fixture.get('/api/v1/x');
  expect([reply.status, errorOf(reply).code, reply.headers['retry-after']]).toEqual([503, 503, '60']);
});

describe.each<[how: string, answer: Answer, status: number, error: string]>([
  ['breaks the connection', reset, 502, 'The node closed the connection'],
  ['is silent', silence, 504, 'The node did not respond in time'],
  ['is under load', json(503, { success: false, error: 'under load', code: 503 }), 503, 'under load'],
  ['fails without a message', empty(500), 500, 'The node returned 500'],
  ['limits the gateway', json(429, {}), 503, 'The nodes limit the requests of this gateway'],
  ['refuses the gateway', json(403, { success: false, error: 'banned', code: 403 }), 403, 'banned'],
])('an archival node that %s', (_how, answer, status, error) => {
  test('determines the status if a full node has no answer either', async () => {
    const [, full] = await open({ archival: [answer], full: [empty(404)] }, SHORT);
    const reply = await fixture.get('/api/v1/exchange/markets');
    expect([reply.status, errorOf(reply)]).toEqual([status, { success: false, error, code: status }]);
    expect(full!.asked).toHaveLength(1);
  });

  test('is ignored if another archival node returns an empty 404', async () => {
    const [first, second] = await open({ archival: [answer, answer], full: [empty(404)] }, SHORT);
    const ignorant =
      fixture.gateway.context.nodes.routed('archival')[0]!.port === first!.port ? first! : second!;
    ignorant.answer = empty(404);
    const reply = await fixture.get('/api/v1/x');
    expect([reply.status, errorOf(reply).error]).toEqual([404, 'Not found on any node']);
    expect(first!.asked.length + second!.asked.length).toBe(2);
  });
});

test('answers 503 after the empty 404 of a full node if no archival node is available', async () => {
  const [archival, full] = await open({ archival: [FROM_ARCHIVAL], full: [empty(404)] });
  await archival!.stop();
  await fixture.gateway.context.nodes.refresh();
  const reply = await fixture.get('/api/v1/exchange/markets');
  expect([reply.status, errorOf(reply).error, reply.headers['retry-after']]).toEqual([
    503,
    'No archival node is available',
    '60',
  ]);
  expect(full!.asked).toHaveLength(1);
  await archival!.listen();
});

test("returns a full node's 404 with a body, regardless of the archival node", async () => {
  const error = { success: false, error: 'Account is not known', code: 404 };
  await open({ archival: [reset], full: [json(404, error)] });
  const reply = await fixture.get('/api/v1/x');
  expect([reply.status, errorOf(reply)]).toEqual([404, error]);
});

test('ends a long error response once another node answers', async () => {
  let ended = () => {};
  const isEnded = new Promise<void>(resolve => {
    ended = resolve;
  });
  const longFailure: Answer = (_request, response) => {
    response.on('close', ended);
    response.writeHead(500).write('x'.repeat(500_000));
  };
  await open({ archival: [longFailure], full: [FROM_FULL] });
  expect((await fixture.get('/api/v1/x')).status).toBe(200);
  await isEnded;
});

describe('reports in zbc-answered-by which rule chose the node', () => {
  const by = async (headers = {}) => (await fixture.get('/api/v1/x', headers)).headers['zbc-answered-by'];

  test('for an archival node, and for a full node after an empty 404 or a failure of the archival node', async () => {
    const [archival, full] = await open({ archival: [FROM_ARCHIVAL], full: [FROM_FULL] });
    expect(await by()).toBe('archival');
    archival!.answer = empty(404);
    expect(await by()).toBe('full after 404');
    archival!.answer = empty(500);
    expect(await by()).toBe('full after failure');
    await archival!.stop();
    expect([await by(), await by()]).toEqual(['full after failure', 'full after failure']);
    await archival!.listen();
    expect(await by({ host: `ip-127-0-0-1-p${full!.port}.gateway.test` })).toBe('full');
    const post = await fixture.post('/api/v1/transactions', '{}');
    expect(post.headers['zbc-answered-by']).toBe('full');
  });

  test('for a full node, if no archival node is admitted', async () => {
    await open({ full: [FROM_FULL] });
    expect(await by()).toBe('full');
  });
});

test('asks a full node when there is no archival node', async () => {
  await open({ full: [FROM_FULL] });
  expect((await fixture.get('/api/v1/x')).body.toString()).toBe('{"from":"full"}');
});

describe.each([
  ['resets the connection', reset],
  ['answers nonsense', bytes('SSH-2.0-OpenSSH_9.2\r\n')],
  ['sends two lengths', bytes('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab')],
  ['breaks off a body of a known length', bytes('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab')],
  [
    'breaks off a chunked body',
    bytes('HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab'),
  ],
  [
    'breaks off a long body',
    bytes(`HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n${'x'.repeat(800_000)}`),
  ],
  [
    'breaks off a long chunked body',
    bytes(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\ndbba0\r\n${'x'.repeat(800_000)}`),
  ],
  [
    'switches protocols',
    bytes('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
  ],
  ['redirects', bytes('HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n')],
  ['sends a part', bytes('HTTP/1.1 206 Partial Content\r\nContent-Length: 1\r\n\r\na')],
  ['announces a body that is too large', bytes('HTTP/1.1 200 OK\r\nContent-Length: 1048577\r\n\r\n')],
])('an archival node that %s', (_how, answer) => {
  test('is followed by the full node', async () => {
    const [archival, full] = await open({ archival: [answer], full: [FROM_FULL] });
    const reply = await fixture.get('/api/v1/x');
    expect([reply.status, reply.body.toString()]).toEqual([200, '{"from":"full"}']);
    expect(archival!.asked).toEqual(full!.asked);
  });

  test('causes a 502 if there is no other node', async () => {
    await open({ archival: [answer] });
    const reply = await fixture.get('/api/v1/x');
    expect([reply.status, errorOf(reply).success, errorOf(reply).code]).toEqual([502, false, 502]);
  });
});

describe.each([
  ['does not answer', silence],
  [
    'stops within the head of its response',
    (_request, _response, socket) => void socket.write('HTTP/1.1 200 OK\r\nConte'),
  ],
  [
    'stops within the body of its response',
    (_request, _response, socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab'),
  ],
] satisfies [string, Answer][])('an archival node that %s', (_how, answer) => {
  test('is followed by the full node', async () => {
    const [, full] = await open({ archival: [answer], full: [FROM_FULL] }, SHORT);
    expect((await fixture.get('/api/v1/x')).body.toString()).toBe('{"from":"full"}');
    expect(full!.asked).toHaveLength(1);
  });

  test('causes a 504 if there is no other node', async () => {
    await open({ archival: [answer] }, SHORT);
    const reply = await fixture.get('/api/v1/x');
    expect([reply.status, errorOf(reply).code]).toEqual([504, 504]);
  });
});

test('ends an answer that never stops trickling', async () => {
  const trickle: Answer = (_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  };
  await open({ full: [trickle] }, { timeouts: { connectMs: 200, answerMs: 200, pieceMs: 200 } });
  expect((await fixture.get('/api/v1/x')).status).toBe(504);
});

test('asks the next node if a node has stopped since its last check', async () => {
  const [archival, full] = await open({ archival: [FROM_ARCHIVAL], full: [FROM_FULL] });
  await archival!.stop();
  expect((await fixture.get('/api/v1/x')).body.toString()).toBe('{"from":"full"}');
  expect(fixture.gateway.context.nodes.routed('archival')).toEqual([]);
  expect(full!.asked).toHaveLength(1);
  await archival!.listen();
});

test('asks every archival node before it asks full nodes, and asks at most three full nodes', async () => {
  const nodes = await open({ archival: [reset, reset, reset], full: [reset, reset, reset, reset] });
  expect((await fixture.get('/api/v1/x')).status).toBe(502);
  const asked = (role: string) =>
    nodes.filter(node => node.role === role).reduce((sum, node) => sum + node.received.length, 0);
  expect([asked('archival'), asked('full')]).toEqual([3, 3]);
});

test('if one of two full nodes is frozen, the other answers reads that the two archival nodes cannot answer', async () => {
  const nodes = await open({ archival: [empty(404), empty(404)], full: [FROM_FULL, FROM_FULL] });
  const [next] = fixture.gateway.context.nodes.routed('full');
  const frozen = nodes.find(({ role, port }) => role === 'full' && port !== next!.port)!;
  frozen.answer = silence;
  frozen.answerCheck = silence;
  const reply = await fixture.get('/api/v1/blockchain/estimate-fee?type=1&body_length=8');
  expect([reply.status, reply.body.toString(), frozen.received.length]).toEqual([200, '{"from":"full"}', 1]);
});

test('passes on the 503 of an overloaded full node after the archival node failed', async () => {
  const [archival] = await open({
    archival: [json(500, { error: 'x' })],
    full: [json(503, { success: false, error: 'under load', code: 503 }, { 'retry-after': '7' })],
  });
  const reply = await fixture.get('/api/v1/x');
  expect([reply.status, errorOf(reply).error, reply.headers['retry-after']]).toEqual([
    503,
    'under load',
    '7',
  ]);
  expect(archival!.asked).toHaveLength(1);
});

test.each([429, 403])('a read goes on to the next node of the role after a %i', async status => {
  const [limited] = await open({ archival: [json(status, {}), FROM_ARCHIVAL] });
  const statuses = await Promise.all([1, 2, 3, 4].map(async () => (await fixture.get('/api/v1/x')).status));
  expect([statuses, limited!.received.length]).toEqual([[200, 200, 200, 200], 2]);
});

test("a node's limit is reported as 503 with the time that the node asks for, and without the limits of a client", async () => {
  await open({ full: [json(429, {}, { 'retry-after': '7' })] });
  const { status, headers } = await fixture.get('/api/v1/x');
  expect([status, headers['retry-after'], headers['zbc-answered-by']]).toEqual([503, '7', 'full']);
});

test('every 503 of a node tells when to retry', async () => {
  const [node] = await open({ full: [json(503, { success: false, error: 'under load', code: 503 })] });
  const host = `ip-127-0-0-1-p${node!.port}.gateway.test`;
  const replies = [
    await fixture.get('/api/v1/x'),
    await fixture.get('/api/v1/x', { host }),
    await fixture.post('/api/v1/transactions', '{}'),
  ];
  expect(replies.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(
    replies.map(() => [503, '60']),
  );
});

test('passes on a 500 when the next node gives no answer at all', async () => {
  await open({ archival: [json(500, { error: 'archival is broken' })], full: [reset] });
  const reply = await fixture.get('/api/v1/x');
  expect([reply.status, errorOf(reply).error]).toEqual([500, 'archival is broken']);
});

test('answers 503 without any node, and reports when to retry', async () => {
  await open({}, { healthIntervalMs: 2500 });
  const reply = await fixture.get('/api/v1/x');
  expect([reply.status, errorOf(reply)]).toEqual([
    503,
    { success: false, error: 'No node is available', code: 503 },
  ]);
  expect(reply.headers['retry-after']).toBe('3');
});

test('never asks a node of another chain', async () => {
  const nodes = await startNodes({ archival: [FROM_ARCHIVAL], full: [FROM_FULL, FROM_FULL] });
  nodes[0]!.genesisHash = OTHER_GENESIS;
  fixture = await GatewayFixture.open(nodes);
  expect((await fixture.get('/api/v1/x')).body.toString()).toBe('{"from":"full"}');
  expect(nodes[0]!.checks).toBe(1);
  expect(nodes[0]!.asked).toEqual([]);
});

test('spreads requests over the nodes of a role', async () => {
  const nodes = await open({ archival: [FROM_ARCHIVAL, FROM_ARCHIVAL, FROM_ARCHIVAL] });
  for (let turn = 0; turn < 6; turn++) await fixture.get('/api/v1/x');
  expect(nodes.map(node => node.received.length)).toEqual([2, 2, 2]);
});

test('requests HEAD as GET, so that an empty 404 is recognised, and answers only the head', async () => {
  const [archival, full] = await open({
    archival: [empty(404)],
    full: [json(200, { from: 'full' }, { etag: '"1"' })],
  });
  const reply = await fixture.head('/api/v1/x');
  expect([reply.status, reply.body.length]).toEqual([200, 0]);
  expect([reply.headers['content-length'], reply.headers.etag]).toEqual(['15', '"1"']);
  expect([archival!.asked, full!.asked]).toEqual([['GET /api/v1/x'], ['GET /api/v1/x']]);
});

test('answers HEAD for a long answer without its body', async () => {
  const long = 'x'.repeat(300_000);
  await open({ archival: [json(200, long)] });
  const reply = await fixture.head('/api/v1/x');
  expect([reply.headers['content-length'], reply.body.length]).toEqual(['300002', 0]);
});
