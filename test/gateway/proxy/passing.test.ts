import { createHash } from 'node:crypto';
import { errorOf, GatewayFixture, startNodes } from '../../../testkit/gateway/gateway-fixture.js';
import { type Answer, json, type RecordingNode } from '../../../testkit/gateway/recording-node.js';
import { openRequest, readBody } from '../../../testkit/network/http.js';

let fixture: GatewayFixture;

afterEach(() => fixture.close());

async function open(
  answer: Answer,
  changes: Parameters<typeof GatewayFixture.open>[1] = {},
): Promise<RecordingNode> {
  const nodes = await startNodes({ full: [answer] });
  fixture = await GatewayFixture.open(nodes, changes);
  return nodes[0]!;
}

const OK = json(200, { ok: true });

describe('an answer on its way to a client', () => {
  test('has only the allowed headers', async () => {
    await open(
      json(
        200,
        {},
        {
          etag: '"1"',
          'last-modified': 'Sat, 21 Nov 2026 12:00:00 GMT',
          'cache-control': 'public, max-age=31536000, immutable',
          expires: 'Sat, 21 Nov 2037 12:00:00 GMT',
          age: '1',
          pragma: 'cache',
          'cdn-cache-control': 'max-age=31536000',
          'surrogate-control': 'max-age=31536000',
          vary: 'accept-encoding',
          server: 'node',
          'set-cookie': 'a=b',
          location: 'https://elsewhere.test/',
          'access-control-allow-origin': '*',
          'content-security-policy': 'default-src *',
          'strict-transport-security': 'max-age=1',
          'clear-site-data': '"*"',
          link: '</x>; rel=preload',
          refresh: '0; url=https://elsewhere.test/',
          'keep-alive': 'timeout=1',
        },
      ),
    );
    const { headers } = await fixture.get('/api/v1/x', { connection: 'close' });
    const { date, ...rest } = headers;
    expect(date).toBeDefined();
    expect(rest).toEqual({
      'content-type': 'application/json',
      'content-length': '2',
      'zbc-answered-by': 'full',
      'zbc-height': '7',
      etag: '"1"',
      'last-modified': 'Sat, 21 Nov 2026 12:00:00 GMT',
      'cache-control': 'no-store',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      connection: 'close',
    });
  });

  test('loses the headers named by Connection', async () => {
    await open(json(200, {}, { connection: 'keep-alive, ETag', etag: '"1"', vary: 'accept' }));
    const { headers } = await fixture.get('/api/v1/x');
    expect([headers.etag, headers.vary]).toEqual([undefined, 'accept']);
  });

  test.each([
    ['5', '5'],
    ['60', '60'],
    ['86400', '60'],
    ['999999999999', '60'],
    ['-1', '60'],
    ['Sat, 21 Nov 2037 12:00:00 GMT', '60'],
  ])('with retry-after %s asks the client to wait for at most a minute', async (sent, passed) => {
    const node = await open(json(503, { success: false, code: 503 }, { 'retry-after': sent }));
    expect((await fixture.get('/api/v1/x')).headers['retry-after']).toBe(passed);
    const host = `ip-127-0-0-1-p${node.port}.gateway.test`;
    expect((await fixture.get('/api/v1/x', { host })).headers['retry-after']).toBe(passed);
  });

  test.each([
    'text/html',
    'application/jsonp',
    'image/svg+xml',
    'text/html; application/json',
    'application/json;charset=utf-8, text/html',
  ])('is sent as a file, not as a page, if its type is %s', async type => {
    await open(json(200, '<script>', { 'content-type': type }));
    const { headers } = await fixture.get('/api/v1/x');
    expect([headers['content-type'], headers['content-disposition']]).toEqual([
      'application/octet-stream',
      'attachment',
    ]);
  });

  test('keeps a 304 without a body', async () => {
    await open((_request, response) => void response.writeHead(304, { etag: '"1"' }).end());
    const reply = await fixture.get('/api/v1/x', { 'if-none-match': '"1"' });
    expect([reply.status, reply.headers.etag, reply.body.length]).toEqual([304, '"1"', 0]);
  });

  test.each([7, 2 ** 40])(
    'keeps a 304 that tells the length of what it leaves out (%i bytes)',
    async length => {
      const node = await open((_request, response) => {
        response.writeHead(304, { etag: '"1"', 'content-length': length }).end();
      });
      for (let count = 0; count < 2; count += 1) {
        const reply = await fixture.get('/api/v1/x', { 'if-none-match': '"1"' });
        expect([reply.status, reply.headers.etag, reply.body.length]).toEqual([304, '"1"', 0]);
      }
      expect(node.received).toHaveLength(2);
    },
  );

  test('is a failure of the node if it is an unrequested 304', async () => {
    const node = await open((_request, response) => void response.writeHead(304, { etag: '"1"' }).end());
    const reply = await fixture.get('/api/v1/x', { accept: 'if-none-match' });
    expect([reply.status, errorOf(reply).error]).toEqual([502, 'The node sent a malformed response']);
    const host = `ip-127-0-0-1-p${node.port}.gateway.test`;
    expect((await fixture.get('/api/v1/x', { host })).status).toBe(502);
    const post = await fixture.post('/api/v1/transactions', '{}', { 'if-none-match': '"1"' });
    expect(post.status).toBe(502);
  });

  test.each(['gzip, chunked', 'chunked, chunked', 'gzip\r\ntransfer-encoding: chunked'])(
    'is a failure of the node if its transfer encoding is %j',
    async encoding => {
      const head = `HTTP/1.1 200 OK\r\ntransfer-encoding: ${encoding}\r\n\r\n`;
      await open((_request, _response, socket) => void socket.end(`${head}1\r\nx\r\n0\r\n\r\n`));
      const reply = await fixture.get('/api/v1/x');
      expect([reply.status, errorOf(reply).error]).toEqual([502, 'The node sent a malformed response']);
    },
  );

  test.each([
    ['short', 9],
    ['long', 900_000],
  ])('loses its %s content if it is a 205, which must have no content', async (_length, length) => {
    const node = await open((_request, response) => void response.writeHead(205).end('x'.repeat(length)));
    const { status, headers, body } = await fixture.get('/api/v1/x');
    expect([status, headers['content-length'], body.length]).toEqual([205, '0', 0]);
    node.answer = OK;
    expect((await fixture.get('/api/v1/x')).status).toBe(200);
  });

  test('loses its trailers', async () => {
    await open((_request, response) => {
      response.writeHead(200, { trailer: 'x-sum', 'transfer-encoding': 'chunked' });
      response.write('body');
      response.addTrailers({ 'x-sum': '1' });
      response.end();
    });
    const { response } = await openRequest('GET', `${fixture.gateway.url}/api/v1/x`, {
      headers: { te: 'trailers' },
    });
    expect((await readBody(response)).toString()).toBe('body');
    expect([response.headers.trailer, response.rawTrailers]).toEqual([undefined, []]);
  });

  test('keeps its compressed bytes', async () => {
    await open(json(200, 'not really', { 'content-encoding': 'gzip' }));
    const reply = await fixture.get('/api/v1/x', { 'accept-encoding': 'gzip' });
    expect([reply.headers['content-encoding'], reply.body.toString()]).toEqual(['gzip', '"not really"']);
  });
});

describe('a long answer', () => {
  const long = Buffer.from(Array.from({ length: 900_000 }, (_, index) => index % 251));

  test.each([
    ['of a known length', { 'content-length': String(long.length) }],
    ['in chunks', {}],
  ])('%s arrives whole', async (_kind, headers: Record<string, string>) => {
    await open((_request, response) => void response.writeHead(200, headers).end(long));
    const reply = await fixture.get('/api/v1/x');
    expect(sha256(reply.body)).toBe(sha256(long));
    expect(reply.headers['content-length']).toBe(String(long.length));
    const head = await fixture.head('/api/v1/x');
    expect([head.headers['content-length'], head.body.length]).toEqual([String(long.length), 0]);
  });

  test('that exceeds the limit is a failure of the node', async () => {
    await open((_request, response) => {
      response.writeHead(200);
      for (let piece = 0; piece < 3; piece++) response.write(long);
      response.end();
    });
    const reply = await fixture.get('/api/v1/x');
    expect([reply.status, errorOf(reply).error]).toEqual([502, 'The node sent a response that is too large']);
  });

  test('of a failure is not kept while other nodes are asked', async () => {
    const node = await open((_request, response) => void response.writeHead(500).end(long));
    const reply = await fixture.get('/api/v1/x');
    expect([reply.status, errorOf(reply).error]).toEqual([502, 'The node sent a response that is too large']);
    const host = `ip-127-0-0-1-p${node.port}.gateway.test`;
    const named = await fixture.get('/api/v1/x', { host });
    expect([named.status, named.body.length]).toEqual([500, long.length]);
  });

  test('is given up with 503 when it fills the memory for all responses', async () => {
    let sent = 0;
    const endless: Answer = (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(long)) sent += long.length;
        response.once('drain', more);
      };
      more();
    };
    const node = await open(endless, { maxAnswerBytes: 2 ** 40 });
    const reply = await fixture.get('/api/v1/x');
    expect([reply.status, errorOf(reply).error]).toEqual([503, 'The gateway is overloaded']);
    expect(sent).toBeLessThan(100_000_000);
    const post = await fixture.post('/api/v1/transactions', '{}');
    expect([post.status, errorOf(post).error]).toEqual([
      503,
      'The gateway is overloaded; it may have accepted the transaction, so check its status before sending it again',
    ]);
    node.answer = OK;
    expect((await fixture.get('/api/v1/x')).status).toBe(200);
  });
});

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
