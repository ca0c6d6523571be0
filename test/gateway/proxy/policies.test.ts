import { VIA } from '#gateway/proxy/request-headers.js';
import { GatewayFixture, startNodes } from '../../../testkit/gateway/gateway-fixture.js';
import { sendRaw } from '../../../testkit/gateway/raw-request.js';
import { json, type RecordingNode } from '../../../testkit/gateway/recording-node.js';
import { until } from '../../../testkit/time/until.js';

const PATH = '/api/v1/any';
const ORIGIN = 'https://app.example';
const LARGE = JSON.stringify({ list: 'z'.repeat(150_000) });

let fixture: GatewayFixture;
let node: RecordingNode;

async function open(...[changes, options]: DropFirst<Parameters<typeof GatewayFixture.open>>): Promise<void> {
  const nodes = await startNodes({ full: [json(200, {})] });
  node = nodes[0]!;
  fixture = await GatewayFixture.open(nodes, changes, options);
}
type DropFirst<List extends unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

afterEach(() => fixture.close());

test('the policies of the gateway apply to an answer of a node', async () => {
  await open({ hstsSeconds: 60, corsOrigins: [ORIGIN], rateLimit: { requests: 500, writes: 0 } });
  const { headers } = await fixture.get(PATH, { origin: ORIGIN });
  expect(headers).toMatchObject({
    'strict-transport-security': 'max-age=60',
    'access-control-allow-origin': ORIGIN,
    vary: 'origin',
    'ratelimit-limit': '500',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
    'zbc-height': '7',
  });
});

test('an answer counts towards the limit of its client, and in the statistics', async () => {
  await open({ rateLimit: { requests: 3, writes: 0 } });
  const seen: number[] = [];
  fixture.gateway.context.answers.listen(({ status }) => seen.push(status));
  const left: number[] = [];
  for (const ask of [() => fixture.get(PATH), () => fixture.head(PATH), () => fixture.get(PATH)]) {
    left.push(Number((await ask()).headers['ratelimit-remaining']));
  }
  expect(left).toEqual([2, 1, 0]);
  expect((await fixture.get(PATH)).status).toBe(429);
  expect(seen).toEqual([200, 200, 200, 429]);
});

test('clients behind a proxy each have their own limit, and are distinguished in the log', async () => {
  await open({ trustedProxies: ['127.0.0.1'], rateLimit: { requests: 5, writes: 0 } });
  const seen: string[] = [];
  fixture.gateway.context.answers.listen(({ ip }) => seen.push(ip));
  const left = [];
  for (const client of ['192.0.2.1', '192.0.2.1', '192.0.2.2, 198.51.100.7', '192.0.2.2, 198.51.100.7']) {
    const { headers } = await fixture.get(PATH, { 'x-forwarded-for': client });
    left.push(Number(headers['ratelimit-remaining']));
  }
  expect(left).toEqual([4, 3, 4, 3]);
  expect(seen).toEqual(['192.0.2.1', '192.0.2.1', '198.51.100.7', '198.51.100.7']);
});

test('an answer that breaks off at the node becomes a 502 without headers of the node', async () => {
  await open({ corsOrigins: [ORIGIN] });
  const head = { 'content-type': 'application/json', 'content-length': '200000', etag: '"1"' };
  node.answer = (_request, response, socket) => {
    response.writeHead(200, head).write(LARGE, () => socket.destroy());
  };
  const { status, headers, body } = await fixture.get(PATH);
  expect([status, JSON.parse(body.toString()).error]).toEqual([502, 'The node closed the connection']);
  expect(headers).toMatchObject({ vary: 'origin', 'cache-control': 'no-store' });
  expect(headers).not.toHaveProperty('etag');
  node.answer = json(200, {});
  await until(async () => (await fixture.get(PATH)).status === 200);
});

test.each([
  ['another host', 403, ['Host: example.org']],
  ['two hosts', 400, ['Host: gateway.test', 'Host: gateway.test']],
  ['no host', 400, []],
  ['a body', 400, ['Host: gateway.test', 'Content-Length: 1']],
  ['an upgrade', 400, ['Host: gateway.test', 'Connection: upgrade', 'Upgrade: h2c']],
  ['a loop', 508, ['Host: gateway.test', `Via: ${VIA}`]],
  ['too many lines', 431, ['Host: gateway.test', ...Array.from({ length: 256 }, () => 'A: b')]],
])('no answer is given to a request with %s', async (_what, status, lines) => {
  await open();
  const text = [`GET ${PATH} HTTP/1.1`, ...lines, '', ''].join('\r\n');
  expect((await sendRaw(fixture.gateway.url, text)).status).toBe(status);
  expect(node.received).toEqual([]);
});
