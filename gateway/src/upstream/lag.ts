import type { LagConfig } from '../config/config.js';
import type { KnownNode, Standing } from './node-directory.js';

type Reporting = Pick<KnownNode, 'source' | 'health'>;

/**
 * The greatest height of the operator's nodes that answer on this chain; undefined without one. Registered
 * nodes have no say, as anyone may register one.
 */
export function bestHeight(nodes: readonly Reporting[], genesisHash: string | undefined): bigint | undefined {
  let best: bigint | undefined;
  for (const { source, health } of nodes) {
    if (source === 'registry' || !health.answers || health.genesisHash !== genesisHash) continue;
    if (health.height !== undefined && (best === undefined || health.height > best)) best = health.height;
  }
  return best;
}

/** Blocks behind the best; 0 where either height is unknown. */
export function blocksBehind({ health: { height } }: Reporting, best: bigint | undefined): bigint {
  return best === undefined || height === undefined || height >= best ? 0n : best - height;
}

/** What follows from a number of blocks behind the best. */
export function standingOf(behind: bigint, { lastBlocks, outBlocks }: LagConfig): Standing {
  if (outBlocks > 0 && behind > outBlocks) return 'out';
  return lastBlocks > 0 && behind > lastBlocks ? 'late' : 'in-step';
}
