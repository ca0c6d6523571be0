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

test('uses the default port for a host name without a port', async () => {
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
  const broken = await post(hostOf(full.port));
  expect([broken.status, JSON.parse(broken.body).error]).toEqual([
    502,
    expect.stringContaining('may have accepted the transaction'),
  ]);
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

test('accepts the address of the connection as host', async () => {
  const { host } = new URL(fixture.gateway.url);
  expect((await get(host)).status).toBe(200);
});
