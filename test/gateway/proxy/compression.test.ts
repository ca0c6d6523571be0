import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { GatewayScene, startNodes } from '../../../testkit/gateway/gateway-scene.js';
import { type Answer, json, type RecordingNode } from '../../../testkit/gateway/recording-node.js';

const HASH = 'cd'.repeat(32);
const FIXED = `/api/v1/transactions/${HASH}`;
const LIST = '/api/v1/transactions?limit=100';

/** As long as it says, and of what compresses. */
const listOf = (length: number) => JSON.stringify({ list: 'ab'.repeat((length - 12) / 2) }).padEnd(length);
const text =
  (body: string | Buffer, headers: Record<string, string> = {}): Answer =>
  (_received, response) =>
    void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);

let scene: GatewayScene;
let node: RecordingNode;

async function open(answer: Answer): Promise<void> {
  const nodes = await startNodes({ full: [answer] });
  node = nodes[0]!;
  scene = await GatewayScene.open(nodes);
}
afterEach(() => scene.close());

const DECODE = {
  br: (body: Buffer) => brotliDecompressSync(body),
  gzip: (body: Buffer) => gunzipSync(body),
} as const;

function read(path: string, coding: string | undefined, headers: Record<string, string> = {}) {
  return scene.get(path, { ...(coding !== undefined && { 'accept-encoding': coding }), ...headers });
}

describe.each([
  ['whole', 2048],
  ['while the node sends it', 300_000],
])('an answer that is coded %s', (_when, length) => {
  it.each(['br', 'gzip'] as const)('is sent as %s to a client that takes it', async coding => {
    await open(text(listOf(length), { etag: '"a"' }));
    const { status, headers, body } = await read(LIST, `x, ${coding}`);
    expect([status, headers['content-encoding'], headers.etag]).toEqual([200, coding, 'W/"a"']);
    expect(headers.vary).toBe('accept-encoding');
    expect(body.length).toBeLessThan(length / 10);
    expect(DECODE[coding](body).toString()).toBe(listOf(length));
  });

  it('is sent as it is to every other client', async () => {
    await open(text(listOf(length), { etag: '"a"', vary: 'origin' }));
    for (const coding of [undefined, 'deflate', 'gzip;q=0']) {
      const { headers, body } = await read(LIST, coding);
      expect(headers).toMatchObject({ etag: '"a"', vary: 'origin, accept-encoding' });
      expect(headers).not.toHaveProperty('content-encoding');
      expect(body.toString()).toBe(listOf(length));
    }
  });
});

it.each([
  ['a small one', text(listOf(2046))],
  ['one that is no JSON', text(listOf(4000), { 'content-type': 'text/plain' })],
  ['an error', json(400, { error: listOf(4000) })],
])('%s is sent as it is', async (_what, answer) => {
  await open(answer);
  const { headers } = await read(LIST, 'gzip, br');
  expect(headers).not.toHaveProperty('content-encoding');
  expect(headers).not.toHaveProperty('vary');
});

it('what the node has coded is not coded again, nor what a client asks of one node', async () => {
  await open(text(Buffer.alloc(4000, 1), { 'content-encoding': 'gzip' }));
  const { headers, body } = await read(LIST, 'gzip, br');
  expect([headers['content-encoding'], body]).toEqual(['gzip', Buffer.alloc(4000, 1)]);
  node.answer = text(listOf(4000));
  const named = await read(LIST, 'br', { host: `ip-127-0-0-1-p${node.port}.gateway.test` });
  expect(named.headers).not.toHaveProperty('content-encoding');
});

it('one in memory is coded for each client, and known again by its tag', async () => {
  const record = {
    transaction_hash: HASH,
    status: 'confirmed',
    block_height: 5,
    message_hex: 'ab'.repeat(2000),
  };
  await open(json(200, record));
  const plain = await read(FIXED, undefined);
  const [br, gzip, again] = [await read(FIXED, 'br'), await read(FIXED, 'gzip'), await read(FIXED, 'gzip')];
  expect([br, gzip, again].map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', 'gzip']);
  for (const { headers } of [br, gzip]) expect(headers.etag).toBe(`W/${plain.headers.etag}`);
  expect(plain.headers.vary).toBe('accept-encoding');
  expect(DECODE.br(br.body).toString()).toBe(JSON.stringify(record));
  expect(again.body).toEqual(gzip.body);
  const known = await read(FIXED, 'br', { 'if-none-match': String(br.headers.etag) });
  expect([known.status, known.headers.vary]).toEqual([304, 'accept-encoding']);
  expect(node.received).toHaveLength(1);
});

it('a coded answer whose node breaks off never looks whole', async () => {
  await open((_received, response, socket) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 300_000 });
    response.write(listOf(200_000), () => socket.destroy());
  });
  // The gateway may learn of the end before it has sent anything.
  const answer = await read(LIST, 'gzip').catch(() => undefined);
  expect(answer?.status ?? 502).toBe(502);
});
