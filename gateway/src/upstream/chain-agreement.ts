import type { NodeSource } from './node-address.js';

interface Witness {
  source: NodeSource;
  /** Lower hex; undefined when the node does not answer. */
  genesisHash: string | undefined;
}

/**
 * The chain that is routed to: the configured one; else what most of the operator's own nodes are on; else the one
 * of before; else what most nodes of the registry are on. Of a draw, the one of before wins, else the first named.
 */
export function agreeOnGenesis(
  configured: string | undefined,
  witnesses: readonly Witness[],
  previous: string | undefined,
): string | undefined {
  if (configured !== undefined) return configured;
  const own = witnesses.filter(({ source }) => source !== 'registry');
  return mostNamed(own, previous) ?? previous ?? mostNamed(witnesses, previous);
}

function mostNamed(witnesses: readonly Witness[], previous: string | undefined): string | undefined {
  const votes = new Map<string, number>();
  for (const { genesisHash } of witnesses) {
    if (genesisHash !== undefined) votes.set(genesisHash, (votes.get(genesisHash) ?? 0) + 1);
  }
  const most = Math.max(0, ...votes.values());
  const first = [...votes.keys()].filter(hash => votes.get(hash) === most);
  return previous !== undefined && first.includes(previous) ? previous : first[0];
}
