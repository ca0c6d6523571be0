import { answers, type HostileCase, post, request } from '../hostile-case.js';

const broadcast = (body: string, headers: readonly string[] = ['content-type: application/json']) => ({
  full: [{ method: 'POST' as const, path: '/api/v1/transactions', headers, body }],
});
const ALLOWLIST = '/gateway/allowlist/add';
const KEY = 'X-API-Key: {key}';

/**
 * Bodies that an administrator's client may send by mistake or by deception. The allowlist stays unchanged.
 */
const BAD_ENTRIES: readonly [name: string, body: string][] = [
  ['a list', '[]'],
  ['a string', '"127.0.0.1"'],
  ['null', 'null'],
  ['no address', '{"port":1}'],
  ['a host name', '{"ip":"evil.example"}'],
  ['an address in decimal', '{"ip":2130706433}'],
  ['an address in octal', '{"ip":"0177.0.0.1"}'],
  ['an address in hex', '{"ip":"0x7f.0.0.1"}'],
  ['an address that is shortened', '{"ip":"127.1"}'],
  ['IPv6', '{"ip":"::1"}'],
  ['any address', '{"ip":"0.0.0.0","port":1}'],
  ['broadcast', '{"ip":"255.255.255.255","port":1}'],
  ['a port of 0', '{"ip":"192.0.2.1","port":0}'],
  ['a port past 65535', '{"ip":"192.0.2.1","port":65536}'],
  ['a port that is no integer', '{"ip":"192.0.2.1","port":1.5}'],
  ['a port as text', '{"ip":"192.0.2.1","port":"1"}'],
  ['a role that nobody knows', '{"ip":"192.0.2.1","port":1,"role":"admin"}'],
  ['an address with a path', '{"ip":"192.0.2.1/x","port":1}'],
  ['an address with a line end', '{"ip":"192.0.2.1\\r\\nX: y","port":1}'],
  ['a prototype', '{"__proto__":{"ip":"192.0.2.1"},"port":1}'],
];

export const BODIES: readonly HostileCase[] = [
  ...BAD_ENTRIES.map(([name, body]) => ({
    name: `admits no node by ${name}`,
    bytes: post(body, [KEY], ALLOWLIST),
    replies: [400, 200],
  })),
  answers('admits no node by nothing', post('', [KEY], ALLOWLIST), 400, 200),
  answers('admits no node by what is not JSON', post('{', [KEY], ALLOWLIST)),
  answers(
    'admits no node by another type than JSON',
    request('POST', ALLOWLIST, [KEY, 'Content-Type: text/plain', 'Content-Length: 18'], '{"ip":"192.0.2.1"}'),
    415,
    200,
  ),
  answers(
    'admits no node by a form of another site',
    request(
      'POST',
      ALLOWLIST,
      [KEY, 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 12'],
      'ip=192.0.2.1',
    ),
    415,
    200,
  ),
  answers('reads no entry past 64 KB', post(`{"ip":"${'1'.repeat(65_530)}"}`, [KEY], ALLOWLIST), 413),
  answers('passes no broadcast of 65537 bytes on', post('x'.repeat(65_537)), 413),
  answers(
    'passes no broadcast on that says it is far too large',
    request('POST', '/api/v1/transactions', ['Content-Length: 99999999999'], 'x'),
    413,
  ),
  {
    name: 'passes a broadcast of 65536 bytes on',
    bytes: post('x'.repeat(65_536)),
    replies: [200, 200],
    ...broadcast('x'.repeat(65_536)),
  },
  answers(
    'passes no broadcast in pieces on that grows past 64 KB',
    request(
      'POST',
      '/api/v1/transactions',
      ['Transfer-Encoding: chunked'],
      `${`1000\r\n${'x'.repeat(4096)}\r\n`.repeat(17)}0\r\n\r\n`,
    ),
    413,
  ),
  {
    name: 'passes a broadcast in pieces on with its length',
    bytes: request(
      'POST',
      '/api/v1/transactions',
      ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
      '2\r\n{"\r\n5\r\na":1}\r\n0\r\n\r\n',
    ),
    replies: [200, 200],
    ...broadcast('{"a":1}'),
  },
  {
    name: 'passes an empty broadcast on as one',
    bytes: request('POST', '/api/v1/transactions', ['Content-Length: 0']),
    replies: [200, 200],
    ...broadcast('', []),
  },
  {
    name: 'passes a broadcast without any length on as an empty one',
    bytes: request('POST', '/api/v1/transactions'),
    replies: [200, 200],
    ...broadcast('', []),
  },
  {
    name: 'passes bytes of every kind on unchanged',
    bytes: post(Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).join('')),
    replies: [200, 200],
    ...broadcast(Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).join('')),
  },
  {
    name: 'passes a body that looks like a request on as a body',
    bytes: post('GET /admin HTTP/1.1\r\nHost: x\r\n\r\n'),
    replies: [200, 200],
    ...broadcast('GET /admin HTTP/1.1\r\nHost: x\r\n\r\n'),
  },
  {
    name: 'keeps keys and cookies of a broadcast back',
    bytes: post('{}', [KEY, 'Cookie: a=b', 'X-Forwarded-For: 1.2.3.4', 'If-None-Match: "x"']),
    replies: [200, 200],
    ...broadcast('{}'),
  },
  {
    name: 'passes a compressed body on as bytes, without saying that it is compressed',
    bytes: post('\x1f\x8b\x08\0', ['Content-Encoding: gzip']),
    replies: [200, 200],
    ...broadcast('\x1f\x8b\x08\0'),
  },
  answers('refuses a GET with a body', request('GET', '/api/v1/x', ['Content-Length: 2'], '{}')),
  answers(
    'refuses a GET with a body in pieces',
    request('GET', '/api/v1/x', ['Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'),
  ),
  answers('refuses a HEAD with a body', request('HEAD', '/api/v1/x', ['Content-Length: 2'], '{}')),
];
