import { answers, HOST, type HostileCase, request } from '../hostile-case.js';

/**
 * Targets under /api/v1/ that a node could read as another path. No real client sends them. Each is refused
 * with 400.
 */
const MISREAD: readonly [name: string, target: string][] = [
  ['a dot-dot segment', '/api/v1/../gateway/status'],
  ['a dot-dot segment at the end', '/api/v1/..'],
  ['two dot-dot segments', '/api/v1/../../etc/passwd'],
  ['a dot-dot segment in the middle', '/api/v1/blocks/../node/info'],
  ['a dot-dot segment after a route of the gateway', '/gateway/../api/v1/hidden'],
  ['a dot segment', '/api/v1/./hidden'],
  ['a dot segment at the end', '/api/v1/.'],
  ['an escaped dot-dot segment', '/api/v1/%2e%2e/hidden'],
  ['an escaped dot-dot segment in capitals', '/api/v1/%2E%2E/hidden'],
  ['a dot-dot segment whose second dot is escaped', '/api/v1/.%2e/hidden'],
  ['a dot-dot segment whose first dot is escaped', '/api/v1/%2e./hidden'],
  ['a dot-dot segment that is escaped twice', '/api/v1/%252e%252e%2f/hidden'],
  ['an escaped slash', '/api/v1/accounts%2fhidden'],
  ['an escaped slash in capitals', '/api/v1/accounts%2Fhidden'],
  ['a dot-dot segment with an escaped slash', '/api/v1/..%2fgateway'],
  ['a backslash', '/api/v1\\hidden'],
  ['a dot-dot segment with a backslash', '/api/v1/..\\hidden'],
  ['an escaped backslash', '/api/v1/..%5chidden'],
  ['an escaped backslash in capitals', '/api/v1/%5Chidden'],
  ['two slashes', '/api/v1//hidden'],
  ['two slashes in front', '//api/v1/hidden'],
  ['another host after two slashes', '//evil.example/api/v1/hidden'],
  ['three slashes', '/api///v1/hidden'],
  ['an escaped NUL', '/api/v1/hidden%00'],
  ['an escaped NUL before a suffix', '/api/v1/hidden%00.json'],
  ['an escaped line end', '/api/v1/hidden%0d%0aHost:%20evil.example'],
  ['an escaped line feed', '/api/v1/hidden%0aX:%20y'],
  ['an escaped line end in the query', '/api/v1/hidden?x=%0d%0aX:%20y'],
  ['an escaped NUL in the query', '/api/v1/hidden?x=%00'],
  ['a truncated escape', '/api/v1/hidden%2'],
  ['a percent sign at the end', '/api/v1/hidden%'],
  ['an escape that is not hex', '/api/v1/hidden%zz'],
  ['an escape of another kind', '/api/v1/hidden%u002e'],
  ['a bad escape in the query', '/api/v1/hidden?x=%g0'],
  ['an escaped letter', '/api/v1/%68idden'],
  ['an escaped prefix', '/%61pi/v1/hidden'],
  ['an escaped digit', '/api/v%31/hidden'],
  ['a quote', '/api/v1/"hidden"'],
  ['angle brackets', '/api/v1/<script>'],
  ['a curly bracket', '/api/v1/{hidden}'],
  ['a vertical bar', '/api/v1/a|b'],
  ['a caret', '/api/v1/a^b'],
  ['a backtick', '/api/v1/`id`'],
  ['square brackets', '/api/v1/[hidden]'],
  ['angle brackets in the query', '/api/v1/hidden?x=<script>'],
  ['a fragment', '/api/v1/hidden#/../x'],
  ['bytes past ASCII', '/api/v1/\xc3\xa4'],
  ['a dot-dot segment in overlong UTF-8', '/api/v1/\xc0\xae\xc0\xae/hidden'],
  ['a slash in overlong UTF-8', '/api/v1/..\xc0\xafhidden'],
  ['an asterisk', '*'],
  ['no leading slash', 'api/v1/hidden'],
  ['a question mark first', '?/api/v1/hidden'],
  ['an absolute URL of this gateway', 'http://gateway.test/api/v1/hidden'],
  ['an absolute URL of a node that is not admitted', 'http://127.0.0.1:{stranger}/api/v1/hidden'],
  ['an absolute URL of a metadata service of clouds', 'http://169.254.169.254/latest/meta-data/'],
  ['an absolute URL with a user name', 'http://gateway.test@127.0.0.1:{stranger}/api/v1/hidden'],
  ['another scheme', 'ftp://gateway.test/api/v1/hidden'],
  ['a file URL', 'file:///etc/passwd'],
  ['a name and a port', 'gateway.test:443'],
];

/**
 * Targets under /dl/ and /releases/ that lead out of the directories. The answer is 404, or 400 if the path
 * itself is refused.
 */
const WAYS_OUT: readonly [name: string, target: string, status: number][] = [
  ['a dot-dot segment after the downloads', '/dl/../canary.txt', 400],
  ['an escaped dot-dot segment after the downloads', '/dl/%2e%2e%2fcanary.txt', 400],
  ['a dot-dot segment with a backslash', '/dl/..\\canary.txt', 400],
  ['an escaped backslash after the downloads', '/dl/..%5ccanary.txt', 400],
  ['two segments', '/dl/inside/file.txt', 404],
  ['a dot file', '/dl/.hidden', 404],
  ['an absolute path', '/dl//etc/passwd', 400],
  ['an escaped absolute path', '/dl/%2fetc%2fpasswd', 400],
  ['an escaped NUL after a name', '/dl/file.txt%00', 400],
  ['a link to a file outside', '/dl/link-out', 404],
  ['a link to a file inside', '/dl/link-in', 404],
  ['a link to a directory outside', '/dl/directory-out', 404],
  ['a file below a link to a directory', '/dl/directory-out/canary.txt', 404],
  ['a directory', '/dl/inside', 404],
  ['a named pipe', '/dl/pipe', 404],
  ['no name', '/dl/', 404],
  ['the directory of the downloads itself', '/dl', 404],
  ['a name of dots', '/dl/...', 404],
  ['a tilde', '/dl/~root', 404],
  ['a colon', '/dl/file.txt:stream', 404],
  ['a space', '/dl/file%20name', 404],
  ['a name longer than a file can have', `/dl/${'a'.repeat(300)}`, 404],
  ['a name that fills the path', `/dl/${'a'.repeat(2044)}`, 404],
  ['a name past every limit', `/dl/${'a'.repeat(2045)}`, 414],
  ['a dot-dot segment as the version of a release', '/releases/../canary.txt/', 400],
  ['a dot-dot segment as the kind of machine', '/releases/1.0.0/../', 400],
  ['an escaped dot-dot segment as the version of a release', '/releases/%2e%2e/linux-amd64/', 400],
  ['a version of dots', '/releases/.../linux-amd64/', 404],
  ['a version that is a link to the outside', '/releases/2.0.0/linux-amd64/', 404],
  ['a kind of machine that is a link to the outside', '/releases/1.0.0/linked/', 404],
  ['a bundle that is a link to the outside', '/releases/1.0.0/linked-file/', 404],
  ['the list of versions', '/releases/', 404],
];

const refused = ([name, target]: readonly [string, string]): HostileCase => ({
  name: `refuses ${name}`,
  bytes: request('GET', target),
  replies: [400],
});

const escaping = ([name, target, status]: readonly [string, string, number]): HostileCase => ({
  name: `serves no file for ${name}`,
  bytes: request('GET', target),
  // Only requests that cannot be parsed end the connection.
  replies: status === 404 ? [404, 200] : [status],
});

const passes = (name: string, target: string): HostileCase => ({
  name: `forwards byte for byte ${name}`,
  bytes: request('GET', target),
  replies: [200, 200],
  archival: [{ method: 'GET', path: target }],
});

const STATUS = '/gateway/status';

const OTHERS: readonly HostileCase[] = [
  answers('refuses CONNECT', `CONNECT 127.0.0.1:{stranger} HTTP/1.1\r\n${HOST}\r\n`),
  answers('refuses TRACE', request('TRACE', '/api/v1/hidden'), 405),
  answers('refuses PUT', request('PUT', '/api/v1/transactions', ['Content-Length: 2'], '{}'), 405),
  answers('refuses DELETE', request('DELETE', '/api/v1/blocks/1'), 405),
  answers('refuses OPTIONS', request('OPTIONS', '/api/v1/hidden'), 405),
  answers('refuses OPTIONS *', request('OPTIONS', '*')),
  answers('refuses a method in lower case', request('get', '/api/v1/hidden')),
  answers('refuses an unknown method', request('FROB', '/api/v1/hidden')),
  answers('refuses HTTP/2 without TLS', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  answers('refuses HTTP/0.9', 'GET /api/v1/hidden\r\n'),
  answers('refuses a request that names HTTP/0.9', `GET ${STATUS} HTTP/0.9\r\n${HOST}\r\n`, 505),
  answers('refuses a request line without a version', `GET ${STATUS}\r\n${HOST}\r\n`, 505),
  answers('refuses HTTP/1.2', `GET ${STATUS} HTTP/1.2\r\n${HOST}\r\n`),
  answers('refuses HTTP/2.0', `GET ${STATUS} HTTP/2.0\r\n${HOST}\r\n`, 505),
  answers('refuses HTTP/3.7', `GET /api/v1/hidden HTTP/3.7\r\n${HOST}\r\n`),
  answers('refuses a space in the target', `GET /api/v1/hid den HTTP/1.1\r\n${HOST}\r\n`),
  answers('refuses a tab in the target', `GET /api/v1/hid\tden HTTP/1.1\r\n${HOST}\r\n`),
  answers('refuses a NUL in the target', `GET /api/v1/hid\0den HTTP/1.1\r\n${HOST}\r\n`),
  answers('refuses an escape character in the target', `GET /api/v1/\x1b[31m HTTP/1.1\r\n${HOST}\r\n`),
  answers('refuses a path of 3000 characters', request('GET', `/api/v1/${'a'.repeat(3000)}`), 414),
  answers('refuses a query of 3000 characters', request('GET', `/api/v1/x?${'a'.repeat(3000)}`), 414),
  answers('refuses a path of 20000 characters', request('GET', `/api/v1/${'a'.repeat(20_000)}`), 431),
  answers('has no page of a faucet', request('GET', '/faucet'), 404, 200),
  answers(
    'does not pay as a faucet',
    request('POST', '/faucet', ['Content-Type: application/json', 'Content-Length: 14'], '{"address":""}'),
    404,
    200,
  ),
  answers('has no route in capitals', request('GET', '/API/V1/hidden'), 404, 200),
  answers('has no route of another API version', request('GET', '/api/v2/hidden'), 404, 200),
  answers('has no route at the prefix itself', request('GET', '/api/v1'), 404, 200),
  passes('a query with slashes, dots and a question mark', '/api/v1/hidden?x=../../etc&y=?'),
  passes('an escaped address of another host', '/api/v1/accounts/http:%3A?u=http://evil.example/'),
  passes('a semicolon, which some servers cut at', '/api/v1/hidden;jsessionid=1'),
  passes('three dots', '/api/v1/.../hidden'),
  passes('an at sign', '/api/v1/accounts/user@evil.example:80'),
];

export const TARGETS: readonly HostileCase[] = [
  ...MISREAD.map(refused),
  ...WAYS_OUT.map(escaping),
  ...OTHERS,
];
