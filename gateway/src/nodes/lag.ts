import type { LagConfig } from '../config/config.js';
import type { KnownNode, Standing } from './known-node.js';

type Reporting = Pick<KnownNode, 'source' | 'health' | 'fork'>;

/** If there are at least this many nodes, heights far above the median are ignored. */
const ENOUGH_TO_DOUBT = 3;

/**
 * Returns the greatest height of the operator's nodes that answer on this chain and are not on another
 * fork; undefined if there is no such node. Registered nodes do not count, because anyone may register a node. If
 * there are three or more nodes, heights more than `lag.outBlocks` above the median do not count. If a single
 * node is then more than `lag.lastBlocks` above the next one, the height of the next one is returned, so that
 * the single node cannot make the others late.
 */
export function bestHeight(
  nodes: readonly Reporting[],
  genesisHash: string | undefined,
  { lastBlocks, outBlocks }: LagConfig,
): bigint | undefined {
  const heights: bigint[] = [];
  for (const { source, health, fork } of nodes) {
    if (source === 'registry' || fork !== undefined) continue;
    if (!health.answers || health.genesisHash !== genesisHash || health.height === undefined) continue;
    heights.push(health.height);
  }
  heights.sort((one, other) => (one < other ? 1 : -1));
  if (heights.length < ENOUGH_TO_DOUBT) return heights[0];
  const most = heights[Math.floor(heights.length / 2)]! + BigInt(outBlocks);
  const [first, second] = outBlocks === 0 ? heights : heights.filter(height => height <= most);
  const margin = BigInt(lastBlocks || outBlocks);
  return margin > 0n && first! > second! + margin ? second : first;
}

/** Returns how many blocks the node is behind the best height; 0 if either height is unknown. */
export function blocksBehind(
  { health: { height } }: Pick<KnownNode, 'health'>,
  best: bigint | undefined,
): bigint {
  return best === undefined || height === undefined || height >= best ? 0n : best - height;
}

/** Returns the standing of a node that is this many blocks behind the best height. */
export function standingOf(behind: bigint, { lastBlocks, outBlocks }: LagConfig): Standing {
  if (outBlocks > 0 && behind > outBlocks) return 'out';
  return lastBlocks > 0 && behind > lastBlocks ? 'late' : 'in-step';
}
