import { fromHex, toHex } from '@zbc-signer/chain';
import { NETWORK_ROWS } from './generated/network-rows.js';

/** A known chain; `genesisHash` is 32 bytes. */
export interface Network {
  name: string;
  genesisHash: Uint8Array;
}

/** The chains that the signer shows by name, from firmware/networks.json. */
export const NETWORKS: readonly Network[] = NETWORK_ROWS.map(({ name, genesisHash }) => ({
  name,
  genesisHash: fromHex(genesisHash),
}));

/** The text of the signer's Network screen for a genesis hash of 32 bytes. */
export function networkName(genesisHash: Uint8Array): string {
  const hex = toHex(genesisHash);
  const known = NETWORK_ROWS.find(network => network.genesisHash === hex);
  return known?.name ?? `UNKNOWN CHAIN ${hex.slice(0, 8)}`;
}
