import { pbkdf2Sync } from 'node:crypto';
import {
  derivePath,
  derivePrivateKey,
  publicKeyOf,
  seedFromMnemonic,
  TEST_MNEMONIC,
} from '@zbc-signer/chain';
import { accountCases, bytesOf, slipNodes } from '../../testkit/repository/vectors.js';

describe('seedFromMnemonic', () => {
  test.each(['', 'TREZOR', 'pässwörd'])(
    'gives the seed that Node computes with PBKDF2 for the passphrase "%s"',
    passphrase => {
      const salt = `mnemonic${passphrase}`.normalize('NFKD');
      const wanted = pbkdf2Sync(TEST_MNEMONIC, salt, 2048, 64, 'sha512');
      expect(seedFromMnemonic(TEST_MNEMONIC, passphrase)).toEqual(new Uint8Array(wanted));
    },
  );

  test('ignores white space around and between the words', () => {
    expect(seedFromMnemonic(`\n ${TEST_MNEMONIC.replaceAll(' ', '\t  ')} `)).toEqual(
      seedFromMnemonic(TEST_MNEMONIC),
    );
  });

  test.each([
    ['a word too few', TEST_MNEMONIC.replace('abandon ', '')],
    ['a wrong checksum', TEST_MNEMONIC.replace('about', 'abandon')],
    ['a word outside the list', TEST_MNEMONIC.replace('about', 'secretword')],
    ['an empty text', ''],
  ])('refuses %s without repeating any word in the error', (_what, mnemonic) => {
    expect(() => seedFromMnemonic(mnemonic)).toThrow(expect.objectContaining({ code: 'MNEMONIC' }));
    expect(() => seedFromMnemonic(mnemonic)).not.toThrow(/abandon|secretword/);
  });
});

describe('derivePath', () => {
  test.each(slipNodes)('gives the key of the node $path of SLIP-0010, $name', ({ seed, path, key }) => {
    expect(derivePath(bytesOf(seed), path)).toEqual(bytesOf(key));
  });
});

describe('derivePrivateKey', () => {
  test.each(accountCases)(
    'gives the published key of account $account',
    ({ passphrase, account, public_key }) => {
      const seed = seedFromMnemonic(TEST_MNEMONIC, passphrase);
      expect(publicKeyOf(derivePrivateKey(seed, account))).toEqual(bytesOf(public_key));
    },
  );

  test.each([-1, 0.5, 2 ** 31, Number.NaN])('refuses account %p', account => {
    expect(() => derivePrivateKey(new Uint8Array(64), account)).toThrow('expected 0 to 2147483647');
  });

  test('rejects a seed of another length', () => {
    expect(() => derivePrivateKey(new Uint8Array(32), 0)).toThrow('a seed is 64 bytes, not 32');
  });
});
