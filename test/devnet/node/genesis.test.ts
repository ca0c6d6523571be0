import { readFileSync } from 'node:fs';
import { DEVNET_GENESIS_HASH, NETWORK_NAME } from '@zbc-signer/devnet';
import { GENESIS_TOKENS } from '#devnet/node/genesis.js';
import { i64, Wallet } from '../../../testkit/chain/wallet.js';
import { u32, u64 } from '../../../testkit/crypto/little-endian.js';
import { sha3 } from '../../../testkit/crypto/sha3.js';

function text(value: string): Buffer {
  return Buffer.concat([u32(Buffer.byteLength(value)), Buffer.from(value)]);
}

describe('the genesis of the development network', () => {
  test('has the hash of its documented encoding', () => {
    const treasury = new Wallet(sha3(Buffer.from('ZBC development network treasury')));
    const tokens = GENESIS_TOKENS.flatMap(({ id, name, symbol, decimals, supply }) => [
      i64(id),
      text(name),
      text(symbol),
      Buffer.from([decimals]),
      i64(supply),
    ]);
    const encoding = [
      Buffer.from('ZBC-GENESIS'),
      text('ZBC Devnet'),
      u64(1_767_225_600n),
      treasury.account,
      u64(10n ** 17n),
      u32(14),
      ...tokens,
    ];
    expect(sha3(...encoding).toString('hex')).toBe(DEVNET_GENESIS_HASH);
  });

  test('is the genesis that the firmware knows by name', () => {
    const networks = JSON.parse(
      readFileSync(new URL('../../../../firmware/networks.json', import.meta.url), 'utf8'),
    );
    expect(networks).toContainEqual({ name: NETWORK_NAME, genesis_hash: DEVNET_GENESIS_HASH });
  });

  test('has a name that fits a line of the screen', () => {
    expect(NETWORK_NAME).toMatch(/^[\x20-\x7e]{1,21}$/);
  });

  test('has tokens 1 to 14 with every number of decimals from 0 to 8', () => {
    expect(GENESIS_TOKENS.map(({ id }) => id)).toEqual(Array.from({ length: 14 }, (_, at) => BigInt(at + 1)));
    expect(new Set(GENESIS_TOKENS.map(({ decimals }) => decimals))).toEqual(
      new Set([0, 1, 2, 3, 4, 5, 6, 7, 8]),
    );
  });
});
