import { VIA } from '#gateway/proxy/request-headers.js';
import { type HostileCase, passes, request } from '../hostile-case.js';

const get = (...lines: string[]) => request('GET', '/api/v1/hidden', lines);

/** Headers of clients that no node may receive. */
const KEPT_BACK: readonly [name: string, ...lines: string[]][] = [
  ['the admin key', 'Authorization: Bearer {key}', 'X-API-Key: {key}'],
  ['a password', 'Authorization: Basic dXNlcjpwYXNz'],
  ['cookies', 'Cookie: session=1', 'Cookie2: $Version=1'],
  [
    'the addresses that the client claims',
    'X-Forwarded-For: 127.0.0.1',
    'X-Real-IP: 127.0.0.1',
    'Forwarded: for=127.0.0.1',
  ],
  [
    'what the client claims about its connection',
    'X-Forwarded-Proto: https',
    'X-Forwarded-Port: 443',
    'Front-End-Https: on',
  ],
  [
    'headers that name another path',
    'X-Original-URL: /admin',
    'X-Rewrite-URL: /admin',
    'X-Accel-Redirect: /etc/passwd',
  ],
  [
    'headers that name another method',
    'X-HTTP-Method-Override: POST',
    'X-HTTP-Method: DELETE',
    'X-Method-Override: PUT',
  ],
  [
    'headers for the next hop',
    'Proxy-Connection: keep-alive',
    'Proxy-Authorization: Basic eA==',
    'Keep-Alive: timeout=9',
  ],
  ['the announcement of trailers', 'TE: trailers', 'Trailer: X'],
  [
    'the origin and the referrer of the client',
    'Origin: https://evil.example',
    'Referer: https://evil.example/',
  ],
  ['the user agent of the client', 'User-Agent: () { :;}; echo', 'From: root@localhost'],
  ['a header with a JNDI lookup', 'X-Jndi: \x24{jndi:ldap://127.0.0.1:{stranger}/a}'],
  ['a range', 'Range: bytes=0-0', 'If-Range: x'],
  ['conditions on dates and versions', 'If-Modified-Since: x', 'If-Unmodified-Since: x', 'If-Match: *'],
  ['cache keys', 'Cache-Control: no-cache', 'Pragma: no-cache', 'X-Cache-Key: x'],
  ['the Via of another proxy', 'Via: 1.1 other'],
  ['HTTP2-Settings without an upgrade', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
  ['a header without a value', 'X-Empty:'],
  ['the type of a body that the request does not have', 'Content-Type: text/plain'],
  ['two hundred small headers', ...Array.from({ length: 200 }, (_, at) => `X-${at}: ${at}`)],
  ['bytes past ASCII', 'X-Bytes: \xff\xfe\x80'],
  ['header names with underscores in place of dashes', 'Content_Length: 5', 'Transfer_Encoding: chunked'],
];

const OTHER_VIA = `1.1 zbc-gateway-${'0'.repeat(16)}`;

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
  ['an upgrade to WebSocket', 400, 'Connection: Upgrade', 'Upgrade: websocket'],
  [
    'an upgrade to HTTP/2',
    400,
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQAAP__',
  ],
  ['an upgrade that Connection does not name', 400, 'Upgrade: h2c'],
  ['a loop through the gateway itself', 508, `Via: ${VIA}`],
  ['a loop behind another proxy', 508, `Via: 1.1 proxy.test, ${VIA}`],
  ['a loop over an older version of HTTP, in capitals', 508, `Via: 1.0 ${VIA.slice(4).toUpperCase()} (x)`],
  ['an unknown expectation', 417, 'Expect: 200-ok'],
];

export const HEADERS: readonly HostileCase[] = [
  ...KEPT_BACK.map(([name, ...lines]) => passes(`does not forward ${name}`, get(...lines))),
  ...REFUSED.map(([name, status, ...lines]) => ({
    name: `refuses ${name}`,
    bytes: get(...lines),
    replies: [status],
  })),
  passes(
    'forwards the headers that concern the answer',
    get('If-None-Match: "x"', 'Accept: application/json', 'Accept-Encoding: gzip'),
    ['accept: application/json', 'accept-encoding: gzip', 'if-none-match: "x"'],
  ),
  passes(
    'does not forward a header that Connection names',
    get('Accept: a/b', 'Connection: Accept, keep-alive'),
  ),
  passes(
    'does not forward a header that Connection names in capitals',
    get('If-None-Match: "x"', 'Connection: IF-NONE-MATCH'),
  ),
  passes(
    'forwards a request that another gateway or a proxy of a similar name passed on',
    get(`Via: 1.1 zbc-gateway, 1.1 x${VIA.slice(4)}, ${OTHER_VIA}, 1.1 \xe4`),
    [`via: ${OTHER_VIA}, ${VIA}`],
  ),
  passes('still sends its Host and Via if Connection names them', get('Connection: Host, Via')),
];
