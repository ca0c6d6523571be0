import { nodeKey } from '../base/node-address.js';
import type { KnownNode } from './node-directory.js';

/** A node's state in the log; only `routed`, `late` and `poor` nodes receive requests. */
export type NodeState =
  | 'routed'
  | 'late'
  | 'poor'
  | 'cordoned'
  | 'down'
  | 'no-chain'
  | 'other-chain'
  | 'other-fork'
  | 'out';

/** Returns the node's state; undefined before its first check. */
export function stateOf(node: KnownNode, genesisHash: string | undefined): NodeState | undefined {
  const { isCordoned, health, standing, breaker, fork } = node;
  if (isCordoned) return 'cordoned';
  if (health.checkedAtMs === 0) return undefined;
  if (!health.answers) return 'down';
  if (genesisHash === undefined) return 'no-chain';
  if (health.genesisHash !== genesisHash) return 'other-chain';
  if (fork !== undefined) return 'other-fork';
  if (standing === 'out') return 'out';
  if (!breaker.isClosed) return 'poor';
  return standing === 'late' ? 'late' : 'routed';
}

/** Describes the node and its state for the log. */
export function describeState(node: KnownNode, state: NodeState | undefined): string {
  return `node ${nodeKey(node)} (${node.role}) ${words(node, state)}`;
}

function words({ health, behind, breaker, fork }: KnownNode, state: NodeState | undefined): string {
  switch (state) {
    case undefined:
      return 'has not answered yet';
    case 'routed':
      return 'is routed to';
    case 'late':
      return `is ${behind} blocks behind and is asked last`;
    case 'poor':
      return `is asked last, because it ${breaker.reason} again and again`;
    case 'cordoned':
      return 'is cordoned by an administrator';
    case 'down':
      return `is down (${health.fault})`;
    case 'no-chain':
      return 'answers, but fewer than half of your nodes answer, so their chain is unknown: set genesis_hash';
    case 'other-chain':
      return 'is on another chain';
    case 'other-fork':
      return `has another block ${fork?.height} than ${fork?.other}: it is on another fork and is not asked`;
    case 'out':
      return `is ${behind} blocks behind and is not asked`;
  }
}
