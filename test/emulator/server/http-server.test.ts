import type { EmulatorServer } from '@zbc-signer/emulator';
import { createHttpServer } from '#emulator/server/http-server.js';
import { startServer } from '../../../testkit/device/device-host.js';
import { callJson, httpRequest } from '../../../testkit/network/http.js';

let server: EmulatorServer;

beforeEach(async () => {
  server = await startServer();
});

afterEach(() => server.close());

const jsonOf = ({ body }: { body: Buffer }) => JSON.parse(body.toString());

test.each(['/ticker', '/ticker/'])('accepts ticker actions on %s', async path => {
  for (const action of ['pause', 'resume', 'single-step']) {
    expect(await callJson('POST', server.api + path, { action })).toEqual({});
  }
  expect((await httpRequest('POST', server.api + path, { body: '{"action":"stop"}' })).status).toBe(400);
});

test('accepts a DELETE with a content type and no body', async () => {
  const headers = { 'content-type': 'application/json' };
  expect((await httpRequest('DELETE', `${server.api}/events`, { headers })).status).toBe(200);
});

test('reports that there is no touch screen', async () => {
  const reply = await httpRequest('POST', `${server.api}/finger`, { body: '{"action":"press","x":1,"y":1}' });
  expect([reply.status, jsonOf(reply).error]).toEqual([400, expect.stringContaining('touch')]);
});

test.each([
  ['GET', '/nothing'],
  ['POST', '/events'],
  ['GET', '/%'],
])('answers %s %s in JSON without a stack', async (method, path) => {
  const reply = await httpRequest(method, server.api + path);
  expect([400, 404]).toContain(reply.status);
  expect(jsonOf(reply).error).toEqual(expect.any(String));
  expect(reply.body.toString()).not.toMatch(/\.js|\bat /);
});

test.each(['/', '/events', '/events?stream=true', '/screenshot', '/swagger/'])(
  'answers HEAD %s without a body',
  async path => {
    const { status, body } = await httpRequest('HEAD', server.api + path);
    expect([status, body.length]).toEqual([200, 0]);
    expect((await httpRequest('HEAD', server.ledger)).status).toBe(200);
  },
);

test('keeps idle connections open for well over 5 s', async () => {
  const { headers } = await httpRequest('GET', `${server.api}/events`, {
    headers: { connection: 'keep-alive' },
  });
  expect(Number(/timeout=(\d+)/.exec(String(headers['keep-alive']))?.[1])).toBeGreaterThanOrEqual(60);
});

describe('the check of origin and host', () => {
  test('admits exactly the origins that an option lists', async () => {
    const listed = await startServer({
      allowedOrigins: ['https://gateway.example', 'chrome-extension://abcdef', 'app://wallet'],
    });
    const statusFor = async (origin: string) =>
      (await httpRequest('GET', `${listed.api}/events`, { headers: { origin } })).status;
    expect(await statusFor('https://gateway.example')).toBe(200);
    expect(await statusFor('chrome-extension://abcdef')).toBe(200);
    expect(await statusFor('app://wallet')).toBe(200);
    expect(await statusFor('app://other')).toBe(403);
    expect(await statusFor('chrome-extension://fedcba')).toBe(403);
    expect(await statusFor('http://gateway.example')).toBe(403);
    expect(await statusFor('https://gateway.example:8443')).toBe(403);
    expect(await statusFor('https://evil.gateway.example')).toBe(403);
    await listed.close();
  });

  test.each(['http://localhost:3000', 'http://127.0.0.1:8080', 'https://localhost', 'http://[::1]:5173'])(
    'admits %s',
    async origin => {
      const { status, headers } = await httpRequest('GET', `${server.api}/events`, { headers: { origin } });
      expect([status, headers['access-control-allow-origin']]).toEqual([200, origin]);
      const preflight = await httpRequest('OPTIONS', `${server.api}/events`, { headers: { origin } });
      expect([preflight.status, preflight.headers['access-control-allow-methods']]).toEqual([
        204,
        'GET, POST, DELETE',
      ]);
    },
  );

  test('also sets the CORS header on a held reply', async () => {
    const { headers } = await httpRequest('POST', `${server.api}/apdu`, {
      body: '{"data":"e003000000"}',
      headers: { origin: 'http://localhost:3000' },
    });
    expect(headers['access-control-allow-origin']).toBe('http://localhost:3000');
  });

  test('rejects a host name that was rebound to this machine, but accepts IP addresses', async () => {
    const withOrigin = (host: string) =>
      httpRequest('GET', `${server.api}/events`, { headers: { host, origin: `http://${host}` } });
    expect((await withOrigin('rebound.example.org:5000')).status).toBe(403);
    expect((await withOrigin('192.168.1.20:5000')).status).toBe(200);
  });

  test.each([
    ['127.0.0.1:5000', 200],
    ['localhost:5000', 200],
    ['[::1]:5000', 200],
    ['10.1.2.3', 200],
    ['rebound.example.org:5000', 403],
    ['localhost.example.org', 403],
    ['127.0.0.1.example.org', 403],
    ['not a name', 403],
  ])('answers a request without an Origin header for the host %p with %p', async (host, status) => {
    expect((await httpRequest('GET', `${server.api}/events`, { headers: { host } })).status).toBe(status);
  });

  test('accepts host names that an option lists, such as that of a compose service', async () => {
    const named = await startServer({ allowedHosts: ['Signer'] });
    const statusFor = async (url: string, headers: Record<string, string>) =>
      (await httpRequest('GET', url, { headers })).status;
    const origin = 'http://signer:5000';
    expect(await statusFor(`${named.api}/events`, { host: 'signer:5000' })).toBe(200);
    expect(await statusFor(`${named.api}/events`, { host: 'signer:5000', origin })).toBe(200);
    expect(await statusFor(named.ledger, { host: 'signer:9998' })).toBe(200);
    expect(await statusFor(`${named.api}/events`, { host: 'signer.evil.example' })).toBe(403);
    expect(await statusFor(`${named.api}/events`, { host: 'localhost', origin })).toBe(403);
    await named.close();
  });

  test('accepts the host name that the server is bound to', async () => {
    const server = createHttpServer('signer.test').get('/', async () => ({}));
    const statusFor = async (headers: Record<string, string>) =>
      (await server.inject({ url: '/', headers })).statusCode;
    expect(await statusFor({ host: 'signer.test:5000' })).toBe(200);
    expect(await statusFor({ host: 'signer.test:5000', origin: 'http://signer.test:5000' })).toBe(200);
    expect(await statusFor({ host: 'signer.test:5000', origin: 'http://signer.test:6000' })).toBe(403);
    expect(await statusFor({ host: 'other.test:5000' })).toBe(403);
  });
});
