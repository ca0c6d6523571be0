import { HASH_LENGTH } from '../../../protocol/src/limits';
import { describeHash } from './details';
import { putCharacters, putHex, putText } from './format';
import { NETWORK_COUNT, NETWORK_SIZE, NETWORKS } from './generated/networks';
import { Items } from './items';

/** Returns whether the genesis hash is in the compiled-in table. */
export function isKnownNetwork(genesisHash: usize): bool {
  return networkEntry(genesisHash) !== 0;
}

/**
 * Adds the item `Network`: the name of a known chain, or `UNKNOWN CHAIN` and the first 8 hex digits of the
 * genesis hash (docs/TRANSACTION.md#signer-rules 9), and `withHash` an item with all digits.
 */
export function describeNetwork(items: Items, genesisHash: usize, withHash: bool): void {
  items.begin('Network');
  const entry = networkEntry(genesisHash);
  if (entry !== 0) {
    putCharacters(items, entry + HASH_LENGTH + 1, load<u8>(entry + HASH_LENGTH));
    return;
  }
  putText(items, 'UNKNOWN CHAIN ');
  putHex(items, genesisHash, 4);
  if (withHash) describeHash(items, 'Chain hash', genesisHash);
}

/** Returns the address of the chain's entry (hash, name length, name), or 0 if the table does not have it. */
function networkEntry(genesisHash: usize): usize {
  for (let i = 0; i < NETWORK_COUNT; i++) {
    const entry = NETWORKS + i * NETWORK_SIZE;
    if (memory.compare(entry, genesisHash, HASH_LENGTH) === 0) return entry;
  }
  return 0;
}
