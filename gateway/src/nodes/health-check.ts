import { MAX_U64, parseJson } from '@zbc-signer/chain';
import { parseNodeUrl } from '../base/host.js';
import type { NodeAddress } from '../base/node-address.js';
import { fieldOf, parseNodeJson } from '../base/node-json.js';
import type { TimeoutConfig } from '../config/config.js';
import { Cancellation } from '../upstream/cancellation.js';
import { NodeConnections } from '../upstream/node-connections.js';
import { malformed, NodeFault } from '../upstream/node-fault.js';
import { askNode, type NodeAnswer } from '../upstream/node-request.js';
import { agreeOnGenesis } from './chain-agreement.js';
import type { NodeHealth } from './known-node.js';

interface NodeInfo {
  /** Genesis hash in lower-case hex. */
  genesisHash: string;
  height?: bigint;
}

const HASH = /^(?:0x)?([0-9a-f]{64})$/i;

/** Parses the body of `/api/v1/node/info`; throws NodeFault if it contains no genesis hash. */
function parseNodeInfo(body: Buffer): NodeInfo {
  const info = parseInfo(body);
  const [genesis, height] = [fieldOf(info, 'genesis_hash'), fieldOf(info, 'height')];
  const hash = typeof genesis === 'string' ? HASH.exec(genesis)?.[1] : undefined;
  if (hash === undefined) throw new NodeFault('broken', true, 'did not report its chain');
  const isHeight = typeof height === 'bigint' && height >= 0n && height <= MAX_U64;
  return { genesisHash: hash.toLowerCase(), ...(isHeight && { height }) };
}

function parseInfo(body: Buffer): object {
  try {
    const document = parseJson(body.toString());
    if (typeof document === 'object' && document !== null) return document;
  } catch {}
  throw malformed();
}

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

/**
 * Asks a node for its chain and height over a new connection, because a busy or stale connection does not
 * show the node's health.
 */
export async function checkHealth(
  node: NodeAddress,
  connections: NodeConnections,
  timeouts: TimeoutConfig,
  cancellation: Cancellation,
): Promise<NodeHealth> {
  const startedMs = performance.now();
  try {
    const info = await ask(node, INFO_PATH, connections, timeouts, cancellation, MAX_INFO_BYTES, readInfo);
    const latencyMs = performance.now() - startedMs;
    return { answers: true, ...info, latencyMs, checkedAtMs: Date.now() };
  } catch (error) {
    const fault = error instanceof NodeFault ? error.message : 'health check failed';
    return { answers: false, fault, checkedAtMs: Date.now() };
  }
}

/** Asks a node for the hash of its block at this height, in lower-case hex; undefined if it does not give one. */
export function readBlock(
  node: NodeAddress,
  height: bigint,
  connections: NodeConnections,
  timeouts: TimeoutConfig,
  cancellation: Cancellation,
): Promise<string | undefined> {
  const path = `${BLOCKS_PATH}${height}`;
  return ask(node, path, connections, timeouts, cancellation, MAX_BLOCK_BYTES, readHash).catch(
    () => undefined,
  );
}

/** Sends a GET over a new connection. */
async function ask<T>(
  node: NodeAddress,
  path: string,
  connections: NodeConnections,
  { connectMs, answerMs }: TimeoutConfig,
  cancellation: Cancellation,
  maxBytes: number,
  read: (answer: NodeAnswer) => T,
): Promise<T> {
  const client = connections.fresh(node);
  try {
    const totalMs = Math.min(connectMs + answerMs, MAX_CHECK_MS);
    const request = { method: 'GET' as const, path, headers: ['accept', 'application/json'] };
    const limits = { totalMs, maxBytes, cancellation, memory: connections.memory };
    return read(await askNode(client, request, limits));
  } finally {
    await connections.end(client);
  }
}

function readInfo({ status, body }: NodeAnswer): NodeInfo {
  if (status !== 200) throw new NodeFault('broken', true, `returned ${status} for node/info`);
  return parseNodeInfo(body);
}

function readHash({ status, body }: NodeAnswer): string | undefined {
  const hash = status === 200 ? fieldOf(parseNodeJson(body), 'block_hash') : undefined;
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
  const ask = (node: NodeAddress) => checkHealth(node, connections, GENESIS_TIMEOUTS, new Cancellation());
  try {
    const answers = await Promise.all(nodes.map(ask));
    const reports = answers.map(health => ({ source: 'static' as const, health }));
    return agreeOnGenesis(reports, true);
  } finally {
    await connections.close();
  }
}
