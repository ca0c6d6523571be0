import { GatewayFixture } from '../../../testkit/gateway/gateway-fixture.js';
import { json, RecordingNode } from '../../../testkit/gateway/recording-node.js';
import { type HttpReply, httpRequest } from '../../../testkit/network/http.js';

const ORIGIN = 'https://app.example';
const ALLOW = 'access-control-allow-origin';
const PREFLIGHT = { origin: ORIGIN, 'access-control-request-method': 'POST' };

let fixture: GatewayFixture;
afterEach(() => fixture.close());

async function open(corsOrigins: string[], changes = {}): Promise<void> {
  const node = await RecordingNode.start('full', json(200, { ok: true }, { vary: 'accept-encoding' }));
  fixture = await GatewayFixture.open([node], { corsOrigins, ...changes });
}

const options = (path: string, headers: Record<string, string>): Promise<HttpReply> =>
  httpRequest('OPTIONS', fixture.gateway.url + path, { headers });

const namesOf = ({ headers }: HttpReply) =>
  Object.keys(headers).filter(name => name.startsWith('access-control-'));

test('allows no origin by default', async () => {
  await open([]);
  expect(namesOf(await fixture.get('/api/v1/x', { origin: ORIGIN }))).toEqual([]);
  const reply = await options('/api/v1/x', PREFLIGHT);
  expect([reply.status, namesOf(reply)]).toEqual([405, []]);
});

const OWN = 'app://wallet';
test.each([ORIGIN, OWN])(
  'lets the listed origin %s read the answer and its exposed headers',
  async origin => {
    await open([ORIGIN, OWN]);
    const reply = await fixture.get('/api/v1/x', { origin });
    expect(reply.headers).toMatchObject({
      [ALLOW]: origin,
      'access-control-expose-headers': expect.stringMatching(/zbc-height/),
      vary: 'accept-encoding, origin',
    });
    expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
    expect((await fixture.get('/api/v1/x')).headers.vary).toBe('accept-encoding, origin');
  },
);

test('answers a preflight without the headers of the admin key', async () => {
  await open([ORIGIN]);
  const { status, headers, body } = await options('/api/v1/transactions', PREFLIGHT);
  expect([status, body.length]).toEqual([204, 0]);
  expect(headers).toMatchObject({ [ALLOW]: ORIGIN, 'access-control-allow-methods': 'GET, HEAD, POST' });
  expect(headers['access-control-allow-headers']).toContain('content-type');
  expect(headers['access-control-allow-headers']).not.toMatch(/authorization|x-api-key|\*/i);
  expect(headers['access-control-allow-credentials']).toBeUndefined();
  expect(fixture.nodes[0]!.received).toEqual([]);
});

test.each([
  'http://app.example',
  'https://app.example:8443',
  'https://app.example.evil.example',
  'https://sub.app.example',
  'https://APP.example',
  'https://app.example/',
  'https://app.example,https://evil.example',
  'null',
  '*',
  '',
])('sends no CORS headers to the origin %j', async origin => {
  await open([ORIGIN]);
  expect(namesOf(await fixture.get('/api/v1/x', { origin }))).toEqual([]);
  const reply = await options('/api/v1/x', { ...PREFLIGHT, origin });
  expect([reply.status, namesOf(reply)]).toEqual([405, []]);
});

test.each([
  '/admin',
  '/admin/state',
  '/gateway/allowlist',
  '/gateway/allowlist/add',
  '/gateway/status',
  '/faucet',
  '/wallet/',
  '/connect/',
  '/nothing',
])('sends no CORS headers for %s', async path => {
  await open([ORIGIN], { faucet: true, wallet: true });
  expect(namesOf(await fixture.get(path, { origin: ORIGIN }))).toEqual([]);
  const reply = await options(path, { ...PREFLIGHT, 'access-control-request-headers': 'authorization' });
  expect([reply.status, namesOf(reply)]).toEqual([404, []]);
});

test('rejects a preflight for the same reasons as any request', async () => {
  await open([ORIGIN]);
  expect((await options('/api/v1//x', PREFLIGHT)).status).toBe(400);
  expect((await options('/api/v1/x', { ...PREFLIGHT, host: 'evil.example' })).status).toBe(403);
  expect((await options('/api/v1/x', { origin: ORIGIN })).status).toBe(405);
});

test('counts preflights towards the rate limit, and lets the origin read the 429', async () => {
  await open([ORIGIN], { rateLimit: { requests: 2, writes: 0 } });
  await options('/api/v1/x', PREFLIGHT);
  await options('/api/v1/x', PREFLIGHT);
  const { status, headers } = await fixture.get('/api/v1/x', { origin: ORIGIN });
  expect([status, headers[ALLOW]]).toEqual([429, ORIGIN]);
});
