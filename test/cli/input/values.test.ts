import { parseAccountIndex, parseHash, parseOrigin, parseTime, parseTokenId } from '#cli/input/values.js';

describe('a time', () => {
  // 2026-11-21 00:00:00 UTC, by `date -u -d @1795219200`.
  const nowMs = 1_795_219_200_000;
  test.each<[string, bigint]>([
    ['2h', 1_795_226_400n],
    ['3d', 1_795_478_400n],
    ['2027-01-15T08:00:00Z', 1_800_000_000n],
    ['2027-01-15T09:00:00+01:00', 1_800_000_000n],
    ['2027-01-15 08:00:00.9z', 1_800_000_000n],
    ['18446744073709551615', 18_446_744_073_709_551_615n],
  ])('%s is %s', (text, seconds) => {
    expect(parseTime('--escrow-timeout', text, nowMs)).toBe(seconds);
  });

  test.each([
    '',
    '2 h',
    '-1',
    '1.5h',
    '2027-01-15',
    '2027-01-15T08:00:00',
    '2027-13-01T00:00:00Z',
    '18446744073709551616',
  ])('cannot be %j', text => {
    expect(() => parseTime('--escrow-timeout', text, nowMs)).toThrow('--escrow-timeout');
  });
});

test.each<[string, bigint]>([
  ['1', 1n],
  ['-42', -42n],
  ['-9223372036854775808', -(2n ** 63n)],
])('the token id %s keeps all its digits', (text, id) => {
  expect(parseTokenId(text)).toBe(id);
});

test.each(['0', '9223372036854775808', '1e3', '0x1', ''])('a token id cannot be %j', text => {
  expect(() => parseTokenId(text)).toThrow('--token');
});

test.each(['-1', '1.0', '2147483648', '', '1e3'])('an account index cannot be %j', text => {
  expect(() => parseAccountIndex(text)).toThrow('--account');
});

test('a hash may be in upper case and start with 0x', () => {
  expect(parseHash('the hash', `0x${'AB'.repeat(32)}`)).toEqual(new Uint8Array(32).fill(0xab));
});

test.each([
  'https://gateway.example',
  'http://localhost:5173',
  'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn',
  'moz-extension://2c127fa4-62c7-7e4f-90e5-472b45eecfdc',
  'app://wallet',
  'capacitor://localhost',
  'tauri://localhost',
])('an option accepts the origin %s, also with a slash at the end', origin => {
  expect([parseOrigin('--o', origin), parseOrigin('--o', `${origin}/`)]).toEqual([origin, origin]);
});

test.each([
  'gateway.example',
  'https://gateway.example/wallet',
  'https://user@gateway.example',
  'null',
  '*',
  'file:///',
  'chrome-extension://',
  'chrome-extension://abc/popup.html',
  'file://host',
])('an origin cannot be %s', text => {
  expect(() => parseOrigin('--allow-origin', text)).toThrow('--allow-origin');
});
