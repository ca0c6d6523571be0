import type { NodeSource } from '../base/node-address.js';

interface ChainReport {
  source: NodeSource;
  /** What the node reported last, lower hex; undefined before its first answer. */
  genesisHash: string | undefined;
}

/**
 * The chain that most of the operator's nodes report, whether they answer now or not; undefined while none has
 * more than half of them. Half of them, of which the first in the list wins, are enough once each node `hadTime`
 * to answer: one of two may be down. Registered nodes have no say, as anyone may register one.
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
