import { type ConnectError, formatSignedText, readAsked, readSignedText } from '@zbc-signer/connect';

const PARTS = {
  origin: 'https://shop.example',
  time: '2026-11-27T12:00:00.000Z',
  nonce: 'nonce-of-a-server',
  message: 'Sign in\n\nNonce: another-one\nas 7',
};
const TEXT = formatSignedText(PARTS);

const errorOf = (act: () => unknown): Partial<ConnectError> => {
  try {
    act();
  } catch (error) {
    return error as ConnectError;
  }
  return {};
};
const codeOf = (act: () => unknown) => errorOf(act).code;

test('reads back the text that it wrote, whatever lines the message has', () => {
  expect(readSignedText(TEXT, PARTS)).toEqual(PARTS);
});

test.each([
  ['of another origin', TEXT.replace('shop.example', 'shop.example.evil.example')],
  ['of another nonce', TEXT.replace('nonce-of-a-server', 'nonce-of-another')],
  ['of another version', TEXT.replace('message 1', 'message 2')],
  ['with something before it', `\n${TEXT}`],
  ['with a line between', TEXT.replace('\nTime', '\nOrigin: https://shop.example\nTime')],
  ['without a message', TEXT.replace(PARTS.message, '')],
  ['with a carriage return', TEXT.replace('\n\n', '\r\n\r\n')],
])('rejects a text %s', (_, text) => {
  expect(codeOf(() => readSignedText(text, PARTS))).toBe('INVALID_SIGNED_TEXT');
});

test.each([undefined, null, 7, [TEXT], { length: 9 }])(
  'rejects %p, which a client may send instead of a text',
  text => {
    expect(codeOf(() => readSignedText(text as string, PARTS))).toBe('INVALID_SIGNED_TEXT');
  },
);

test('names the origin that it expected when it rejects a text', () => {
  const { message } = errorOf(() => readSignedText(TEXT, { ...PARTS, origin: 'https://shop.example/' }));
  expect(message).toContain('https://shop.example/');
});

test('names the part that cannot be signed in the error', () => {
  const messageOf = (part: object) => errorOf(() => formatSignedText({ ...PARTS, ...part })).message;
  expect(messageOf({ nonce: '1234567' })).toContain('nonce');
  expect(messageOf({ message: 'Hello\u0007' })).toContain('message');
});

test.each([
  ['a line in the origin', { origin: 'https://a.example\nTime: x' }],
  ['a line in the nonce', { nonce: 'nonce\n\nPay 5' }],
  ['a short nonce', { nonce: '1234567' }],
  ['no message', { message: '' }],
  ['a letter that no device shows', { message: 'café' }],
  ['more than a device signs', { message: 'a'.repeat(2048) }],
])('refuses to write a text with %s', (_, part) => {
  expect(codeOf(() => formatSignedText({ ...PARTS, ...part }))).toBe('INVALID_SIGNED_TEXT');
});

test.each([
  undefined,
  null,
  'sign',
  {},
  { method: 'toString' },
  { method: 'sign', message: 'Hello' },
  { method: 'sign', message: 'Hello', nonce: ['nonce'] },
  { method: 'send', to: '', amount: 1n, message: '' },
  { method: 'send', to: '', amount: '1', message: 'a'.repeat(2049) },
])('rejects the request %p', data => {
  expect(codeOf(() => readAsked(data))).toBe('INVALID_REQUEST');
});

test('keeps only the fields of a request that it knows', () => {
  const asked = { method: 'sign', message: 'Hello', nonce: 'nonce-of-a-server' };
  expect(readAsked({ ...asked, origin: 'https://bank.example' })).toEqual(asked);
  expect(readAsked({ ...asked, method: 'account' })).toEqual({ method: 'account' });
});
