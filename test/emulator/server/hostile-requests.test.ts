import { connect } from 'node:net';
import type { EmulatorServer } from '@zbc-signer/emulator';
import { CONFIRM_ADDRESS_HEX, CONFIRMED_HEX } from '../../../testkit/device/confirmed-account.js';
import { startServer } from '../../../testkit/device/device-host.js';
import { callJson, httpRequest } from '../../../testkit/network/http.js';

let server: EmulatorServer;
let pending: Promise<unknown>;
let before: Uint8Array;

beforeEach(async () => {
  server = await startServer();
  pending = callJson('POST', `${server.api}/apdu`, { data: CONFIRM_ADDRESS_HEX });
  await server.emulator.waitForReview();
  before = server.emulator.frame();
});

/** The review must be unchanged, and can still be approved. */
afterEach(async () => {
  expect(server.emulator.reviewing).toBe(true);
  expect(server.emulator.frame()).toEqual(before);
  await server.emulator.approve();
  expect(await pending).toEqual({ data: CONFIRMED_HEX });
  await server.close();
});

const POSTS = [
  '/apdu',
  '/automation',
  '/button/left',
  '/button/right',
  '/button/both',
  '/ticker',
  '/ticker/',
];
const BODIES: [name: string, body: string][] = [
  ['nothing', ''],
  ['no JSON', 'action=press-and-release'],
  ['half a document', '{"action":"press-and-release"'],
  ['two documents', '{"action":"press-and-release"}{}'],
  ['null', 'null'],
  ['a number', '1'],
  ['a list', '["press-and-release"]'],
  ['another property', '{"action":"press-and-release","data":"e003000000","version":1,"rules":[],"more":1}'],
  ['a prototype', '{"action":"press-and-release","__proto__":{"action":"press-and-release"}}'],
  ['a constructor', '{"action":"press-and-release","constructor":{"prototype":{}}}'],
  ['a list for a word', '{"action":["press-and-release"],"data":["e003000000"]}'],
  ['NUL characters', '{"action":"press-and-release\\u0000"}'],
  ['deep nesting', `{"action":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
  ['a byte order mark inside', '{"\ufeffaction":"press-and-release"}'],
];

const errorOf = ({ body }: { body: Buffer }) => JSON.parse(body.toString()).error;

describe.each(POSTS)('POST %s', path => {
  test.each(BODIES)('answers 400 to %s', async (_name, body) => {
    const reply = await httpRequest('POST', server.api + path, { body });
    expect([reply.status, errorOf(reply)]).toEqual([400, expect.any(String)]);
    expect(reply.body.length).toBeLessThan(1000);
  });

  test.each(['identity', 'chunked'])('answers 413 to a huge body, %s', async coding => {
    const body = JSON.stringify({ action: 'press-and-release', delay: 1, more: 'x'.repeat(70_000) });
    const headers = coding === 'chunked' ? { 'transfer-encoding': 'chunked' } : {};
    const reply = await httpRequest('POST', server.api + path, { body, headers });
    expect([reply.status, errorOf(reply)]).toEqual([413, expect.any(String)]);
  });
});

describe.each([
  ['api', '/apdu', 'data'],
  ['ledger', '/', 'apduHex'],
] as const)('a command to the %s port', (port, path, name) => {
  test.each(['', 'e', 'e0030000zz', '0xe003000000', 'e0 03 00 00 00', 'é003'])(
    'is answered with 400 if it is %j',
    async hex => {
      const reply = await httpRequest('POST', server[port] + path, { body: JSON.stringify({ [name]: hex }) });
      expect(reply.status).toBe(400);
    },
  );
});

describe('unexpected paths, methods, queries and headers', () => {
  test.each([
    '/../button/both',
    '/events/../button/both',
    '/%2e%2e/button/both',
    '/button/..%2fbutton/both',
    '/button/%62oth%00',
    '/button//both',
    '//button/both',
    '/button/both/',
    '/button/both%2f',
    '/button/both;a=1',
    '/button/__proto__',
    '/button/constructor',
    '/button/Both',
    '/BUTTON/both',
    '/button/%ff',
    '/button/%',
    `/button/${'both'.repeat(1000)}`,
    '/button\\both',
    '/screenshot/../../../../etc/passwd',
    '/swagger/../../package.json',
    '/swagger/%2e%2e%2f%2e%2e%2fpackage.json',
  ])('answers 4xx to %s', async path => {
    // The request is written by hand, because a URL object would normalize the path.
    expect(await statusOfRaw('POST', path, '{"action":"press-and-release"}')).toMatch(/^4\d\d$/);
    expect(await statusOfRaw('GET', path)).toMatch(/^4\d\d$/);
  });

  test.each(['PUT', 'PATCH', 'GET', 'DELETE', 'HEAD', 'BREW'])('answers 4xx to %s', async method => {
    expect(await statusOfRaw(method, '/button/both', '{"action":"press-and-release"}')).toMatch(/^4\d\d$/);
  });

  test('answers 400 to invalid values in a query, and ignores unknown keys', async () => {
    for (const query of ['stream=yes', 'stream=true&stream=true', 'currentscreenonly=yes', 'stream[]=true'])
      expect([query, await statusOfRaw('GET', `/events?${query}`)]).toEqual([
        query,
        query.includes('[]') ? '200' : '400',
      ]);
  });

  test('answers 4xx to headers that are too long', async () => {
    const headers = { 'x-long': 'x'.repeat(20_000) };
    expect((await httpRequest('GET', `${server.api}/events`, { headers })).status).toBe(431);
  });
});

describe('a page of another origin', () => {
  const ORIGINS = [
    ...['https://example.org', 'http://localhost.example.org', 'http://127.0.0.1.example.org'],
    ...['http://10.0.0.1:5000', 'chrome-extension://abcdef', 'file://', 'null', 'not a url'],
  ];

  test.each(ORIGINS)(
    'at %s can neither press a button nor send a command nor read the screen',
    async origin => {
      const headers = { origin, 'content-type': 'text/plain' };
      const body = '{"action":"press-and-release"}';
      for (const name of ['left', 'right', 'both'])
        expect((await httpRequest('POST', `${server.api}/button/${name}`, { body, headers })).status).toBe(
          403,
        );
      const rules = JSON.stringify({ version: 1, rules: [{ regexp: '', actions: [['exit']] }] });
      expect((await httpRequest('POST', `${server.api}/automation`, { body: rules, headers })).status).toBe(
        403,
      );
      const command = { body: '{"apduHex":"e003000000"}', headers };
      expect((await httpRequest('POST', `${server.ledger}/`, command)).status).toBe(403);
      for (const path of ['/events', '/screenshot', '/swagger/openapi.json']) {
        expect((await httpRequest('GET', server.api + path, { headers })).status).toBe(403);
      }
    },
  );

  test.each([...POSTS, '/restart'])('can do nothing by POST %s without an Origin header', async path => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const { status } = await httpRequest('POST', server.api + path, { headers, body: '{}' });
    expect(status).toBe(403);
  });

  test('may link to the panel, and to a picture of the screen', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    for (const path of ['/', '/screenshot'])
      expect((await httpRequest('GET', server.api + path, { headers })).status).toBe(200);
  });

  test('is refused in the preflight', async () => {
    const headers = { origin: 'https://example.org', 'access-control-request-method': 'POST' };
    const reply = await httpRequest('OPTIONS', `${server.api}/button/both`, { headers });
    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([403, undefined]);
  });

  test('is disconnected from the TCP port, where its request line is not a command', async () => {
    const socket = connect(server.apduPort, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await new Promise(resolve => socket.once('close', resolve));
  });
});

/** The status of a request whose path is sent unchanged. */
async function statusOfRaw(method: string, path: string, body = ''): Promise<string> {
  const socket = connect(Number(new URL(server.api).port), '127.0.0.1');
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: ${body.length}`;
  socket.write(`${head}\r\n\r\n${body}`);
  const answer = Buffer.concat(await socket.toArray()).toString();
  return /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? answer;
}
