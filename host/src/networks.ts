import { NETWORK_ROWS } from './generated/network-rows.js';

/** A known chain; `genesisHash` in lower hex. */
export interface Network {
  name: string;
  genesisHash: string;
}

/** The table of firmware/networks.json, which the signer has too. */
export const NETWORKS: readonly Network[] = NETWORK_ROWS;

/** What the signer's Network screen says of the genesis hash, in lower hex (interface.md "Signer device rules" 9). */
export function networkName(genesisHash: string): string {
  const known = NETWORKS.find(network => network.genesisHash === genesisHash);
  return known?.name ?? `UNKNOWN CHAIN ${genesisHash.slice(0, 8)}`;
}
