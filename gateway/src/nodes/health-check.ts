import type { NodeAddress } from '../base/node-address.js';
import type { TimeoutConfig } from '../config/config.js';
import type { Cancellation } from '../upstream/cancellation.js';
import type { NodeConnections } from '../upstream/node-connections.js';
import { NodeFault } from '../upstream/node-fault.js';
import { type AnswerLimits, askNode, COLLECTED_BYTES } from '../upstream/node-request.js';
import type { NodeHealth } from './node-directory.js';
import { type NodeInfo, parseNodeInfo } from './node-info.js';

const REQUEST = {
  method: 'GET' as const,
  path: '/api/v1/node/info',
  headers: ['accept', 'application/json'],
};

/** Even where a client's request may take longer: a node that is dead is noticed in 3 seconds. */
const MAX_CHECK_MS = 2500;

/**
 * Asks a node for its chain over a new connection, as busy or stale connections say nothing about its health.
 */
export async function checkHealth(
  node: NodeAddress,
  connections: NodeConnections,
  { connectMs, answerMs }: TimeoutConfig,
  cancellation: Cancellation,
): Promise<NodeHealth> {
  const startedMs = performance.now();
  const client = connections.fresh(node);
  try {
    const totalMs = Math.min(connectMs + answerMs, MAX_CHECK_MS);
    const { memory } = connections;
    const info = await readInfo(client, { totalMs, maxBytes: COLLECTED_BYTES, cancellation, memory });
    const latencyMs = performance.now() - startedMs;
    return { answers: true, ...info, latencyMs, checkedAtMs: Date.now() };
  } catch (error) {
    const fault = error instanceof NodeFault ? error.message : 'health check failed';
    return { answers: false, fault, checkedAtMs: Date.now() };
  } finally {
    await client.destroy();
  }
}

async function readInfo(
  client: ReturnType<NodeConnections['fresh']>,
  limits: AnswerLimits,
): Promise<NodeInfo> {
  const { status, body } = await askNode(client, REQUEST, limits);
  if (status !== 200) throw new NodeFault('broken', true, `returned ${status} for node/info`);
  if (!Buffer.isBuffer(body)) throw new NodeFault('broken', true, 'sent too large a response');
  return parseNodeInfo(body);
}
