import { type ConnectError, formatSignedText, readAsked, readSignedText } from '@zbc-signer/connect';

const PARTS = {
  origin: 'https://shop.example',
  time: '2026-11-27T12:00:00.000Z',
  nonce: 'nonce-of-a-server',
  message: 'Sign in\n\nNonce: another-one\nas 7',
};
const TEXT = formatSignedText(PARTS);

const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return (error as ConnectError).code;
  }
  return 'none';
};

it('reads back what it wrote, whatever lines the message has', () => {
  expect(readSignedText(TEXT, PARTS)).toEqual(PARTS);
});

it.each([
  ['of another origin', TEXT.replace('shop.example', 'shop.example.evil.example')],
  ['of another nonce', TEXT.replace('nonce-of-a-server', 'nonce-of-another')],
  ['of another version', TEXT.replace('message 1', 'message 2')],
  ['with something before it', `\n${TEXT}`],
  ['with a line between', TEXT.replace('\nTime', '\nOrigin: https://shop.example\nTime')],
  ['without a message', TEXT.replace(PARTS.message, '')],
  ['with a carriage return', TEXT.replace('\n\n', '\r\n\r\n')],
])('does not take a text %s', (_, text) => {
  expect(codeOf(() => readSignedText(text, PARTS))).toBe('INVALID_SIGNED_TEXT');
});

it.each([
  ['a line in the origin', { origin: 'https://a.example\nTime: x' }],
  ['a line in the nonce', { nonce: 'nonce\n\nPay 5' }],
  ['a short nonce', { nonce: '1234567' }],
  ['no message', { message: '' }],
  ['a letter that no device shows', { message: 'café' }],
  ['more than a device signs', { message: 'a'.repeat(2048) }],
])('writes no text with %s', (_, part) => {
  expect(codeOf(() => formatSignedText({ ...PARTS, ...part }))).toBe('INVALID_SIGNED_TEXT');
});

it.each([
  undefined,
  null,
  'sign',
  {},
  { method: 'toString' },
  { method: 'sign', message: 'Hello' },
  { method: 'sign', message: 'Hello', nonce: ['nonce'] },
  { method: 'send', to: '', amount: 1n, message: '' },
  { method: 'send', to: '', amount: '1', message: 'a'.repeat(2049) },
])('takes no request like %p', data => {
  expect(codeOf(() => readAsked(data))).toBe('INVALID_REQUEST');
});

it('takes of a request what it knows, and no more', () => {
  const asked = { method: 'sign', message: 'Hello', nonce: 'nonce-of-a-server' };
  expect(readAsked({ ...asked, origin: 'https://bank.example' })).toEqual(asked);
  expect(readAsked({ ...asked, method: 'account' })).toEqual({ method: 'account' });
});
