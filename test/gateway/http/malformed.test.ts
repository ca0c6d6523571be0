import { once } from 'node:events';
import { connect } from 'node:net';
import { GatewayFixture } from '../../../testkit/gateway/gateway-fixture.js';
import { json, RecordingNode } from '../../../testkit/gateway/recording-node.js';
import { until } from '../../../testkit/time/until.js';

let fixture: GatewayFixture;
afterEach(() => fixture.close());

/**
 * Sends a text and closes the sending side. Returns everything that the gateway sends until it closes the
 * connection.
 */
async function answerTo(text: string): Promise<string> {
  const socket = connect({
    port: Number(new URL(fixture.gateway.url).port),
    host: '127.0.0.1',
    allowHalfOpen: true,
  });
  socket.end(text, 'latin1');
  let answer = '';
  socket.on('data', piece => {
    answer += piece;
  });
  await once(socket, 'close');
  return answer;
}

test.each([
  ['text that is not HTTP', '\x01\x02 is no HTTP\r\n\r\n', 400],
  ['a head that is too long', `GET / HTTP/1.1\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
])('%s is logged, counted, and charged to the rate limit of its client', async (_what, text, status) => {
  fixture = await GatewayFixture.open([], { rateLimit: { requests: 2, writes: 0 } });
  const seen: unknown[] = [];
  fixture.gateway.context.answers.listen(({ status: answered, ip, route }) =>
    seen.push([answered, ip, route]),
  );
  for (const [index, expected] of [status, status, 429].entries()) {
    const answer = await answerTo(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${expected} `));
    expect(answer).toMatch(/^ratelimit-limit: 2\r$/m);
    expect(answer).toMatch(new RegExp(`^ratelimit-remaining: ${Math.max(0, 1 - index)}\\r$`, 'm'));
    expect(answer).toMatch(/^date: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT\r$/m);
    expect(/^retry-after: \d+\r$/m.test(answer)).toBe(expected === 429);
  }
  expect(seen).toEqual([status, status, 429].map(answered => [answered, '127.0.0.1', 'none']));
  expect((await fixture.get('/gateway/status')).status).toBe(429);
});

test.each(['/api/v1/transactions', '/gateway/status', '/gateway/allowlist/add'])(
  'a POST to %s with a broken body is one request with one answer',
  async path => {
    const node = await RecordingNode.start('full');
    fixture = await GatewayFixture.open([node], { rateLimit: { requests: 9, writes: 0 } });
    const seen: unknown[] = [];
    fixture.gateway.context.answers.listen(({ method, status }) => seen.push([method, status]));
    const head = `POST ${path} HTTP/1.1\r\nHost: gateway.test\r\nContent-Type: application/json\r\n`;
    const key = `X-API-Key: ${'k'.repeat(43)}\r\n`;
    const answer = await answerTo(`${head}${key}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nno length\r\n`);
    expect(answer.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/^ratelimit-remaining: 8\r$/m);
    expect(answer).toContain('"code":400');
    expect(seen).toEqual([['POST', 400]]);
    expect((await fixture.get('/gateway/status')).headers['ratelimit-remaining']).toBe('7');
    expect(node.received).toEqual([]);
  },
);

test('garbage after a running request counts as one more request', async () => {
  const node = await RecordingNode.start('full', (...asked) => {
    setTimeout(() => json(200, {})(...asked), 50);
  });
  fixture = await GatewayFixture.open([node], { rateLimit: { requests: 9, writes: 0 } });
  const seen: number[] = [];
  fixture.gateway.context.answers.listen(({ status }) => seen.push(status));
  const get = 'GET /api/v1/any HTTP/1.1\r\nHost: gateway.test\r\n\r\n';
  expect(await answerTo(`${get}\0 is no HTTP\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  expect(seen.sort()).toEqual([200, 400]);
  expect((await fixture.get('/gateway/status')).headers['ratelimit-remaining']).toBe('6');
});

test('a request in HTTP/1.0 is answered', async () => {
  fixture = await GatewayFixture.open([]);
  const request = 'GET /gateway/status HTTP/1.0\r\nHost: gateway.test\r\n\r\n';
  expect(await answerTo(request)).toMatch(/^HTTP\/1\.1 200 /);
});

test('a client that has half-closed its connection gets all answers', async () => {
  const node = await RecordingNode.start('full', (...asked) => {
    setTimeout(() => json(202, { status: 'success' })(...asked), 50);
  });
  fixture = await GatewayFixture.open([node]);
  const host = 'Host: gateway.test\r\n';
  const post = `POST /api/v1/transactions HTTP/1.1\r\n${host}Content-Length: 2\r\n\r\n{}`;
  const answer = await answerTo(`GET /api/v1/any HTTP/1.1\r\n${host}\r\n${post}`);
  expect(answer.match(/HTTP\/1\.1 202 Accepted/g)).toHaveLength(2);
});

test('a waiting request ends when its client stops sending, because the client may have left', async () => {
  let hasEnded = false;
  const node = await RecordingNode.start('full', (_request, response) => {
    response.on('close', () => {
      hasEnded = true;
    });
  });
  fixture = await GatewayFixture.open([node]);
  await answerTo('GET /api/v1/blocks?wait_ms=10000 HTTP/1.1\r\nHost: gateway.test\r\n\r\n');
  await until(() => hasEnded);
});
