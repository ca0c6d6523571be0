import type { IncomingMessage } from 'node:http';
import { parseTarget, routableTarget } from '#gateway/proxy/request-target.js';

test.each([
  ['/', '/', ''],
  ['/api/v1/node/info', '/api/v1/node/info', ''],
  ['/api/v1/transactions?limit=5', '/api/v1/transactions', 'limit=5'],
  ['/a?', '/a', ''],
  ['/a?b?c/d', '/a', 'b?c/d'],
  ['/a/?x=%2e%2E%2f%5c', '/a/', 'x=%2e%2E%2f%5c'],
  ['/ZBC_AB%20CD%C3%A9', '/ZBC_AB%20CD%C3%A9', ''],
  ["/-._~!$&'()*+,;=:@", "/-._~!$&'()*+,;=:@", ''],
  ['/.hidden/a..b/...', '/.hidden/a..b/...', ''],
  [`/${'a'.repeat(2047)}`, `/${'a'.repeat(2047)}`, ''],
])('parses the target %s', (target, path, query) => {
  expect(parseTarget(target)).toEqual({ path, query });
});

// Further targets are in test/gateway/hostile/cases/targets.ts.
test.each([
  '',
  '/a//',
  '/a/..?b',
  '/a?b#c',
  '/a?b=[c]',
  '/a?b|c',
  '/a\u007fb',
  '/a\uff0e',
  '/a?\u00e9',
  '/%ff',
  '/%c3',
  '/%ed%a0%80',
  '/%%20',
  '/a?b=%',
  '/a%7f',
])('refuses the target %j', target => {
  expect(() => parseTarget(target)).toThrow(expect.objectContaining({ statusCode: 400 }));
});

test('refuses a target of more than 2,048 characters', () => {
  expect(() => parseTarget(`/${'a'.repeat(2048)}`)).toThrow(expect.objectContaining({ statusCode: 414 }));
});

test('rejects exactly the escapes of unreserved characters', () => {
  for (let code = 0x21; code < 0x7f; code++) {
    const escaped = `%${code.toString(16)}`;
    const needsNone = /[A-Za-z0-9._~/\\-]/.test(String.fromCharCode(code));
    const refuses = () => parseTarget(`/a${escaped}`);
    if (needsNone) {
      expect(refuses).toThrow();
    } else {
      expect(refuses).not.toThrow();
    }
  }
});

test.each(['/%', '/a%zz?b', '/%ff', '*%'])('replaces %s, which the router cannot decode', url => {
  expect(routableTarget({ url } as IncomingMessage)).toBe('/');
  expect(() => parseTarget(url)).toThrow();
});

test.each(['/', '/a%20b?c=%zz', '/%C3%A9'])('leaves %s to the router', url => {
  expect(routableTarget({ url } as IncomingMessage)).toBe(url);
});
