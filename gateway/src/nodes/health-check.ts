import { parseNodeUrl } from '../base/host.js';
import type { NodeAddress } from '../base/node-address.js';
import { fieldOf, integerOf, parseNodeJson } from '../base/node-json.js';
import type { TimeoutConfig } from '../config/config.js';
import { Cancellation } from '../upstream/cancellation.js';
import { NodeConnections } from '../upstream/node-connections.js';
import { malformed, NodeFault } from '../upstream/node-fault.js';
import { askNode, type NodeAnswer } from '../upstream/node-request.js';
import { agreeOnGenesis } from './agreement.js';
import type { NodeHealth } from './known-node.js';

const HASH = /^(?:0x)?([0-9a-f]{64})$/i;
const INFO_PATH = '/api/v1/node/info';
const BLOCKS_PATH = '/api/v1/blocks/';
const MAX_INFO_BYTES = 65_536;
/** A full block of 1 MiB is shorter as JSON. */
const MAX_BLOCK_BYTES = 8_388_608;

/**
 * Time limit of a check. It is shorter than the limits of requests, because a dead node must be noticed
 * within 3 seconds.
 */
const MAX_CHECK_MS = 2500;

/** How a node is asked. */
interface Asking {
  connections: NodeConnections;
  timeouts: TimeoutConfig;
  cancellation: Cancellation;
}

/**
 * Asks a node for its chain and height over a new connection, because a busy or stale connection does not
 * show the node's health.
 */
export async function checkHealth(node: NodeAddress, asking: Asking): Promise<NodeHealth> {
  const startedMs = performance.now();
  try {
    const { status, body } = await ask(node, INFO_PATH, MAX_INFO_BYTES, asking);
    if (status !== 200) throw new NodeFault('broken', true, `returned ${status} for node/info`);
    const latencyMs = performance.now() - startedMs;
    return { answers: true, ...readInfo(body), latencyMs, checkedAtMs: Date.now() };
  } catch (error) {
    const fault = error instanceof NodeFault ? error.message : 'health check failed';
    return { answers: false, fault, checkedAtMs: Date.now() };
  }
}

/** Asks a node for the hash of its block at this height, in lower-case hex; undefined if it does not give one. */
export async function readBlock(
  node: NodeAddress,
  height: bigint,
  asking: Asking,
): Promise<string | undefined> {
  try {
    const { status, body } = await ask(node, `${BLOCKS_PATH}${height}`, MAX_BLOCK_BYTES, asking);
    return status === 200 ? hashOf(parseNodeJson(body), 'block_hash') : undefined;
  } catch {
    return undefined;
  }
}

/** Sends a GET over a new connection. */
async function ask(
  node: NodeAddress,
  path: string,
  maxBytes: number,
  { connections, timeouts, cancellation }: Asking,
): Promise<NodeAnswer> {
  const client = connections.fresh(node);
  try {
    const totalMs = Math.min(timeouts.connectMs + timeouts.answerMs, MAX_CHECK_MS);
    const request = { method: 'GET' as const, path, headers: ['accept', 'application/json'] };
    return await askNode(client, request, { totalMs, maxBytes, cancellation, memory: connections.memory });
  } finally {
    await connections.end(client);
  }
}

/** Parses the body of `/api/v1/node/info`; throws NodeFault if it contains no genesis hash. */
function readInfo(body: Buffer): Pick<NodeHealth, 'genesisHash' | 'height'> {
  let info: unknown;
  try {
    info = parseNodeJson(body);
  } catch {
    throw malformed();
  }
  const genesisHash = hashOf(info, 'genesis_hash');
  if (genesisHash === undefined) throw new NodeFault('broken', true, 'did not report its chain');
  const height = integerOf(info, 'height');
  return { genesisHash, ...(height !== undefined && { height }) };
}

function hashOf(record: unknown, name: string): string | undefined {
  const hash = fieldOf(record, name);
  return typeof hash === 'string' ? HASH.exec(hash)?.[1]?.toLowerCase() : undefined;
}

const GENESIS_TIMEOUTS = { connectMs: 1000, answerMs: 1000, pieceMs: 1000 };

/**
 * Returns the genesis hash, in lower-case hex, that at least half of the nodes at these HTTP URLs report within 2
 * seconds; undefined if there is no such hash.
 */
export async function readGenesisHash(urls: readonly string[]): Promise<string | undefined> {
  const connections = new NodeConnections(GENESIS_TIMEOUTS);
  const nodes = urls.flatMap(url => parseNodeUrl(url) ?? []);
  const asking = { connections, timeouts: GENESIS_TIMEOUTS, cancellation: new Cancellation() };
  try {
    const answers = await Promise.all(nodes.map(node => checkHealth(node, asking)));
    const reports = answers.map(health => ({ source: 'static' as const, health }));
    return agreeOnGenesis(reports, true);
  } finally {
    await connections.close();
  }
}
