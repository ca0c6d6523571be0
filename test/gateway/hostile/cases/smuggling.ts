import { answers, HOST, type HostileCase, request } from '../hostile-case.js';

const HIDDEN = 'GET /api/v1/smuggled HTTP/1.1\r\nHost: gateway.test\r\n\r\n';
const TYPE = 'Content-Type: application/json';
const LENGTH = `Content-Length: ${HIDDEN.length}`;
const CHUNKED = 'Transfer-Encoding: chunked';
const PATH = '/api/v1/transactions';

const pair = (
  name: string,
  lines: readonly string[],
  body: string,
  replies: readonly number[],
): HostileCase => ({
  name,
  bytes: request('POST', PATH, [TYPE, ...lines], body),
  replies,
});

const refused = (name: string, lines: readonly string[], body: string) =>
  pair(`refuses ${name}`, lines, body, [400]);

const taken = (name: string, lines: readonly string[], body: string, passed: string): HostileCase => ({
  ...pair(name, lines, body, [200, 200]),
  full: [{ method: 'POST', path: PATH, headers: ['content-type: application/json'], body: passed }],
});

const END = '0\r\n\r\n';

/** Pairs of requests that two parsers would split differently; the second request must never be forwarded. */
export const SMUGGLING: readonly HostileCase[] = [
  refused('a length and chunks (CL.TE)', ['Content-Length: 5', CHUNKED], `${END}${HIDDEN}`),
  refused(
    'chunks and a length (TE.CL)',
    [CHUNKED, 'Content-Length: 4'],
    `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n${END}`,
  ),
  refused('chunks and a length of 0', [CHUNKED, 'Content-Length: 0'], `${END}${HIDDEN}`),
  refused('two lengths that differ', ['Content-Length: 0', LENGTH], HIDDEN),
  refused('two lengths that are the same', [LENGTH, LENGTH], HIDDEN),
  refused('a list of lengths', [`Content-Length: 0, ${HIDDEN.length}`], HIDDEN),
  refused('a list of lengths that are the same', ['Content-Length: 0, 0'], HIDDEN),
  refused('a length with a sign', [`Content-Length: +${HIDDEN.length}`], HIDDEN),
  refused('a negative length', ['Content-Length: -1'], HIDDEN),
  refused('a length in hex', ['Content-Length: 0x10'], HIDDEN),
  refused('a length with a decimal point', ['Content-Length: 1.0'], HIDDEN),
  refused('a length with an exponent', ['Content-Length: 1e1'], HIDDEN),
  refused('a length with a space inside', ['Content-Length: 1 0'], HIDDEN),
  refused('an empty length', ['Content-Length:'], HIDDEN),
  refused('a length that is not a number', ['Content-Length: x'], HIDDEN),
  refused('a length that exceeds 64 bits', ['Content-Length: 18446744073709551617'], HIDDEN),
  refused('a space before the colon of a length', [`Content-Length : ${HIDDEN.length}`], HIDDEN),
  refused('a tab before the colon of Transfer-Encoding', ['Transfer-Encoding\t: chunked'], `${END}${HIDDEN}`),
  refused(
    'a space before the colon of Transfer-Encoding',
    ['Transfer-Encoding : chunked', 'Content-Length: 5'],
    `${END}${HIDDEN}`,
  ),
  refused('a folded length', ['Content-Length:', ` ${HIDDEN.length}`], HIDDEN),
  refused('a folded Transfer-Encoding', ['Transfer-Encoding:', ' chunked'], `${END}${HIDDEN}`),
  refused(
    'chunked when it is not the last coding',
    ['Transfer-Encoding: chunked, identity'],
    `${END}${HIDDEN}`,
  ),
  refused('chunked twice in a header', ['Transfer-Encoding: chunked, chunked'], `${END}${HIDDEN}`),
  refused('chunked in two headers', [CHUNKED, CHUNKED], `${END}${HIDDEN}`),
  refused('a coding before chunked', ['Transfer-Encoding: gzip, chunked'], `${END}${HIDDEN}`),
  refused('another coding', ['Transfer-Encoding: identity'], HIDDEN),
  refused('an unknown coding', ['Transfer-Encoding: xchunked'], `${END}${HIDDEN}`),
  refused('a coding in quotes', ['Transfer-Encoding: "chunked"'], `${END}${HIDDEN}`),
  refused('a coding with a parameter', ['Transfer-Encoding: chunked;q=1'], `${END}${HIDDEN}`),
  refused('a coding with a control character', ['Transfer-Encoding: \x0bchunked'], `${END}${HIDDEN}`),
  refused('an empty coding', ['Transfer-Encoding:'], `${END}${HIDDEN}`),
  refused(
    'a coding after another header in one line',
    ['X: y\nTransfer-Encoding: chunked'],
    `${END}${HIDDEN}`,
  ),
  refused('a carriage return before a coding', ['X: y\rTransfer-Encoding: chunked'], `${END}${HIDDEN}`),
  refused('a chunk whose length is not hex', [CHUNKED], `zz\r\n${HIDDEN}`),
  refused('a chunk with a negative length', [CHUNKED], `-1\r\n${HIDDEN}`),
  refused('a chunk whose length begins with 0x', [CHUNKED], `0x2\r\n{}\r\n${END}${HIDDEN}`),
  refused('a chunk with a space before its length', [CHUNKED], ` 2\r\n{}\r\n${END}${HIDDEN}`),
  refused('a chunk whose length exceeds 64 bits', [CHUNKED], `10000000000000002\r\n{}\r\n${END}${HIDDEN}`),
  refused('a chunk that is longer than its length', [CHUNKED], `2\r\n{}x\r\n${END}${HIDDEN}`),
  refused('a chunk that ends without a carriage return', [CHUNKED], `2\r\n{}\n${END}${HIDDEN}`),
  refused('a chunk length that ends without a carriage return', [CHUNKED], `2\n{}\r\n${END}${HIDDEN}`),
  refused('a chunk extension with a line feed', [CHUNKED], `2;a\nb\r\n{}\r\n${END}${HIDDEN}`),
  refused(
    'a length in trailers',
    [CHUNKED],
    `2\r\n{}\r\n0\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
  ),
  refused(
    'a coding in trailers',
    [CHUNKED],
    `2\r\n{}\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n${END}${HIDDEN}`,
  ),
  answers(
    'refuses headers that end in bare line feeds',
    `POST ${PATH} HTTP/1.1\nHost: gateway.test\nContent-Length: ${HIDDEN.length}\n\n${HIDDEN}`,
  ),
  answers(
    'refuses one header that ends in a bare line feed',
    `POST ${PATH} HTTP/1.1\r\n${HOST}X: y\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
  ),
  answers(
    'refuses a head that ends in a bare line feed',
    `POST ${PATH} HTTP/1.1\r\n${HOST}Content-Length: ${HIDDEN.length}\r\n\n${HIDDEN}`,
  ),
  answers(
    'refuses chunks alongside a length in HTTP/1.0',
    `POST ${PATH} HTTP/1.0\r\n${HOST}Content-Length: 5\r\n${CHUNKED}\r\n\r\n${END}${HIDDEN}`,
  ),
  answers(
    'refuses chunks in HTTP/1.0 that keep the connection open',
    `POST ${PATH} HTTP/1.0\r\n${HOST}Connection: keep-alive\r\n${CHUNKED}\r\n\r\n2\r\n{}\r\n${END}${HIDDEN}`,
  ),
  answers('refuses a GET that hides a request in its body', request('GET', '/api/v1/x', [LENGTH], HIDDEN)),
  answers(
    'refuses a request that an upgrade hides',
    request(
      'GET',
      '/api/v1/x',
      ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
      HIDDEN,
    ),
  ),
  answers(
    'refuses a request that follows CONNECT',
    `CONNECT gateway.test:80 HTTP/1.1\r\n${HOST}\r\n${HIDDEN}`,
  ),
  answers(
    'ends the connection without reading the body of a request with a refused Host',
    `POST ${PATH} HTTP/1.1\r\nHost: evil.example\r\n${LENGTH}\r\n\r\n${HIDDEN}`,
    403,
  ),
  answers(
    'ends the connection after a body that is too large',
    request('POST', PATH, [TYPE, 'Content-Length: 70000'], HIDDEN),
    413,
  ),
  taken('drops the extensions of chunks', [CHUNKED], `2;a=b;c="d"\r\n{}\r\n0;e\r\n\r\n`, '{}'),
  taken(
    'drops trailers',
    [CHUNKED, 'Trailer: X-A'],
    '2\r\n{}\r\n0\r\nX-A: b\r\nHost: evil.example\r\n\r\n',
    '{}',
  ),
  taken('reads a chunk whose length has leading zeros', [CHUNKED], `000002\r\n{}\r\n000\r\n\r\n`, '{}'),
  taken('treats a whole request in a body as a body', [LENGTH], HIDDEN, HIDDEN),
  taken(
    'treats a whole request in a chunk as a body',
    [CHUNKED],
    `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n${END}`,
    HIDDEN,
  ),
  {
    name: 'answers pipelined requests one after another',
    bytes: `${request('GET', '/api/v1/a')}${request('GET', '/api/v1/b')}`,
    replies: [200, 200, 200],
    archival: [
      { method: 'GET', path: '/api/v1/a' },
      { method: 'GET', path: '/api/v1/b' },
    ],
  },
];
