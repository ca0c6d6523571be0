import type { NodeSource } from '../base/node-address.js';

interface ChainReport {
  source: NodeSource;
  /** The genesis hash the node last reported, lower hex; undefined before its first answer. */
  genesisHash: string | undefined;
}

/**
 * The chain that more than half of the operator's nodes report, even if they are down now; otherwise
 * undefined. Once each node `hadTime` to answer, half of them are enough, because one of two may be down; the
 * first in the list decides a tie. Registered nodes do not count, because anyone may register one.
 */
export function agreeOnGenesis(reports: readonly ChainReport[], hadTime: boolean): string | undefined {
  const own = reports.filter(({ source }) => source !== 'registry');
  const votes = new Map<string, number>();
  for (const { genesisHash } of own) {
    if (genesisHash !== undefined) votes.set(genesisHash, (votes.get(genesisHash) ?? 0) + 1);
  }
  for (const [genesisHash, count] of votes) {
    if (2 * count > own.length || (hadTime && 2 * count === own.length)) return genesisHash;
  }
  return undefined;
}
