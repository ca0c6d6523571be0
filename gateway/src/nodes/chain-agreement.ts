import type { NodeSource } from '../base/node-address.js';
import type { NodeHealth } from './known-node.js';

interface ChainReport {
  source: NodeSource;
  health: Pick<NodeHealth, 'genesisHash'>;
}

/**
 * Returns the genesis hash that more than half of the operator's nodes reported, even if those nodes are down
 * now; otherwise undefined. After each node `hadTime` to answer, half of the nodes are enough, because one of
 * two may be down. If two halves differ, the first node in the list decides. Registered nodes do not count,
 * because anyone may register a node.
 */
export function agreeOnGenesis(reports: readonly ChainReport[], hadTime: boolean): string | undefined {
  const own = reports.filter(({ source }) => source !== 'registry');
  const votes = new Map<string, number>();
  for (const {
    health: { genesisHash },
  } of own) {
    if (genesisHash !== undefined) votes.set(genesisHash, (votes.get(genesisHash) ?? 0) + 1);
  }
  for (const [genesisHash, count] of votes) {
    if (2 * count > own.length || (hadTime && 2 * count === own.length)) return genesisHash;
  }
  return undefined;
}
