import { requestHead } from '#gateway/http/h2/request-head.js';
import { type Field, GET, withFields } from './raw-session.js';

const headOf = (fields: readonly Field[], hasBody = false) => requestHead(fields.flat(), hasBody);
const lines = (fields: readonly Field[], hasBody = false) => headOf(fields, hasBody)?.text.split('\r\n');

it('a GET', () => {
  expect(headOf(GET)).toEqual({
    text: 'GET /api/v1/x HTTP/1.1\r\nhost: gateway.test\r\nconnection: close\r\n',
    isHead: false,
    isOpen: false,
    waits: false,
  });
});

it('a HEAD', () => {
  expect(headOf(withFields({ ':method': 'HEAD' }))).toMatchObject({ isHead: true });
});

it('fields keep their order, and the same one twice stays two lines', () => {
  const fields: Field[] = [...GET, ['b', '1'], ['a', ''], ['b', '2\t\xe9']];
  expect(lines(fields)!.slice(2, 5)).toEqual(['b: 1', 'a: ', 'b: 2\t\xe9']);
});

it('cookies are joined (RFC 9113 §8.2.3)', () => {
  const fields: Field[] = [...GET, ['cookie', 'a=1'], ['x', 'y'], ['cookie', 'b=2']];
  expect(lines(fields)!.filter(line => line.startsWith('cookie'))).toEqual(['cookie: a=1; b=2']);
});

it.each<[string, Record<string, string | undefined>, string | undefined]>([
  ['the authority', {}, 'gateway.test'],
  ['a Host in its place', { ':authority': undefined, host: 'other.test' }, 'other.test'],
  ['both, if they are one', { host: 'GATEWAY.test' }, 'gateway.test'],
  ['none, which the request checks refuse', { ':authority': undefined }, undefined],
])('the host is %s', (_what, changes, host) => {
  const written = lines(withFields(changes))!.filter(line => line.startsWith('host'));
  expect(written).toEqual(host === undefined ? [] : [`host: ${host}`]);
});

it('a body has the length that it says, or is open', () => {
  expect(headOf(withFields({ 'content-length': '5' }), true)).toMatchObject({ isOpen: false });
  expect(lines(withFields({ 'content-length': '5' }), true)).toContain('content-length: 5');
  expect(headOf(GET, true)).toMatchObject({ isOpen: true });
  expect(lines(withFields({ 'content-length': '0' }))).toContain('content-length: 0');
});

it('a client that asks first waits', () => {
  expect(headOf(withFields({ expect: '100-continue' }), true)).toMatchObject({ waits: true });
  expect(headOf(withFields({ 'x-expect': '1' }), true)).toMatchObject({ waits: false });
});

it('`te: trailers` stays with the connection', () => {
  expect(lines(withFields({ te: 'trailers' }))!.some(line => line.startsWith('te'))).toBe(false);
});

const CONTROLS = [...Array(32).keys(), 127].filter(code => code !== 9).map(code => String.fromCharCode(code));

describe('undefined for', () => {
  it.each(CONTROLS)('the character %j in a name, value, method, path or authority', control => {
    const text = `a${control}b`;
    for (const name of ['x', ':method', ':path', ':authority', ':scheme', 'host', 'cookie', 'te']) {
      expect(headOf(withFields({ [name]: text }))).toBeUndefined();
    }
    expect(headOf(withFields({ [text]: 'x' }))).toBeUndefined();
  });

  it.each<[string, Record<string, string | undefined>]>([
    ['a space in the method', { ':method': 'GET /evil' }],
    ['a space in the path', { ':path': '/ HTTP/1.1' }],
    ['a tab in the path', { ':path': '/\tx' }],
    ['an empty path', { ':path': '' }],
    ['an empty method', { ':method': '' }],
    ['no path', { ':path': undefined }],
    ['no method', { ':method': undefined }],
    ['no scheme', { ':scheme': undefined }],
    ['a character of two bytes', { x: '\u{10a}' }],
    ['CONNECT', { ':method': 'CONNECT' }],
    ['an extended CONNECT', { ':method': 'CONNECT', ':protocol': 'websocket' }],
    ['an unknown pseudo-header field', { ':other': 'x' }],
    ['a status', { ':status': '200' }],
    ['a Host of another name', { host: 'other.test' }],
    ['a name in upper case', { 'X-Upper': 'x' }],
    ['an empty name', { '': 'x' }],
    ['a name with a colon', { 'x:y': 'x' }],
    ['a name with a space', { 'x y': 'x' }],
    ['Connection', { connection: 'close' }],
    ['Keep-Alive', { 'keep-alive': 'x' }],
    ['Proxy-Connection', { 'proxy-connection': 'x' }],
    ['Transfer-Encoding', { 'transfer-encoding': 'chunked' }],
    ['Upgrade', { upgrade: 'websocket' }],
    ['a TE of anything but trailers', { te: 'gzip' }],
    ['a length without a body', { 'content-length': '5' }],
  ])('%s', (_what, changes) => {
    expect(headOf(withFields(changes))).toBeUndefined();
  });

  it.each<[string, Field[]]>([
    ['a pseudo-header field twice', [...GET, [':path', '/other']]],
    ['a pseudo-header field behind others', [['x', 'y'], ...GET]],
    ['two Hosts', [...GET, ['host', 'gateway.test'], ['host', 'gateway.test']]],
    ['two lengths', [...GET, ['content-length', '5'], ['content-length', '5']]],
  ])('%s', (_what, fields) => {
    expect(headOf(fields, true)).toBeUndefined();
  });
});
