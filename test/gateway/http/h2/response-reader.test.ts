import { ResponseReader } from '#gateway/http/h2/response-reader.js';

/** Heads with the body behind them as text. */
function read(text: string, isHead: boolean, cut: number): unknown[] {
  const reader = new ResponseReader(isHead);
  const bytes = Buffer.from(text, 'latin1');
  const parts = [bytes.subarray(0, cut), bytes.subarray(cut)].flatMap(piece => reader.read(piece));
  const heads = parts.filter(part => !Buffer.isBuffer(part));
  const body = Buffer.concat(parts.filter(part => Buffer.isBuffer(part)));
  return [...heads, body.toString('latin1'), reader.isWhole];
}

const head = (status: number, headers: object, isEmpty = false) => ({ status, headers, isEmpty });

it.each<[string, string, unknown[], boolean?]>([
  [
    'a length',
    'HTTP/1.1 200 OK\r\nX-A: 1\r\ncontent-length: 5\r\n\r\nhello',
    [head(200, { 'x-a': ['1'], 'content-length': ['5'] }), 'hello', true],
  ],
  [
    'chunks',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\nC\r\nlo\r\n\r\n0\r\n\r\nx\r\n0\r\n\r\n',
    [head(200, {}), 'hello\r\n\r\n0\r\n\r\nx', true],
  ],
  [
    'trailers, which are dropped',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\nx: y\r\n\r\n',
    [head(200, {}), 'a', true],
  ],
  [
    'fields of the connection, which are dropped',
    'HTTP/1.1 200 OK\r\nConnection: close\r\nKeep-Alive: timeout=5\r\nUpgrade: x\r\nContent-Length: 0\r\n\r\n',
    [head(200, { 'content-length': ['0'] }, true), '', true],
  ],
  [
    'one field twice',
    'HTTP/1.1 200 OK\r\nset-cookie: a\r\nSet-Cookie: b\r\ncontent-length: 1\r\n\r\nx',
    [head(200, { 'set-cookie': ['a', 'b'], 'content-length': ['1'] }), 'x', true],
  ],
  [
    'heads before the head',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
    [head(100, {}), head(103, { link: ['</x>'] }), head(204, {}, true), '', true],
  ],
  [
    'a 304 with a length',
    'HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n',
    [head(304, { 'content-length': ['5'] }, true), '', true],
  ],
  [
    'an answer to HEAD',
    'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n',
    [head(200, { 'content-length': ['5'] }, true), '', true],
    true,
  ],
  [
    'an answer to HEAD with chunks',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
    [head(200, {}, true), '', true],
    true,
  ],
  [
    'half a body',
    'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhel',
    [head(200, { 'content-length': ['5'] }), 'hel', false],
  ],
  [
    'chunks without an end',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nhel\r\n0\r\n',
    [head(200, {}), 'hel', false],
  ],
])('%s, however it is cut', (_what, text, expected, isHead = false) => {
  for (let cut = 0; cut <= text.length; cut += 1) expect(read(text, isHead, cut)).toEqual(expected);
});

it.each([
  ['a response without a status', 'hello\r\n\r\n'],
  ['a response without a length', 'HTTP/1.1 200 OK\r\n\r\nhello'],
  ['a chunk without a size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx\r\n'],
])('throws for %s', (what, text) => {
  expect(() => read(text, false, 0)).toThrow(what);
});
