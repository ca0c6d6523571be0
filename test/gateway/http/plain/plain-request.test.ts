import { readPlainGet } from '#gateway/http/plain/plain-request.js';
import { pick, seededNumbers } from '../../../../testkit/numbers.js';

const read = (text: string) => readPlainGet(Buffer.from(text, 'latin1'), undefined);
const get = (lines: readonly string[], target = '/api/v1/any?list=1', version = 'HTTP/1.1') =>
  [`GET ${target} ${version}`, ...lines, '', ''].join('\r\n');
const HOST = 'Host: gateway.test';

it('a plain GET is read', () => {
  const lines = [
    'host:gateway.test:80',
    'Accept: text/html, */*;q=0.8',
    'X-1: a "b" \\c',
    'connection: Keep-Alive',
  ];
  expect(read(get(lines))).toEqual({
    target: '/api/v1/any?list=1',
    head: {
      text: `${lines.join('\r\n')}\r\n\r\n`,
      host: 'gateway.test:80',
      isLast: false,
      headers: {
        host: 'gateway.test:80',
        accept: 'text/html, */*;q=0.8',
        'x-1': 'a "b" \\c',
        connection: 'Keep-Alive',
      },
    },
  });
  expect(read(get([HOST, 'Connection: close']))?.head.isLast).toBe(true);
});

it('the lines of a head that is known are not read again, and no others are taken for them', () => {
  const known = read(get([HOST]))!.head;
  const again = readPlainGet(Buffer.from(get([HOST], '/other')), known)!;
  expect([again.target, again.head === known]).toEqual(['/other', true]);
  const other = readPlainGet(Buffer.from(get(['Host: gateway.tesT'])), known)!;
  expect(other.head.host).toBe('gateway.tesT');
});

it.each<[string, string]>([
  ['nothing', ''],
  ['another method', get([HOST]).replace('GET', 'HEAD')],
  ['a method in small letters', get([HOST]).replace('GET', 'get')],
  ['a line before it', `\r\n${get([HOST])}`],
  ['a target that is no path', get([HOST], 'http://gateway.test/api/v1/any')],
  ['an empty target', get([HOST], '')],
  ['two spaces', get([HOST], ' /api/v1/any')],
  ['a space in the target', get([HOST], '/api/v1/a b')],
  ['a tab in the target', get([HOST], '/api/v1/a\tb')],
  ['a bare LF in the target', get([HOST], '/api/v1/a\nb')],
  ['a byte above 126 in the target', get([HOST], '/api/v1/\xe9')],
  ['HTTP/1.0', get([HOST], undefined, 'HTTP/1.0')],
  ['HTTP/2.0', get([HOST], undefined, 'HTTP/2.0')],
  ['http/1.1', get([HOST], undefined, 'http/1.1')],
  ['no version', 'GET /api/v1/any\r\nHost: gateway.test\r\n\r\n'],
  ['another version, and this one later', get([`A: ${HOST} HTTP/1.1`, HOST], '/ HTTP/1.0\r\nA:')],
  ['no host', get(['Accept: */*'])],
  ['no lines at all', 'GET /api/v1/any HTTP/1.1\r\n\r\n'],
  ['two hosts', get([HOST, HOST])],
  ['two hosts in other letters', get([HOST, 'hOST: gateway.test'])],
  ['an empty host', get(['Host: '])],
  ['a header twice', get([HOST, 'Accept: a', 'accept: b'])],
  ['a name that every object has', get([HOST, 'constructor: a'])],
  ['a name with an underscore', get([HOST, '__proto__: a'])],
  ['a space before the colon', get([HOST, 'A : b'])],
  ['a tab after the colon', get([HOST, 'A:\tb'])],
  ['two spaces after the colon', get([HOST, 'A:  b'])],
  ['a space at the end', get([HOST, 'A: b '])],
  ['a folded line', get([HOST, 'A: b', ' c'])],
  ['a folded host', get(['Host: gateway.test', ' , example.org'])],
  ['an empty name', get([HOST, ': b'])],
  ['no colon', get([HOST, 'A'])],
  ['a bare LF', get([HOST, 'A: b\nC: d'])],
  ['a bare CR', get([HOST, 'A: b\rC: d'])],
  ['NUL', get([HOST, 'A: b\0'])],
  ['a byte above 126', get([HOST, 'A: \xe9'])],
  ['DEL', get([HOST, 'A: \x7f'])],
  ['LF alone as the end of lines', get([HOST]).replaceAll('\r\n', '\n')],
  ['LF alone as the last end', get([HOST]).slice(0, -2).concat('\n')],
  ['no empty line', get([HOST]).slice(0, -2)],
  ['half an empty line', get([HOST]).slice(0, -1)],
  ['a byte after it', `${get([HOST])}x`],
  ['an empty line after it', `${get([HOST])}\r\n`],
  ['another request after it', get([HOST]).repeat(2)],
  ['a length', get([HOST, 'Content-Length: 0'])],
  ['chunks', get([HOST, 'Transfer-Encoding: chunked'])],
  ['an upgrade', get([HOST, 'Upgrade: h2c'])],
  ['an expectation', get([HOST, 'Expect: 100-continue'])],
  ['other words of the connection', get([HOST, 'Connection: keep-alive, upgrade'])],
  ['a hop-by-hop name', get([HOST, 'Connection: accept'])],
  ['the connection of a proxy', get([HOST, 'Proxy-Connection: close'])],
  ['65 lines', get([HOST, ...Array.from({ length: 64 }, (_, index) => `A${index}: b`)])],
  ['more than 8 KiB', get([HOST, `A: ${'b'.repeat(8192)}`])],
])('%s is left to Node', (_what, text) => {
  expect(read(get([HOST]))).toBeDefined();
  expect(read(text)).toBeUndefined();
});

it('64 lines and nearly 8 KiB are read', () => {
  const many = Array.from({ length: 63 }, (_, index) => `A${index}: ${'b'.repeat(110)}`);
  expect(Object.keys(read(get([HOST, ...many]))!.head.headers)).toHaveLength(64);
});

it('no byte that is put into a head makes another request of it', () => {
  const numbers = seededNumbers(14);
  const whole = get([HOST, 'Accept: */*', 'User-Agent: a b']);
  let count = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const at = numbers(whole.length + 1);
    const put = pick(numbers, ['\r', '\n', '\r\n', '\0', ' ', '\t', ':', 'x', '\x80', '\r\n\r\n', '\r\n ']);
    const text = whole.slice(0, at) + put + whole.slice(at + numbers(3));
    const request = read(text);
    if (request === undefined) continue;
    count += 1;
    const written = Object.entries(request.head.headers).map(([name, value]) => `${name}: ${value}`);
    // Nothing is lost, joined or taken for something else.
    const small = (lines: string) => lines.toLowerCase().replaceAll(/: ?/g, ': ');
    expect(small(get(written, request.target))).toBe(small(text));
  }
  expect(count).toBeGreaterThan(100);
});
