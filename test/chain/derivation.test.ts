import { pbkdf2Sync } from 'node:crypto';
import {
  derivePath,
  derivePrivateKey,
  publicKeyOf,
  seedFromMnemonic,
  TEST_MNEMONIC,
} from '@zbc-signer/chain';
import { accountCases, bytesOf } from '../../testkit/repository/vectors.js';

// SLIP-0010, "Test vector 1 for ed25519" and "Test vector 2 for ed25519": seed, path, private key.
const SEED_1 = '000102030405060708090a0b0c0d0e0f';
const SEED_2 =
  'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542';
const SLIP_0010: [seed: string, path: number[], privateKey: string][] = [
  [SEED_1, [], '2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7'],
  [SEED_1, [0], '68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3'],
  [SEED_1, [0, 1], 'b1d0bad404bf35da785a64ca1ac54b2617211d2777696fbffaf208f746ae84f2'],
  [SEED_1, [0, 1, 2], '92a5b23c0b8a99e37d07df3fb9966917f5d06e02ddbd909c7e184371463e9fc9'],
  [SEED_1, [0, 1, 2, 2], '30d1dc7e5fc04c31219ab25a27ae00b50f6fd66622f6e9c913253d6511d1e662'],
  [SEED_1, [0, 1, 2, 2, 1000000000], '8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793'],
  [SEED_2, [], '171cb88b1b3c1db25add599712e36245d75bc65a1a5c9e18d76f9f2b1eab4012'],
  [SEED_2, [0], '1559eb2bbec5790b0c65d8693e4d0875b1747f4970ae8b650486ed7470845635'],
  [SEED_2, [0, 2147483647], 'ea4f5bfe8694d8bb74b7b59404632fd5968b774ed545e810de9c32a4fb4192f4'],
  [SEED_2, [0, 2147483647, 1], '3757c7577170179c7868353ada796c839135b3d30554bbb74a4b1e4a5a58505c'],
  [
    SEED_2,
    [0, 2147483647, 1, 2147483646],
    '5837736c89570de861ebc173b1086da4f505d4adb387c6a1b1342d5e4ac9ec72',
  ],
  [
    SEED_2,
    [0, 2147483647, 1, 2147483646, 2],
    '551d333177df541ad876a60ea71f00447931c0a9da16f227c11ea080d7391b8d',
  ],
];

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
  test.each(SLIP_0010)('gives the key of SLIP-0010 for seed %s, path %j', (seed, path, privateKey) => {
    expect(derivePath(bytesOf(seed), path)).toEqual(bytesOf(privateKey));
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
