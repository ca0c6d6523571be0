import type { ArchivalNode, ArchivalNodeOptions } from './archival/archival-node.js';
import type { Devnet, DevnetOptions } from './network/devnet.js';
import type { FullNodeOptions, RunningNode } from './node/full-node.js';

export type { ArchivalNode, ArchivalNodeOptions } from './archival/archival-node.js';
export { DevnetError, type DevnetErrorCode } from './errors.js';
export type { Devnet, DevnetOptions } from './network/devnet.js';
export type { ChainOptions } from './node/chain/development-chain.js';
export type { Registry } from './node/development-data/registry.js';
export type { FullNodeOptions, RunningNode } from './node/full-node.js';
export { DEVNET_GENESIS_HASH, NETWORK_NAME } from './node/genesis.js';

// Each module is loaded on first use, so that starting one node loads neither the other nor the gateway.

/**
 * Starts the development network in this process and resolves when all of it listens; throws DevnetError for
 * an unusable directory.
 */
export async function startDevnet(options?: DevnetOptions): Promise<Devnet> {
  return (await import('./network/devnet.js')).startDevnet(options);
}

/** Starts a full node in this process; throws DevnetError for an unusable directory. */
export async function startFullNode(options?: FullNodeOptions): Promise<RunningNode> {
  return (await import('./node/full-node.js')).startFullNode(options);
}

/** Starts an archival node in this process; throws DevnetError for an unusable directory. */
export async function startArchivalNode(options: ArchivalNodeOptions): Promise<ArchivalNode> {
  return (await import('./archival/archival-node.js')).startArchivalNode(options);
}
