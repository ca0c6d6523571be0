import type { NodeAddress } from '../base/node-address.js';
import { Cancellation } from '../upstream/cancellation.js';
import { NodeConnections } from '../upstream/node-connections.js';
import { agreeOnGenesis } from './chain-agreement.js';
import { checkHealth } from './health-check.js';

const TIMEOUTS = { connectMs: 1000, answerMs: 1000, pieceMs: 1000 };

/**
 * The genesis hash that more than half of these nodes report, or half of them, in lower hex; undefined where fewer
 * answer within 2 seconds.
 */
export async function readGenesisHash(nodes: readonly NodeAddress[]): Promise<string | undefined> {
  const connections = new NodeConnections(TIMEOUTS);
  const ask = (node: NodeAddress) => checkHealth(node, connections, TIMEOUTS, new Cancellation());
  try {
    const answers = await Promise.all(nodes.map(ask));
    return agreeOnGenesis(
      answers.map(({ genesisHash }) => ({ source: 'static', genesisHash })),
      true,
    );
  } finally {
    await connections.close();
  }
}
