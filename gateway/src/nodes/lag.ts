import type { LagConfig } from '../config/config.js';
import type { KnownNode, Standing } from './node-directory.js';

type Reporting = Pick<KnownNode, 'source' | 'health' | 'isCordoned'>;

/** With at least this many nodes, heights far above the median are not believed. */
const ENOUGH_TO_DOUBT = 3;

/**
 * The greatest height of the operator's nodes that answer on this chain and are not cordoned; undefined
 * without one. Of three or more nodes, those more than `lag.outBlocks` above the median do not count, and a
 * single node more than `lag.lastBlocks` above the next counts with the next one's height, so that it cannot
 * make the others late. Registered nodes do not count, because anyone may register one.
 */
export function bestHeight(
  nodes: readonly Reporting[],
  genesisHash: string | undefined,
  { lastBlocks, outBlocks }: LagConfig,
): bigint | undefined {
  const heights: bigint[] = [];
  for (const { source, health, isCordoned } of nodes) {
    if (source === 'registry' || isCordoned) continue;
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

/** Blocks behind the best; 0 where either height is unknown. */
export function blocksBehind(
  { health: { height } }: Pick<KnownNode, 'health'>,
  best: bigint | undefined,
): bigint {
  return best === undefined || height === undefined || height >= best ? 0n : best - height;
}

/** The standing of a node this many blocks behind the best. */
export function standingOf(behind: bigint, { lastBlocks, outBlocks }: LagConfig): Standing {
  if (outBlocks > 0 && behind > outBlocks) return 'out';
  return lastBlocks > 0 && behind > lastBlocks ? 'late' : 'in-step';
}
