import { GatewayFixture } from '../../../testkit/gateway/gateway-fixture.js';
import { getRaw, type RawReply, sendRaw } from '../../../testkit/gateway/raw-request.js';
import { empty, json, OTHER_GENESIS, RecordingNode, reset } from '../../../testkit/gateway/recording-node.js';

let archival: RecordingNode;
let full: RecordingNode;
let stranger: RecordingNode;
let fixture: GatewayFixture;

const INFO = '/api/v1/node/info';

beforeEach(async () => {
  archival = await RecordingNode.start('archival', json(200, { from: 'archival' }));
  full = await RecordingNode.start('full', json(200, { from: 'full' }));
  stranger = await RecordingNode.start('full', json(200, { from: 'stranger' }));
  fixture = await GatewayFixture.open([archival, full], { nodePort: full.port });
});

afterEach(async () => {
  await fixture.close();
  await stranger.stop();
});

function hostOf(port: number): string {
  return `ip-127-0-0-1-p${port}.gateway.test`;
}

function get(host: string, target = INFO): Promise<RawReply> {
  return getRaw(fixture.gateway.url, target, host);
}

function post(host: string): Promise<RawReply> {
  return sendRaw(
    fixture.gateway.url,
    `POST /api/v1/transactions HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
  );
}

function nobodyAsked(): void {
  expect([archival.asked, full.asked, stranger.asked]).toEqual([[], [], []]);
}

test('asks only the node that the host name names', async () => {
  expect((await get(hostOf(full.port))).body).toBe('{"from":"full"}');
  expect((await get(hostOf(archival.port).toUpperCase())).body).toBe('{"from":"archival"}');
  expect([archival.asked, full.asked]).toEqual([[`GET ${INFO}`], [`GET ${INFO}`]]);
});

test('uses node_port for a host name without a port', async () => {
  expect((await get('ip-127-0-0-1.gateway.test')).body).toBe('{"from":"full"}');
});

test('passes on the empty 404 of the named node', async () => {
  archival.answer = empty(404);
  const reply = await get(hostOf(archival.port));
  expect([reply.status, reply.body]).toEqual([404, '']);
  expect(full.asked).toEqual([]);
});

test('accepts POST for a full node, and returns 405 for an archival node', async () => {
  expect((await post(hostOf(full.port))).status).toBe(200);
  const reply = await post(hostOf(archival.port));
  expect([reply.status, reply.headers.allow, JSON.parse(reply.body).code]).toEqual([405, 'GET, HEAD', 405]);
  expect([archival.asked, full.asked]).toEqual([[], ['POST /api/v1/transactions']]);
});

test.each(['/', '/gateway/status', '/admin', '/faucet', '/dl/x'])(
  'has no route %s of the gateway',
  async path => {
    const reply = await get(hostOf(full.port), path);
    expect([reply.status, JSON.parse(reply.body).code]).toEqual([404, 404]);
    nobodyAsked();
  },
);

test('rejects a node that is not on the allowlist on every route', async () => {
  for (const target of [INFO, '/', '/gateway/status']) {
    const reply = await get(hostOf(stranger.port), target);
    expect([reply.status, JSON.parse(reply.body)]).toEqual([
      403,
      { success: false, error: 'Host not served', code: 403 },
    ]);
  }
  expect((await post(hostOf(stranger.port))).status).toBe(403);
  nobodyAsked();
});

test('follows the allowlist from one request to the next', async () => {
  const { allowlist, nodes } = fixture.gateway.context;
  await allowlist.add({ ip: '127.0.0.1', port: stranger.port, role: 'full' });
  await nodes.refresh();
  expect((await get(hostOf(stranger.port))).body).toBe('{"from":"stranger"}');
  await allowlist.remove({ ip: '127.0.0.1', port: stranger.port });
  await nodes.refresh();
  expect((await get(hostOf(stranger.port))).status).toBe(403);
  await allowlist.remove(full);
  await nodes.refresh();
  expect((await get(hostOf(full.port))).status).toBe(403);
});

test('answers 502 if the named node fails, without asking another node', async () => {
  full.answer = reset;
  expect((await get(hostOf(full.port))).status).toBe(502);
  await full.stop();
  expect((await get(hostOf(full.port))).status).toBe(502);
  expect((await post(hostOf(full.port))).status).toBe(502);
  expect(archival.asked).toEqual([]);
  await full.listen();
});

test('does not ask a named node on a different chain', async () => {
  full.genesisHash = OTHER_GENESIS;
  await fixture.gateway.context.nodes.refresh();
  const reply = await get(hostOf(full.port));
  expect([reply.status, JSON.parse(reply.body).error]).toEqual([502, 'The node is on another chain']);
  nobodyAsked();
});

test.each([
  'elsewhere.test',
  'gateway.test.',
  'localhost',
  '169.254.169.254',
  '[::1]',
  'ip-127-0-0-1-p80.gateway.test.',
  'ip-0127-0-0-1.gateway.test',
  'ip-169-254-169-254.gateway.test',
  'user@gateway.test',
])('refuses the host %s', async host => {
  const reply = await get(host);
  expect([reply.status, JSON.parse(reply.body).code]).toEqual([403, 403]);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  nobodyAsked();
});

test('accepts the address of the connection as host', async () => {
  const { host } = new URL(fixture.gateway.url);
  expect((await get(host)).status).toBe(200);
});

describe('an ambiguous request', () => {
  const HOST = 'Host: gateway.test\r\n';
  const CHUNKED = 'Transfer-Encoding: chunked\r\n';

  test.each([
    ['in absolute form', `GET http://gateway.test${INFO} HTTP/1.1\r\n${HOST}`, 400],
    ['in absolute form for a node', `GET http://127.0.0.1:1${INFO} HTTP/1.1\r\n${HOST}`, 400],
    ['for the asterisk', `OPTIONS * HTTP/1.1\r\n${HOST}`, 400],
    ['in authority form', `CONNECT gateway.test:443 HTTP/1.1\r\n${HOST}`, 400],
    ['without a Host', `GET ${INFO} HTTP/1.1\r\n`, 400],
    ['with an empty Host', `GET ${INFO} HTTP/1.1\r\nHost:\r\n`, 400],
    ['with two Hosts', `GET ${INFO} HTTP/1.1\r\n${HOST}Host: elsewhere.test\r\n`, 400],
    ['with the same Host twice', `GET ${INFO} HTTP/1.1\r\n${HOST}hOsT: gateway.test\r\n`, 400],
    ['in HTTP/1.0 without a Host', `GET ${INFO} HTTP/1.0\r\n`, 400],
    ['with a folded header', `GET ${INFO} HTTP/1.1\r\n${HOST}X: a\r\n b\r\n`, 400],
    ['with a space before the colon', `GET ${INFO} HTTP/1.1\r\n${HOST}X : a\r\n`, 400],
    ['with a length and an encoding', `POST ${INFO} HTTP/1.1\r\n${HOST}Content-Length: 4\r\n${CHUNKED}`, 400],
    ['with two lengths', `POST ${INFO} HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n`, 400],
    ['with a sign in its length', `POST ${INFO} HTTP/1.1\r\n${HOST}Content-Length: +1\r\n`, 400],
    ['with an unknown encoding', `POST ${INFO} HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip, chunked\r\n`, 400],
    ['with a misspelled encoding', `POST ${INFO} HTTP/1.1\r\n${HOST}Transfer-Encoding: xchunked\r\n`, 400],
    ['to GET with a body', `GET ${INFO} HTTP/1.1\r\n${HOST}Content-Length: 5\r\n`, 400],
    ['to GET with chunks', `GET ${INFO} HTTP/1.1\r\n${HOST}${CHUNKED}`, 400],
    ['to upgrade', `GET ${INFO} HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n`, 400],
    ['to speak HTTP/2', `PRI * HTTP/2.0\r\n`, 400],
    ['with a dot segment', `GET /api/v1/../../x HTTP/1.1\r\n${HOST}`, 400],
    ['with an escaped dot segment', `GET /api/v1/%2e%2e/x HTTP/1.1\r\n${HOST}`, 400],
    ['with a broken escape', `GET /api/v1/%zz HTTP/1.1\r\n${HOST}`, 400],
    ['with bytes past ASCII', `GET /api/v1/\xe9 HTTP/1.1\r\n${HOST}`, 400],
    ['of text that is not HTTP', 'nonsense\r\n', 400],
    ['with a long path', `GET /api/v1/${'a'.repeat(2048)} HTTP/1.1\r\n${HOST}`, 414],
    ['with a long head', `GET ${INFO} HTTP/1.1\r\n${HOST}X: ${'a'.repeat(20_000)}\r\n`, 431],
    [
      'with an unknown expectation',
      `POST ${INFO} HTTP/1.1\r\n${HOST}Expect: a-pony\r\nContent-Length: 2\r\n`,
      417,
    ],
  ])('%s is rejected and closes the connection', async (_what, head, status) => {
    const second = `GET /api/v1/smuggled HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;
    const reply = await sendRaw(fixture.gateway.url, `${head}\r\n${second}`);
    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.body)).toEqual({ success: false, error: expect.any(String), code: status });
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(reply.headers.connection).toBe('close');
    nobodyAsked();
  });

  test('is answered if its only doubtful part is a single Content-Length of 0', async () => {
    const reply = await sendRaw(
      fixture.gateway.url,
      `GET ${INFO} HTTP/1.1\r\n${HOST}Content-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    expect(reply.status).toBe(200);
  });
});
