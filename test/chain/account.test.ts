import {
  ACCOUNT_KINDS,
  accountFromHex,
  accountFromPublicKey,
  encodeAccount,
  formatAccount,
  NO_ACCOUNT,
  parseAccount,
  sameAccount,
} from '@zbc-signer/chain';
import { accountCases, bytesOf, transactionCases } from '../../testkit/repository/vectors.js';

const { public_key: KEY_HEX, address: ADDRESS } = accountCases[0] ?? { public_key: '', address: '' };
const ZBC_HEX = `00000000${KEY_HEX}`;
const ETHEREUM_HEX = `04000000${'d8'.repeat(20)}`;
// Payload lengths in the order of docs/TRANSACTION.md#accounts.
const PAYLOADS = [32, 20, 0, 32, 20, 20, 20, 20, 32, 32, 32, 32, 32, 28, 20, 20, 20];

describe('encodeAccount', () => {
  test('writes a ZBC account as four zero bytes and the key', () => {
    expect(encodeAccount(accountFromPublicKey(bytesOf(KEY_HEX)))).toEqual(bytesOf(ZBC_HEX));
  });

  test('writes the marker of no account as the four bytes 02 00 00 00', () => {
    expect(encodeAccount(NO_ACCOUNT)).toEqual(Uint8Array.of(2, 0, 0, 0));
  });

  test.each(PAYLOADS.map((length, kind) => ({ kind, length })))(
    'accepts account kind $kind with a payload of $length bytes and rejects any other length',
    ({ kind, length }) => {
      const payload = new Uint8Array(length).fill(7);
      expect(encodeAccount({ kind, payload })).toEqual(Uint8Array.of(kind, 0, 0, 0, ...payload));
      expect(() => encodeAccount({ kind, payload: new Uint8Array(length + 1) })).toThrow(
        `must have ${length} bytes, but has ${length + 1}`,
      );
    },
  );

  test('rejects kinds beyond those in the table', () => {
    expect(ACCOUNT_KINDS).toHaveLength(PAYLOADS.length);
    expect(() => encodeAccount({ kind: 17, payload: new Uint8Array(32) })).toThrow('unknown account kind 17');
  });
});

describe('accountFromHex', () => {
  test('reads either letter case, with or without 0x', () => {
    expect(accountFromHex(ZBC_HEX)).toEqual({ kind: 0, payload: bytesOf(KEY_HEX) });
    expect(accountFromHex(`0x${ZBC_HEX.toUpperCase()}`)).toEqual({ kind: 0, payload: bytesOf(KEY_HEX) });
    expect(accountFromHex('02000000')).toEqual(NO_ACCOUNT);
  });

  test.each([
    ['three bytes', '020000', 'an account is at least 4 bytes, not 3'],
    ['a key that is one byte too short', ZBC_HEX.slice(0, -2), 'must have 32 bytes, but has 31'],
    ['an odd number of digits', `${ZBC_HEX}0`, 'not hex'],
    ['a letter that is not hexadecimal', ZBC_HEX.replace('5e', 'zz'), 'not hex'],
  ])('refuses %s', (_what, hex, message) => {
    expect(() => accountFromHex(hex)).toThrow(message);
  });
});

describe('parseAccount', () => {
  test('accepts an address, or the 36 bytes in hex', () => {
    const wanted = accountFromPublicKey(bytesOf(KEY_HEX));
    expect(parseAccount(` ${ADDRESS.toLowerCase()}\n`)).toEqual(wanted);
    expect(parseAccount(ZBC_HEX)).toEqual(wanted);
  });

  test('accepts an account of another kind in hex', () => {
    expect(parseAccount(ETHEREUM_HEX)).toEqual({ kind: 4, payload: new Uint8Array(20).fill(0xd8) });
  });

  test('refuses the marker of no account, and reports any other invalid text as an invalid address', () => {
    expect(() => parseAccount('02000000')).toThrow('stands for no account');
    expect(() => parseAccount('somebody')).toThrow('an account address starts with ZBC');
  });

  test('describes the form of a ZBC address when it is given an address of another chain', () => {
    const ethereum = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
    expect(() => parseAccount(ethereum)).toThrow(
      'unknown account kind 4067154648; an address is ZBC_ and seven groups of eight letters and digits',
    );
  });
});

describe('formatAccount', () => {
  test('gives the text that the Recipient screen shows', () => {
    const shown = transactionCases.flatMap(({ tx, expect: { review } }) => {
      const value = review.find(([title]) => title === 'Recipient')?.[1];
      const start = 4 + 1 + 8 + 36;
      const kind = bytesOf(tx)[start] ?? 0;
      const end = start + 4 + (PAYLOADS[kind] ?? 0);
      return value === undefined
        ? []
        : [[formatAccount(accountFromHex(tx.slice(2 * start, 2 * end))), value]];
    });
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.some(([, value]) => value?.startsWith('Ethereum '))).toBe(true);
    expect(shown.some(([, value]) => value?.startsWith('Cardano '))).toBe(true);
    for (const [formatted, value] of shown) expect(formatted).toBe(value);
  });

  test('formats the marker of no account as "none"', () => {
    expect(formatAccount(NO_ACCOUNT)).toBe('none');
  });
});

test.each([256, 257, 2 ** 16, 2 ** 31])('the kind %i is unknown, although its lowest byte is not', kind => {
  const payload = new Uint8Array(kind === 257 ? 20 : 32);
  const wire = Buffer.concat([Buffer.from(Uint32Array.of(kind).buffer), payload]).toString('hex');
  const unknown = expect.objectContaining({ code: 'ACCOUNT_KIND' });
  expect(() => accountFromHex(wire)).toThrow(unknown);
  expect(() => encodeAccount({ kind, payload })).toThrow(unknown);
});

describe('sameAccount', () => {
  test('compares the kind and every byte', () => {
    const one = accountFromHex(ZBC_HEX);
    expect(sameAccount(one, accountFromHex(ZBC_HEX))).toBe(true);
    expect(sameAccount(one, { ...one, kind: 3 })).toBe(false);
    expect(sameAccount(one, accountFromHex(`${ZBC_HEX.slice(0, -2)}53`))).toBe(false);
  });
});
