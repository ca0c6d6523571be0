import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Gateway, startGateway } from '@zbc-signer/gateway';
import type { NodeAddress } from '@zbc-signer/gateway/server';
import { LOOPBACK, localAddress, once } from '@zbc-signer/gateway/server';
import { WALLET_DIRECTORY as walletDirectory } from '@zbc-signer/wallet';
import type { FastifyInstance } from 'fastify';
import { startArchivalNode } from '../archival/archival-node.js';
import { addChaos } from '../chaos/add-chaos.js';
import type { Chaos } from '../chaos/chaos.js';
import type { ChainOptions } from '../node/chain/development-chain.js';
import { startInDirectory } from '../node/data-directory.js';
import { DEVELOPMENT_RELAY, type Registry } from '../node/development-data/registry.js';
import { type RunningNode, startFullNode } from '../node/full-node.js';
import { prepareDevnetGateway } from './devnet-gateway.js';

/** Options of `startDevnet`. The default block time is 2,000 ms. */
export interface DevnetOptions extends ChainOptions {
  /** Port of the gateway. The default, 0, picks a free port. */
  port?: number;
  nodePort?: number;
  archivalPort?: number;
  /** Address on which the gateway listens, and the nodes too if it is IPv4. Default: 127.0.0.1. */
  host?: string;
  /** Directory that keeps the chain between starts. Default: a temporary directory that `stop` removes. */
  dataDir?: string;
  blockTimeMs?: number;
  /** The full node's clock. Returns Unix time in milliseconds. */
  now?: () => number;
  /** Maximum number of requests that one client may send per minute. Default: no limit. */
  rateLimit?: number;
  /** Other origins whose pages may use the chain routes, such as `https://app.example`. Default: none. */
  corsOrigins?: readonly string[];
  /** The gateway's admin key. Default: random. */
  adminApiKey?: string;
  /** Faults to inject into the gateway's chain routes, for developers of hosts. */
  chaos?: Chaos;
  /** Adds hooks to the gateway before its routes are registered. If it fails, the start fails. */
  extend?: (app: FastifyInstance) => unknown;
  /** Called with failures that belong to no request. Default: a process warning. */
  onError?: (error: Error) => void;
}

/** A development network that runs in this process. */
export interface Devnet {
  /** The gateway's URL, without a trailing slash. */
  url: string;
  nodeUrl: string;
  archivalUrl: string;
  /** Genesis hash in lower-case hex. */
  genesisHash: string;
  /** Stops the gateway, the archival node and the full node, in this order. */
  stop(): Promise<void>;
}

/** The parts started so far. */
interface Running {
  nodes: RunningNode[];
  gateway?: Gateway;
}

/** Time limit for the archival node to catch up at the start. */
const CATCH_UP_MS = 5_000;
/** Time that running requests have to finish before the nodes stop. */
const FAREWELL_MS = 500;

/**
 * Starts the development network in this process. Resolves when all its parts listen. Throws DevnetError if
 * the directory is unusable.
 */
export function startDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  return startInDirectory(options.dataDir, directory => serve(directory, options));
}

async function serve(directory: string, options: DevnetOptions): Promise<Devnet> {
  const running: Running = { nodes: [] };
  const stop = once(() => stopAll(running));
  try {
    const registry: Registry = { nodes: [], archivals: [], gateways: [], relays: [DEVELOPMENT_RELAY] };
    const nodes = await startNodes(directory, options, registry, running);
    const config = await configure(directory, options, registry, nodes.genesisHash);
    const { onError } = options;
    const extend = (app: FastifyInstance) => extendGateway(app, options);
    running.gateway = await startGateway(config, { ...(onError && { onError }), walletDirectory, extend });
    const { url } = running.gateway;
    registry.gateways = [`${config.gatewayHost}:${new URL(url).port}`];
    return { url, ...nodes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function extendGateway(app: FastifyInstance, { chaos, extend }: DevnetOptions): unknown {
  if (chaos !== undefined) addChaos(app, chaos);
  return extend?.(app);
}

async function startNodes(
  directory: string,
  { host = LOOPBACK, onError, ...options }: DevnetOptions,
  registry: Registry,
  running: Running,
): Promise<Pick<Devnet, 'nodeUrl' | 'archivalUrl' | 'genesisHash'>> {
  // The registry of the chain lists only IPv4 addresses.
  const shared = { host: isIPv4(host) ? host : LOOPBACK, onError, registry };
  const { nodePort, archivalPort, blockTimeMs, now, namedChain, feeScale } = options;
  const chain = { namedChain, feeScale };
  const dataDir = join(directory, 'node');
  const node = await startFullNode({ ...shared, ...chain, dataDir, port: nodePort, blockTimeMs, now });
  running.nodes.push(node);
  registry.nodes = [localAddress(node.url)!];
  const archival = await startArchivalNode({
    ...shared,
    dataDir: join(directory, 'archival'),
    port: archivalPort,
    follow: urlOf(registry.nodes[0]!),
  });
  running.nodes.push(archival);
  registry.archivals = [localAddress(archival.url)!];
  await archival.inStep(CATCH_UP_MS);
  return { nodeUrl: node.url, archivalUrl: archival.url, genesisHash: node.genesisHash };
}

function urlOf({ ip, port }: NodeAddress): string {
  return `http://${ip}:${port}`;
}

function configure(
  directory: string,
  options: DevnetOptions,
  { nodes, archivals }: Registry,
  genesisHash: string,
) {
  const { host = LOOPBACK, port = 0, rateLimit = 0, corsOrigins, adminApiKey } = options;
  const full = nodes.map(node => ({ ...node, role: 'full' as const }));
  const archival = archivals.map(node => ({ ...node, role: 'archival' as const }));
  const staticNodes = [...full, ...archival];
  const own = join(directory, 'gateway');
  return prepareDevnetGateway({
    directory: own,
    staticNodes,
    genesisHash,
    host,
    port,
    rateLimit,
    corsOrigins,
    adminApiKey,
  });
}

async function stopAll({ gateway, nodes }: Running): Promise<void> {
  const stopped = gateway?.stop();
  await Promise.race([stopped, setTimeout(FAREWELL_MS, undefined, { ref: false })]);
  for (const node of nodes.reverse()) await node.stop();
  await stopped;
}
