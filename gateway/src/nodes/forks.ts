import { nodeKey } from '../base/node-address.js';
import type { Fork, KnownNode } from './known-node.js';

/** Blocks are compared this far below the lowest node, where nodes of one fork have the same block. */
const DEPTH = 6n;

/**
 * Compares the blocks of the operator's nodes at a common height, and sets `fork` of the nodes whose block is not
 * that of most nodes; if two halves differ, the fork that is followed wins, and at first that of the first node in
 * the list. A node that does not give its hash is not judged: it keeps its fork, as long as the node from which it
 * differs is admitted. The nodes that are in step are compared first, then together with late
 * nodes, because these do not have the newer block. `read` returns a hash in lower-case hex, if the node gives one.
 */
export async function compareForks(
  nodes: readonly KnownNode[],
  genesisHash: string | undefined,
  read: (node: KnownNode, height: bigint) => Promise<string | undefined>,
): Promise<void> {
  const deciding = nodes.filter(({ source }) => source !== 'registry');
  for (const node of nodes) {
    if (!deciding.some(each => nodeKey(each) === node.fork?.other)) node.fork = undefined;
  }
  // Between equal halves, nodes of the fork that is followed come first, so that a failure changes no balance.
  const inOrder = [...deciding.filter(({ fork }) => !fork), ...deciding.filter(({ fork }) => fork)];
  const answering = inOrder.filter(
    ({ health, standing }) => health.answers && health.genesisHash === genesisHash && standing !== 'out',
  );
  const inStep = answering.filter(({ standing }) => standing === 'in-step');
  const groups = inStep.length === answering.length ? [answering] : [inStep, answering];
  const found = new Map<KnownNode, Fork | undefined>();
  for (const group of groups) {
    const heights = group.flatMap(({ health: { height } }) => height ?? []);
    const height = heights.reduce((least, each) => (each < least ? each : least), heights[0] ?? 0n) - DEPTH;
    if (group.length < 2 || height <= 0n) continue;
    const hashes = await Promise.all(group.map(node => read(node, height)));
    // Nodes of another fork alone do not show which fork is followed.
    if (!group.some(({ fork }, at) => fork === undefined && hashes[at] !== undefined)) continue;
    const followed = mostFrequent(hashes);
    const other = nodeKey(group[hashes.indexOf(followed)]!);
    for (const [at, node] of group.entries()) {
      if (hashes[at] === undefined || found.get(node) !== undefined) continue;
      found.set(node, hashes[at] === followed ? undefined : { height, other });
    }
  }
  for (const [node, fork] of found) node.fork = fork;
}

/** Returns the most frequent of the known hashes, and the first of equally frequent ones. */
function mostFrequent(hashes: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>();
  for (const hash of hashes) if (hash !== undefined) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}
