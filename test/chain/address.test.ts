import { createHash } from 'node:crypto';
import { decodeAddress, encodeAddress, type ZbcSignerError } from '@zbc-signer/chain';
import fc from 'fast-check';
import { accountCases, bytesOf } from '../../testkit/repository/vectors.js';

// docs/TRANSACTION.md#key-derivation: account 0 of the test mnemonic.
const ADDRESS = 'ZBC_L2HLFDOM_VKKKTEXX_C2P2M6LG_EB6ZNKSV_356SJUWW_5QPVHDE7_EFJA3PEX';
const PUBLIC_KEY = bytesOf(accountCases[0]?.public_key ?? '');
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const keys = fc.uint8Array({ minLength: 32, maxLength: 32 });

/**
 * Builds an address according to docs/TRANSACTION.md#addresses, with Node's SHA3-256 and base32 bit by bit.
 */
function addressByHand(publicKey: Uint8Array, prefix = 'ZBC'): string {
  const checksum = createHash('sha3-256').update(publicKey).update(prefix).digest().subarray(0, 3);
  const bits = [...publicKey, ...checksum].map(byte => byte.toString(2).padStart(8, '0')).join('');
  const letters = (bits.match(/.{5}/g) ?? []).map(five => ALPHABET[Number.parseInt(five, 2)]).join('');
  return `${prefix}_${letters.match(/.{8}/g)?.join('_')}`;
}

function refusalOf(text: string): Pick<ZbcSignerError, 'code' | 'message'> {
  try {
    decodeAddress(text);
  } catch (error) {
    return error as ZbcSignerError;
  }
  throw new Error('decoded');
}

describe('encodeAddress', () => {
  test.each(accountCases)('gives the published address of account $account', ({ public_key, address }) => {
    expect(encodeAddress(bytesOf(public_key))).toBe(address);
  });

  test('agrees with an encoding computed with Node for any key', () => {
    fc.assert(fc.property(keys, key => expect(encodeAddress(key)).toBe(addressByHand(key))));
  });

  test('accepts only keys of 32 bytes', () => {
    expect(() => encodeAddress(new Uint8Array(33))).toThrow('a public key is 32 bytes, not 33');
  });
});

describe('decodeAddress', () => {
  test.each([
    ['the canonical form', ADDRESS],
    ['lower case', ADDRESS.toLowerCase()],
    ['mixed case', ADDRESS.replace('LHLF', 'lHlF')],
    ['dashes', ADDRESS.replaceAll('_', '-')],
    ['spaces', ADDRESS.replaceAll('_', ' ')],
    ['no separators', ADDRESS.replaceAll('_', '')],
    [
      'separators in other places',
      ` ${ADDRESS.replaceAll('_', '')
        .match(/.{1,5}/g)
        ?.join('- _')} `,
    ],
  ])('accepts %s', (_form, text) => {
    expect(decodeAddress(text)).toEqual(PUBLIC_KEY);
  });

  test('decodes the address of any key', () => {
    fc.assert(fc.property(keys, key => expect(decodeAddress(addressByHand(key))).toEqual(key)));
  });

  test('refuses an address with any one character changed', () => {
    const place = fc.integer({ min: 4, max: ADDRESS.length - 1 }).filter(at => ADDRESS[at] !== '_');
    const letter = fc.constantFrom(...ALPHABET);
    fc.assert(
      fc.property(place, letter, (at, other) => {
        fc.pre(other !== ADDRESS[at]);
        expect(refusalOf(ADDRESS.slice(0, at) + other + ADDRESS.slice(at + 1)).code).toBe('ADDRESS_CHECKSUM');
      }),
    );
  });

  test.each([
    ['ZNK', "a node's address"],
    ['ZBS', "a dataset's address"],
    ['ZBG', "a gateway's address"],
    ['ZBR', "a relay's address"],
  ])('names what a %s address belongs to when it refuses it', (prefix, name) => {
    const refusal = refusalOf(addressByHand(PUBLIC_KEY, prefix).toLowerCase());
    expect(refusal.code).toBe('ADDRESS_PREFIX');
    expect(refusal.message).toBe(`the address starts with ${prefix}: ${name}, not an account's`);
  });

  test.each([
    ['an empty text', '', 'ADDRESS_PREFIX'],
    ['another prefix', ADDRESS.replace('ZBC', 'ABC'), 'ADDRESS_PREFIX'],
    ['no prefix', ADDRESS.slice(4), 'ADDRESS_PREFIX'],
    ['an address that is one character too short', ADDRESS.slice(0, -1), 'ADDRESS_LENGTH'],
    ['an address that is one character too long', `${ADDRESS}A`, 'ADDRESS_LENGTH'],
    ['a long text', 'Z'.repeat(201), 'ADDRESS_LENGTH'],
    ['a digit outside the alphabet', ADDRESS.replace('L2', 'L1'), 'ADDRESS_ALPHABET'],
    ['a line feed between groups', ADDRESS.replace('_V', '\nV'), 'ADDRESS_ALPHABET'],
    ['a wrong checksum', ADDRESS.replace(/X$/, 'Y'), 'ADDRESS_CHECKSUM'],
    [
      'the checksum of another prefix',
      addressByHand(PUBLIC_KEY, 'ZNK').replace('ZNK', 'ZBC'),
      'ADDRESS_CHECKSUM',
    ],
  ])('refuses %s', (_what, text, code) => {
    expect(refusalOf(text)).toMatchObject({ code });
  });

  test.each(['\u017f', '\u0131', '\u212a'])(
    'refuses %s, which upper-cases or folds to a letter of the alphabet',
    letter => {
      expect(refusalOf(ADDRESS.replace('LFDO', `${letter}FDO`)).code).toBe('ADDRESS_ALPHABET');
    },
  );

  test('never repeats the text that it refuses', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), text => {
        const { message } = refusalOf(`ZBC_\u202e${text}`);
        expect(message).not.toContain('\u202e');
      }),
    );
  });
});
