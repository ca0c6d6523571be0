/** A known chain; `genesisHash` in lower hex. */
export interface Network {
  name: string;
  genesisHash: string;
}

/** The same table as firmware/networks.json, which a browser cannot read (a test compares them). */
export const NETWORKS: readonly Network[] = [
  {
    name: 'ZBC Devnet',
    genesisHash: 'ac49afff1a6ef62b11e35b58153a38a9a9ca5c9936c42fd6908e7e325a68fbd1',
  },
];

/** What the signer's Network screen says of the genesis hash, in lower hex (interface.md "Signer device rules" 9). */
export function networkName(genesisHash: string): string {
  const known = NETWORKS.find(network => network.genesisHash === genesisHash);
  return known?.name ?? `UNKNOWN CHAIN ${genesisHash.slice(0, 8)}`;
}
