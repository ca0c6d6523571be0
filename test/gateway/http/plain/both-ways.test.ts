// Every request goes to one gateway twice: as the first bytes of a connection, which may be read before
// Node's server, and on a connection that is Node's already. Nothing may tell the two from each other.
import type { GatewayConfig } from '#gateway/config/config.js';
import type { AnsweredRequest } from '#gateway/monitoring/answered-requests.js';
import { caseCount } from '../../../../testkit/case-count.js';
import { GatewayScene, startNodes } from '../../../../testkit/gateway/gateway-scene.js';
import { type Answer, json, type RecordingNode } from '../../../../testkit/gateway/recording-node.js';
import { type Numbers, pick, seededNumbers } from '../../../../testkit/numbers.js';
import { until } from '../../../../testkit/until.js';
import { RawClient, responsesIn } from './raw-client.js';

const HASH = 'cd'.repeat(32);
const KEPT = `/api/v1/transactions/${HASH}/status`;
const CONFIRMED = { transaction_hash: HASH, status: 'confirmed', block_height: 5 };
const ORIGIN = 'https://app.example';
const LARGE = JSON.stringify({ list: 'z'.repeat(150_000) });
/** Not asked by the short way, so that Node's server gets the connection. */
const OWN = 'GET /gateway/health/live HTTP/1.1\r\nHost: gateway.test\r\n\r\n';
const LAST = OWN.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');

/** After which a request is taken for one that is not whole. */
const SILENCE_MS = 100;
const LATE_MS = 30_000;
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

const typed = (status: number, headers: Record<string, string>, body: string | Buffer): Answer => {
  return (_request, response) => response.writeHead(status, headers).end(body);
};
const ANSWERS: Record<string, Answer> = {
  '/api/v1/json': json(200, { any: 1 }, { etag: '"1"' }),
  '/api/v1/html': typed(200, { 'content-type': 'text/html' }, '<script>'),
  '/api/v1/bytes': typed(200, { 'content-type': 'application/json' }, Buffer.from([34, 195, 169, 34])),
  '/api/v1/middle': json(200, { list: 'z'.repeat(20_000) }),
  '/api/v1/large': typed(200, { 'content-type': 'application/json' }, LARGE),
  '/api/v1/long': typed(
    200,
    { 'content-type': 'application/json', 'content-length': `${LARGE.length}` },
    LARGE,
  ),
  '/api/v1/none': typed(404, {}, ''),
  '/api/v1/no-content': typed(204, {}, ''),
  '/api/v1/unchanged': typed(304, { etag: '"1"' }, ''),
  '/api/v1/failure': typed(500, {}, ''),
  '/api/v1/later': typed(503, { 'retry-after': '7' }, ''),
  '/api/v1/strange': typed(299, { 'content-type': 'application/json' }, '{}'),
  '/api/v1/redirection': typed(302, { location: '/' }, ''),
  '/api/v1/cut': (_request, response, socket) => {
    response.writeHead(200, { 'content-length': '9' }).write('cut', () => socket.destroy());
  },
  '/api/v1/gone': (_request, _response, socket) => void socket.destroy(),
};
const answer: Answer = (request, response, socket) => {
  const path = request.path.split('?')[0]!;
  (ANSWERS[path] ?? json(200, path === KEPT ? CONFIRMED : { path }))(request, response, socket);
};

let scene: GatewayScene;
let node: RecordingNode;
let reported: AnsweredRequest[];
/** Of the body of the answer to OWN. */
let ownBytes: number;

async function open(changes: Partial<GatewayConfig>): Promise<void> {
  [node] = (await startNodes({ full: [answer] })) as [RecordingNode];
  scene = await GatewayScene.open([node], changes);
  reported = [];
  scene.gateway.context.answers.listen(answered => reported.push(answered));
  await scene.get(KEPT);
}
afterEach(() => scene.close());

interface Outcome {
  /** Without what the time changes. */
  received: string;
  reported: unknown[];
  asked: unknown[];
  counted: { requests: number; bytes: number; hit: number; miss: number };
}

const connect = () => RawClient.open(Number(new URL(scene.gateway.url).port));

/** The case is named when the gateway leaves its client waiting. */
async function inTime<T>(text: string, talk: Promise<T>): Promise<T> {
  const late = pause(LATE_MS).then(() => {
    throw new Error(`no end of ${JSON.stringify(text)}`);
  });
  late.catch(() => undefined);
  return Promise.race([talk, late]);
}

/** What is counted until the connection has closed. */
async function watch(talk: (client: RawClient) => Promise<string>, reports = 0): Promise<Outcome> {
  const { context } = scene.gateway;
  // A node that closed all its connections might be another one.
  await scene.get(KEPT);
  const before = await context.readTraffic();
  const hits = { ...context.cache.reads };
  reported = [];
  node.received.length = 0;
  const client = await connect();
  const received = await talk(client);
  await client.end();
  await until(() => reported.length >= reports);
  // For more than that, which would be wrong.
  await turns(20);
  const after = await context.readTraffic();
  return {
    received: withoutTimes(received),
    reported: reported.map(({ milliseconds: _, node: by, ...each }) => ({ ...each, port: by?.port })),
    asked: node.received.map(({ method, path, rawHeaders, body }) => ({ method, path, rawHeaders, body })),
    counted: {
      requests: after.requests - before.requests,
      bytes: after.bytesOut - before.bytesOut,
      hit: context.cache.reads.hit - hits.hit,
      miss: context.cache.reads.miss - hits.miss,
    },
  };
}

/** Nor where a node's or a compressor's pieces begin. */
function withoutTimes(received: string): string {
  const { whole, rest } = responsesIn(received);
  return [...whole.map(withoutChunks), rest]
    .join('')
    .replaceAll(/\r\nDate: [^\r]*/g, '\r\nDate: now')
    .replaceAll(/\r\nratelimit-(remaining|reset): \d+/g, '\r\nratelimit-$1: n')
    .replaceAll(/z{9,}/g, ({ length }) => `${length} z`);
}

function withoutChunks(response: string): string {
  if (!response.includes('\r\nTransfer-Encoding: chunked\r\n')) return response;
  const start = response.indexOf('\r\n\r\n') + 4;
  let text = response.slice(0, start);
  for (let at = start; at < response.length; ) {
    const end = response.indexOf('\r\n', at);
    const length = Number.parseInt(response.slice(at, end), 16);
    text += response.slice(end + 2, end + 2 + length);
    at = end + 2 + length + 2;
  }
  return text;
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

/** On a connection that is Node's. */
async function byNode(text: string): Promise<Outcome> {
  return watch(async client => {
    client.write(OWN);
    const [first] = await client.responses(1);
    client.write(text + LAST);
    return (await client.end()).slice(first!.length);
  }, 1);
}

/** As the first bytes of a connection. */
async function first(text: string, { received, reported: { length } }: Outcome): Promise<Outcome> {
  const isWhole = responsesIn(received).whole.length > 1;
  return watch(async client => {
    client.write(text);
    // What arrives while the other side closes would take the response away from the client.
    await Promise.race([client.responses(1), isWhole ? new Promise(() => {}) : pause(SILENCE_MS)]);
    if (isWhole || !/\r\nconnection: close\r\n/i.test(client.received)) client.write(LAST);
    return client.end();
  }, length);
}

/** In two pieces. */
async function inPieces(text: string, at: number, { reported: { length } }: Outcome): Promise<Outcome> {
  return watch(async client => {
    client.write(text.slice(0, at));
    await turns(4);
    client.write(text.slice(at) + LAST);
    return client.end();
  }, length);
}

/** What came first on the connection to Node is counted too. */
function withoutFirst({ reported: [, ...rest], counted, ...outcome }: Outcome): Outcome {
  const { requests, bytes, ...reads } = counted;
  return {
    ...outcome,
    reported: rest,
    counted: { requests: requests - 1, bytes: bytes - ownBytes, ...reads },
  };
}

const PATHS = [KEPT, KEPT, KEPT.toUpperCase(), ...Object.keys(ANSWERS), '/api/v1/any', '/api/v1/node/info'];
const TARGETS = [
  '/api/v1/',
  '/api/v1',
  '/api/v1//any',
  '/api/v1/../any',
  '/api/v1/./any',
  '/api/v1/%2e%2e/any',
  '/api/v1/a%20b',
  '/api/v1/a%00b',
  '/api/v1/a%zz',
  '/api/v1/%c3%a9',
  '/api/v1/%ff',
  '/api/v1/a#b',
  '/api/v1/a?b#c',
  '/api/v1/a|b',
  '/api/v1/a"b',
  '/api/v1/a\\b',
  '/api/v1/a?x=%',
  '/api/v1/a?wait_ms=1',
  '/api/v1/a?x={}',
  '/api/v2/any',
  '/',
  '/nothing',
  '/gateway/health/live',
  '*',
  'any',
  'http://gateway.test/api/v1/any',
  `/api/v1/${'x'.repeat(2030)}`,
  `/api/v1/${'x'.repeat(2048)}`,
  `/api/v1/${'x'.repeat(9000)}`,
  `/api/v1/${'x'.repeat(20_000)}`,
];
const LINES = [
  'Accept: */*',
  'Accept: application/json',
  'Accept: text/html',
  'Accept-Encoding: br',
  'Accept-Encoding: gzip, br;q=0',
  'accept-encoding: identity',
  'If-None-Match: "1"',
  'If-None-Match: *',
  `Origin: ${ORIGIN}`,
  'Origin: https://evil.example',
  'X-Forwarded-For: 192.0.2.1',
  'X-Forwarded-For: 192.0.2.1, 127.0.0.1',
  'X-Forwarded-For: nobody',
  'zbc-height: 5',
  'zbc-height: 900',
  'zbc-height: -1',
  `traceparent: 00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  'tracestate: a=b',
  'Connection: keep-alive',
  'Connection: Keep-Alive',
  'Connection: close',
  'Connection: close, keep-alive',
  'Connection: accept',
  'Connection:',
  'Proxy-Connection: close',
  'Keep-Alive: timeout=1',
  'Via: 1.1 other',
  'Via: 1.1 zbc-gateway',
  'Upgrade: h2c',
  'Upgrade: websocket',
  'Expect: nothing',
  'Content-Length: 0',
  'Content-Length: 1',
  'Content-Length: +0',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: identity',
  'TE: trailers',
  'Trailer: x',
  'Cookie: a=b',
  'Authorization: Bearer x',
  'Host: example.org',
  'Host: gateway.test',
  'Host:',
  'X_Y: z',
  '__proto__: z',
  'constructor: z',
  'toString: z',
  'A : b',
  'A:\tb',
  'A:  b  ',
  'A: b\tc',
  'A: \xe9',
  'A: \x7f',
  'A: \x00',
  'A: \x01',
  'A: b\n c',
  ' folded',
  ': b',
  'A',
  `A: ${'b'.repeat(7000)}`,
  `A: ${'b'.repeat(17_000)}`,
  ...Array.from({ length: 6 }, (_, index) => `X-${index}: ${'v'.repeat(index)}`),
];
/** The first of them, which browsers and programs send. */
const USUAL_LINES = 20;
const HOSTS = [
  'Host: example.org',
  'Host: GATEWAY.test:80',
  'Host: gateway.test:0',
  'Host: gateway.test:99999',
  'Host: gateway.test.',
  'Host: 127.0.0.1',
  'Host: [::1]',
  'Host: a@gateway.test',
  'Host: gateway.test, example.org',
  'host:gateway.test',
  'Host : gateway.test',
  'HOST:   gateway.test  ',
  '',
];
const PUT = ['\r', '\n', '\r\n', '\0', ' ', '\t', ':', 'x', '\x80', '\r\n\r\n', '\r\n ', ';', ',', 'é'];

function requestOf(numbers: Numbers): string {
  const line = (list: readonly string[], odds: number, usual: string) =>
    numbers(odds) === 0 ? pick(numbers, list) : usual;
  const method = line(['PUT', 'POST', 'OPTIONS', 'get', 'GET ', 'DELETE', 'PRI'], 25, 'GET');
  const target = line(TARGETS, 6, pick(numbers, PATHS));
  const version = line(['HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'http/1.1', '', 'HTTP/1.1 '], 25, 'HTTP/1.1');
  const host = line([...HOSTS, `Host: ip-127-0-0-1-p${node.port}.gateway.test`], 8, 'Host: gateway.test');
  const from = numbers(2) === 0 ? LINES : LINES.slice(0, USUAL_LINES);
  const lines = Array.from({ length: numbers(5) }, () => pick(numbers, from));
  lines.splice(numbers(lines.length + 1), 0, ...(host === '' ? [] : [host]));
  if (numbers(60) === 0)
    lines.push(...Array.from({ length: pick(numbers, [60, 70, 260]) }, (_, at) => `N${at}: v`));
  const text = [`${method} ${target} ${version}`, ...lines, '', ''].join('\r\n');
  if (numbers(4) > 0) return text;
  const at = numbers(text.length + 1);
  return text.slice(0, at) + (numbers(3) === 0 ? '' : pick(numbers, PUT)) + text.slice(at + numbers(3));
}

it.each<[string, Partial<GatewayConfig>]>([
  ['usual', {}],
  ['with limits', { rateLimit: { requests: 100_000, writes: 0, windowSeconds: 3600 }, hstsSeconds: 60 }],
  ['behind a proxy, for other origins', { trustedProxies: ['127.0.0.1'], corsOrigins: [ORIGIN] }],
])('a request is the same to a gateway by both ways (%s)', async (what, changes) => {
  await open(changes);
  const numbers = seededNumbers(what.length);
  ownBytes = (await scene.get('/gateway/health/live')).body.length;
  let answered = 0;
  for (let count = caseCount(2000, 40); count > 0; count -= 1) {
    const text = requestOf(numbers);
    const oracle = await inTime(text, byNode(text));
    const expected = withoutFirst(oracle);
    expect({ text, ...(await inTime(text, first(text, expected))) }).toEqual({ text, ...expected });
    if (count % 4 === 0) {
      const at = 1 + numbers(text.length);
      expect({ text, at, ...(await inTime(text, inPieces(text, at, expected))) }).toEqual({
        text,
        at,
        ...expected,
      });
    }
    if (expected.received.startsWith('HTTP/1.1 200')) answered += 1;
  }
  expect(answered).toBeGreaterThan(5);
});
