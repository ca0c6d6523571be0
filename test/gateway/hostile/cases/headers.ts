import { type HostileCase, passes, request } from '../hostile-case.js';

const get = (...lines: string[]) => request('GET', '/api/v1/hidden', lines);

/** Client headers that no node receives. */
const KEPT_BACK: readonly [name: string, ...lines: string[]][] = [
  ['the admin key', 'Authorization: Bearer {key}', 'X-API-Key: {key}'],
  ['a password', 'Authorization: Basic dXNlcjpwYXNz'],
  ['cookies', 'Cookie: session=1', 'Cookie2: $Version=1'],
  [
    'who the client says it is',
    'X-Forwarded-For: 127.0.0.1',
    'X-Real-IP: 127.0.0.1',
    'Forwarded: for=127.0.0.1',
  ],
  [
    'what the client says of the connection',
    'X-Forwarded-Proto: https',
    'X-Forwarded-Port: 443',
    'Front-End-Https: on',
  ],
  ['other paths', 'X-Original-URL: /admin', 'X-Rewrite-URL: /admin', 'X-Accel-Redirect: /etc/passwd'],
  ['other methods', 'X-HTTP-Method-Override: POST', 'X-HTTP-Method: DELETE', 'X-Method-Override: PUT'],
  [
    'headers for the next hop',
    'Proxy-Connection: keep-alive',
    'Proxy-Authorization: Basic eA==',
    'Keep-Alive: timeout=9',
  ],
  ['what may follow a body', 'TE: trailers', 'Trailer: X'],
  ['where the client comes from', 'Origin: https://evil.example', 'Referer: https://evil.example/'],
  ['what the client is', 'User-Agent: () { :;}; echo', 'From: root@localhost'],
  ['addresses in headers of lookups', 'X-Jndi: \x24{jndi:ldap://127.0.0.1:{stranger}/a}'],
  ['a range', 'Range: bytes=0-0', 'If-Range: x'],
  ['dates', 'If-Modified-Since: x', 'If-Unmodified-Since: x', 'If-Match: *'],
  ['cache keys', 'Cache-Control: no-cache', 'Pragma: no-cache', 'X-Cache-Key: x'],
  ['a Via that is not the gateway', 'Via: 1.1 other'],
  ['a settings upgrade that is not asked for', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
  ['a header without a value', 'X-Empty:'],
  ['two hundred small ones', ...Array.from({ length: 200 }, (_, at) => `X-${at}: ${at}`)],
  ['bytes past ASCII', 'X-Bytes: \xff\xfe\x80'],
  ['a name whose dashes are underscores', 'Content_Length: 5', 'Transfer_Encoding: chunked'],
];

/** Headers that the parser rejects, or that two parsers could read differently. */
const REFUSED: readonly [name: string, status: number, ...lines: string[]][] = [
  ['a NUL in a value', 400, 'X-A: a\0b'],
  ['a control character in a value', 400, 'X-A: a\x01b'],
  ['a delete character in a value', 400, 'X-A: a\x7fb'],
  ['a carriage return in a value', 400, 'X-A: a\rX-B: b'],
  ['a header without a colon', 400, 'X-A'],
  ['a header without a name', 400, ': value'],
  ['a space before the colon', 400, 'X-A : a'],
  ['a tab before the colon', 400, 'X-A\t: a'],
  ['a space in a name', 400, 'X A: a'],
  ['a NUL in a name', 400, 'X\0A: a'],
  ['bytes past ASCII in a name', 400, 'X-\xe4: a'],
  ['a folded header', 400, 'X-A: a\r\n b'],
  ['a header that begins with a space', 400, ' X-A: a'],
  ['more than 16 KB in one header', 431, `X-A: ${'a'.repeat(17_000)}`],
  [
    'more than 16 KB in many headers',
    431,
    ...Array.from({ length: 300 }, (_, at) => `X-${at}: ${'a'.repeat(60)}`),
  ],
  ['a WebSocket', 400, 'Connection: Upgrade', 'Upgrade: websocket'],
  ['HTTP/2', 400, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
  ['an upgrade that Connection does not name', 400, 'Upgrade: h2c'],
  ['a loop through the gateway itself', 508, 'Via: 1.1 zbc-gateway'],
  ['an expectation that nobody meets', 417, 'Expect: 200-ok'],
];

export const HEADERS: readonly HostileCase[] = [
  ...KEPT_BACK.map(([name, ...lines]) => passes(`keeps ${name} back`, get(...lines))),
  ...REFUSED.map(([name, status, ...lines]) => ({
    name: `refuses ${name}`,
    bytes: get(...lines),
    replies: [status],
  })),
  passes('passes what is about the answer on', get('If-None-Match: "x"', 'Accept: application/json'), [
    'accept: application/json',
    'if-none-match: "x"',
  ]),
  passes('keeps back what Connection names', get('Accept: a/b', 'Connection: Accept, keep-alive')),
  passes(
    'keeps back what Connection names in capitals',
    get('If-None-Match: "x"', 'Connection: IF-NONE-MATCH'),
  ),
  passes('keeps a stranger in Connection from dropping the Host', get('Connection: Host, Via')),
];
