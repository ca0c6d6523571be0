import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { GatewayClient, type GatewayError } from '@zbc-signer/host';
import { HttpTransport, TcpTransport } from '@zbc-signer/host/node';
import { generate } from 'selfsigned';
import { fetch as undiciFetch } from 'undici';
import * as browsers from '#host/browser-network-fault.js';
import type { FailedRequest } from '#host/network-fault.js';
import * as nodes from '#host/network-fault.js';
import { readText } from '../../testkit/repository/repository.js';

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});

async function portOf(made: Server): Promise<number> {
  server = made;
  await once(made.listen(0, '127.0.0.1'), 'listening');
  return (made.address() as AddressInfo).port;
}

async function failureOf(url: string, options: object = {}): Promise<{ code: string; reason: string }> {
  const error = await new GatewayClient(url, options).nodeInfo().catch((thrown: GatewayError) => thrown);
  const { code, message } = error as GatewayError;
  const place = code === 'GATEWAY_MALFORMED' ? '/api/v1/node/info' : url;
  return { code, reason: message.slice(message.indexOf(place) + place.length + 2) };
}

const unreachable = (reason: unknown) => ({ code: 'GATEWAY_UNREACHABLE', reason });

test('a request by https:// to a port that speaks HTTP is reported as such', async () => {
  const port = await portOf(createHttpServer((_request, response) => response.end('{}')));
  expect(await failureOf(`https://127.0.0.1:${port}`)).toEqual(
    unreachable(expect.stringMatching(/^it does not speak TLS: is it an http:\/\/ URL\? \(ERR_SSL_/)),
  );
});

test('a request by http:// to a port that speaks HTTPS is reported as a closed connection', async () => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'a gateway' }]);
  const port = await portOf(createTlsServer({ cert, key }, (_request, response) => response.end('{}')));
  expect(await failureOf(`http://127.0.0.1:${port}`)).toEqual(
    unreachable(expect.stringMatching(/^it closed the connection \((?:UND_ERR_SOCKET|ECONNRESET)\)$/)),
  );
});

test.each([
  ['of Node', fetch],
  ['of undici', undiciFetch as unknown as typeof fetch],
])('an answer that is not HTTP is reported as such with the fetch %s', async (_name, fetch) => {
  const port = await portOf(createServer(socket => socket.end('SSH-2.0-OpenSSH_9.2\r\n')));
  expect(await failureOf(`http://127.0.0.1:${port}`, { fetch })).toEqual({
    code: 'GATEWAY_MALFORMED',
    reason: 'it is not HTTP',
  });
});

/** A request that fails on every attempt. */
const REQUEST: FailedRequest = {
  url: 'http://gateway.test',
  route: '/route',
  fetch: () => Promise.reject(new TypeError('Failed to fetch')),
  isFirstRead: true,
};

describe('a page whose first read failed', () => {
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'location');
  });

  const asked: unknown[] = [];
  /** Acts like a server that answers, but whose response cannot be read. */
  const there: FailedRequest['fetch'] = (...request) => {
    asked.push(request);
    return Promise.resolve();
  };
  const errorFor = (origin: string | undefined, changes: Partial<FailedRequest> = {}) => {
    asked.length = 0;
    if (origin !== undefined) Object.assign(globalThis, { location: { origin } });
    return browsers.fetchError(new TypeError('Failed to fetch'), { ...REQUEST, fetch: there, ...changes });
  };

  test('gets the error that its origin is refused if the server gives an answer that the page may not read', async () => {
    expect(await errorFor('https://app.test')).toMatchObject({
      code: 'GATEWAY_ORIGIN_REFUSED',
      message:
        'a server answers at http://gateway.test, but lets no page of https://app.test read its response',
      facts: { url: 'http://gateway.test', origin: 'https://app.test' },
    });
    expect(asked).toEqual([['http://gateway.test/api/v1/node/info', { mode: 'no-cors' }]]);
  });

  test.each<[string, string | undefined, Partial<FailedRequest>]>([
    ['nothing answers', 'https://app.test', { fetch: REQUEST.fetch }],
    ['the page has the origin of the gateway', 'http://gateway.test', {}],
    ['an earlier read succeeded', 'https://app.test', { isFirstRead: false }],
    ['there is no page', undefined, {}],
  ])('gets only the error that the connection failed if %s', async (_what, origin, changes) => {
    expect(await errorFor(origin, changes)).toMatchObject({ code: 'GATEWAY_UNREACHABLE' });
    expect(asked).toEqual([]);
  });
});

describe('a request that failed', () => {
  const failed = (cause: object) => Object.assign(new TypeError('fetch failed'), { cause });
  const made = (fields: object) => Object.assign(new Error('x'), fields);

  test.each<[string, object, boolean]>([
    ['nothing listens', made({ code: 'ECONNREFUSED', syscall: 'connect' }), false],
    ['nothing listens at any address of a host', made({ code: 'ECONNREFUSED', errors: [] }), false],
    ['there is no such host', made({ code: 'ENOTFOUND', syscall: 'getaddrinfo' }), false],
    ['there is no route to the host', made({ code: 'EHOSTUNREACH', syscall: 'connect' }), false],
    ['no connection was made in time', made({ code: 'UND_ERR_CONNECT_TIMEOUT' }), false],
    ['a port that fetch does not allow', new Error('bad port'), false],
    ['the route was lost', made({ code: 'EHOSTUNREACH', syscall: 'read' }), true],
    ['the connection was reset', made({ code: 'ECONNRESET', syscall: 'read' }), true],
    ['the connection was closed', made({ code: 'UND_ERR_SOCKET' }), true],
    ['the connection was closed within TLS', made({ code: 'ERR_SSL_DECRYPTION_FAILED' }), true],
    ['an error without a code', made({}), true],
  ])('with the cause "%s" may have been sent: %s', async (_what, cause, mayHaveLeft) => {
    const error = await nodes.fetchError(failed(cause), REQUEST);
    expect(error).toMatchObject({ code: 'GATEWAY_UNREACHABLE', mayHaveLeft });
  });

  test('in a browser may always have been sent, because the browser gives no reason', async () => {
    const error = await browsers.fetchError(failed({}), REQUEST);
    expect(error).toMatchObject({ mayHaveLeft: true });
  });
});

test('an answer with a broken content encoding is reported as malformed', async () => {
  const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
  const port = await portOf(
    createHttpServer((_request, response) => response.writeHead(200, headers).end('{"height":1}')),
  );
  expect(await failureOf(`http://127.0.0.1:${port}`)).toEqual({
    code: 'GATEWAY_MALFORMED',
    reason: 'its content encoding is broken',
  });
});

test('a port that fetch refuses is named as such', async () => {
  expect(await failureOf('http://127.0.0.1:6000')).toEqual(unreachable('fetch does not allow this port'));
});

/** Returns a function that fails like Node's fetch with this system code. */
const failingWith = (code: string) => () =>
  Promise.reject(
    Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(), { code }) }),
  );

test.each([
  ['ENOTFOUND', 'there is no such host name (ENOTFOUND)'],
  ['EAI_AGAIN', 'its host name cannot be looked up now (EAI_AGAIN)'],
  ['ECONNREFUSED', 'nothing listens there (ECONNREFUSED)'],
  ['EHOSTUNREACH', 'there is no route to it (EHOSTUNREACH)'],
  ['ENETUNREACH', 'there is no route to it (ENETUNREACH)'],
  ['ETIMEDOUT', 'it does not answer (ETIMEDOUT)'],
  ['UND_ERR_CONNECT_TIMEOUT', 'it does not answer (UND_ERR_CONNECT_TIMEOUT)'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', /^no TLS connection can be made \(ERR_SSL_TLSV1/],
  ['ECONNRESET', 'it closed the connection: is it an https:// URL? (ECONNRESET)'],
  ['EODD', 'EODD'],
  ['constructor', 'constructor'],
])('%s is described in words', async (code, reason) => {
  const expected = typeof reason === 'string' ? reason : expect.stringMatching(reason);
  const fetch = failingWith(code);
  expect(await failureOf('http://gateway.example', { fetch })).toEqual(unreachable(expected));
});

test.each([
  ['over TCP', new TcpTransport({ host: 'no-such-host.invalid', port: 9999 })],
  ['over HTTP', new HttpTransport('http://no-such-host.invalid:5000')],
])('an emulator %s whose host name does not exist is reported as not found', async (_name, transport) => {
  await expect(transport.exchange(new Uint8Array(5))).rejects.toMatchObject({
    code: 'DEVICE_NOT_FOUND',
    message: expect.stringMatching(/^cannot reach no-such-host\.invalid:\d+: .*host name.* \(E\w+\)$/),
  });
});

test('a page gets no such description, because its browser gives no reason', async () => {
  const failure = async (files: typeof nodes | typeof browsers, code?: string) => {
    const error = Object.assign(new TypeError('Failed to fetch'), { cause: { code } });
    const { name, message, cause } = await files.fetchError(error, REQUEST);
    expect(cause).toBe(error);
    return [name, message];
  };
  const unknown = [
    'GatewayUnreachableError',
    'cannot reach the gateway at http://gateway.test: the connection failed',
  ];
  for (const code of ['ENOTFOUND', 'CERT_HAS_EXPIRED', 'HPE_INVALID_CONSTANT']) {
    expect(await failure(browsers, code)).toEqual(unknown);
  }
  expect(await failure(nodes)).toEqual(unknown);
  const page = readText('wallet/dist/bundle/wallet.js');
  expect(page).toContain('the connection failed');
  expect(page).not.toMatch(/ENOTFOUND|CERT_HAS_EXPIRED/);
});
