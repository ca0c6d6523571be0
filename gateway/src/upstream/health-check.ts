import type { TimeoutConfig } from '../config/config.js';
import { COLLECTED_BYTES, exchange } from './exchange.js';
import type { NodeAddress } from './node-address.js';
import type { NodeConnections } from './node-connections.js';
import type { NodeHealth } from './node-directory.js';
import { NodeFault } from './node-fault.js';
import { type NodeInfo, parseNodeInfo } from './node-info.js';

const REQUEST = {
  method: 'GET' as const,
  path: '/api/v1/node/info',
  headers: ['accept', 'application/json'],
};

/** Asks a node for its chain over a connection of its own, so that neither busy nor stale connections are taken for its state. */
export async function checkHealth(
  node: NodeAddress,
  connections: NodeConnections,
  { connectMs, answerMs }: TimeoutConfig,
): Promise<NodeHealth> {
  const startedMs = performance.now();
  const client = connections.fresh(node);
  try {
    const info = await readInfo(client, connectMs + answerMs);
    const latencyMs = performance.now() - startedMs;
    return { answers: true, ...info, latencyMs, checkedAtMs: Date.now() };
  } catch (error) {
    const fault = error instanceof NodeFault ? error.message : 'cannot be checked';
    return { answers: false, fault, checkedAtMs: Date.now() };
  } finally {
    await client.destroy();
  }
}

async function readInfo(client: ReturnType<NodeConnections['fresh']>, totalMs: number): Promise<NodeInfo> {
  const { status, body } = await exchange(client, REQUEST, { totalMs, maxBytes: COLLECTED_BYTES });
  if (status !== 200) throw new NodeFault('broken', true, `answers ${status} to node/info`);
  if (!Buffer.isBuffer(body)) throw new NodeFault('broken', true, 'gave too large an answer');
  return parseNodeInfo(body);
}
