import type { NodeSource } from '../base/node-address.js';

interface ChainReport {
  source: NodeSource;
  /** Lower hex; undefined if the node does not answer. */
  genesisHash: string | undefined;
}

/**
 * The chain to route to: the configured one; else that of most of the operator's nodes; else the previous
 * one; else that of most registry nodes. On a tie the previous one wins, else the first.
 */
export function agreeOnGenesis(
  configured: string | undefined,
  reports: readonly ChainReport[],
  previous: string | undefined,
): string | undefined {
  if (configured !== undefined) return configured;
  const own = reports.filter(({ source }) => source !== 'registry');
  return mostReported(own, previous) ?? previous ?? mostReported(reports, previous);
}

function mostReported(reports: readonly ChainReport[], previous: string | undefined): string | undefined {
  const votes = new Map<string, number>();
  for (const { genesisHash } of reports) {
    if (genesisHash !== undefined) votes.set(genesisHash, (votes.get(genesisHash) ?? 0) + 1);
  }
  const most = Math.max(0, ...votes.values());
  const first = [...votes.keys()].filter(hash => votes.get(hash) === most);
  return previous !== undefined && first.includes(previous) ? previous : first[0];
}
