import { answers, type HostileCase, post, request } from '../hostile-case.js';

const broadcast = (body: string, headers: readonly string[] = ['content-type: application/json']) => ({
  full: [{ method: 'POST' as const, path: '/api/v1/transactions', headers, body }],
});
const ALLOWLIST = '/gateway/allowlist/add';
const KEY = 'X-API-Key: {key}';

/**
 * Bodies that an administrator's client may send by mistake or because it was deceived. None of them may
 * change the allowlist.
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
  ['a shortened address', '{"ip":"127.1"}'],
  ['IPv6', '{"ip":"::1"}'],
  ['the unspecified address', '{"ip":"0.0.0.0","port":1}'],
  ['the broadcast address', '{"ip":"255.255.255.255","port":1}'],
  ['a port of 0', '{"ip":"192.0.2.1","port":0}'],
  ['a port above 65535', '{"ip":"192.0.2.1","port":65536}'],
  ['a port that is not an integer', '{"ip":"192.0.2.1","port":1.5}'],
  ['a port as a string', '{"ip":"192.0.2.1","port":"1"}'],
  ['an unknown role', '{"ip":"192.0.2.1","port":1,"role":"admin"}'],
  ['an address with a path', '{"ip":"192.0.2.1/x","port":1}'],
  ['an address with a line end', '{"ip":"192.0.2.1\\r\\nX: y","port":1}'],
  ['a prototype', '{"__proto__":{"ip":"192.0.2.1"},"port":1}'],
];

export const BODIES: readonly HostileCase[] = [
  ...BAD_ENTRIES.map(([name, body]) => ({
    name: `admits no node for ${name}`,
    bytes: post(body, [KEY], ALLOWLIST),
    replies: [400, 200],
  })),
  answers('admits no node for an empty body', post('', [KEY], ALLOWLIST), 400, 200),
  answers('admits no node for a body that is not JSON', post('{', [KEY], ALLOWLIST)),
  answers(
    'admits no node for a content type other than JSON',
    request('POST', ALLOWLIST, [KEY, 'Content-Type: text/plain', 'Content-Length: 18'], '{"ip":"192.0.2.1"}'),
    415,
    200,
  ),
  answers(
    'admits no node for a form of another site',
    request(
      'POST',
      ALLOWLIST,
      [KEY, 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 12'],
      'ip=192.0.2.1',
    ),
    415,
    200,
  ),
  answers(
    'rejects an entry of more than 64 KB',
    post(`{"ip":"${'1'.repeat(65_530)}"}`, [KEY], ALLOWLIST),
    413,
  ),
  answers('does not forward a broadcast of 65537 bytes', post('x'.repeat(65_537)), 413),
  answers(
    'does not forward a broadcast whose declared length is far too large',
    request('POST', '/api/v1/transactions', ['Content-Length: 99999999999'], 'x'),
    413,
  ),
  {
    name: 'forwards a broadcast of 65536 bytes',
    bytes: post('x'.repeat(65_536)),
    replies: [200, 200],
    ...broadcast('x'.repeat(65_536)),
  },
  answers(
    'does not forward a chunked broadcast that grows past 64 KB',
    request(
      'POST',
      '/api/v1/transactions',
      ['Transfer-Encoding: chunked'],
      `${`1000\r\n${'x'.repeat(4096)}\r\n`.repeat(17)}0\r\n\r\n`,
    ),
    413,
  ),
  {
    name: 'forwards a chunked broadcast with its length',
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
    name: 'forwards a GET whose length is 0',
    bytes: request('GET', '/api/v1/x', ['Content-Length: 0']),
    replies: [200, 200],
    archival: [{ method: 'GET', path: '/api/v1/x' }],
  },
  {
    name: 'forwards an empty broadcast',
    bytes: request('POST', '/api/v1/transactions', ['Content-Length: 0']),
    replies: [200, 200],
    ...broadcast('', []),
  },
  {
    name: 'forwards a broadcast without a length as an empty broadcast',
    bytes: request('POST', '/api/v1/transactions'),
    replies: [200, 200],
    ...broadcast('', []),
  },
  {
    name: 'forwards bytes of every value unchanged',
    bytes: post(Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).join('')),
    replies: [200, 200],
    ...broadcast(Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).join('')),
  },
  {
    name: 'forwards a body that looks like a request as a body',
    bytes: post('GET /admin HTTP/1.1\r\nHost: x\r\n\r\n'),
    replies: [200, 200],
    ...broadcast('GET /admin HTTP/1.1\r\nHost: x\r\n\r\n'),
  },
  {
    name: 'does not forward the keys and cookies of a broadcast',
    bytes: post('{}', [KEY, 'Cookie: a=b', 'X-Forwarded-For: 1.2.3.4', 'If-None-Match: "x"']),
    replies: [200, 200],
    ...broadcast('{}'),
  },
  answers('refuses a compressed broadcast', post('\x1f\x8b\x08\0', ['Content-Encoding: gzip']), 415),
  answers('refuses a compressed entry', post('{}', [KEY, 'Content-Encoding: deflate'], ALLOWLIST), 415),
  {
    name: 'forwards a body whose coding is identity',
    bytes: post('{}', ['Content-Encoding: identity']),
    replies: [200, 200],
    ...broadcast('{}'),
  },
  answers('refuses a GET with a body', request('GET', '/api/v1/x', ['Content-Length: 2'], '{}')),
  answers(
    'refuses a GET with a chunked body',
    request('GET', '/api/v1/x', ['Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'),
  ),
  answers('refuses a HEAD with a body', request('HEAD', '/api/v1/x', ['Content-Length: 2'], '{}')),
];
