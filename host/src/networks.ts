import { NETWORK_ROWS } from './generated/network-rows.js';

/** A known chain; `genesisHash` in lower-case hex. */
export interface Network {
  name: string;
  genesisHash: string;
}

/** The signer's own table, from firmware/networks.json. */
export const NETWORKS: readonly Network[] = NETWORK_ROWS;

/** The text of the signer's Network screen for a genesis hash in lower-case hex. */
export function networkName(genesisHash: string): string {
  const known = NETWORKS.find(network => network.genesisHash === genesisHash);
  return known?.name ?? `UNKNOWN CHAIN ${genesisHash.slice(0, 8)}`;
}
