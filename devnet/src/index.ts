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

// Each module is loaded on first use. Starting one kind of node therefore loads neither the other kind nor
// the gateway.

/**
 * Starts the development network in this process. Resolves when all its parts listen. Throws DevnetError if
 * the directory is unusable.
 */
export async function startDevnet(options?: DevnetOptions): Promise<Devnet> {
  return (await import('./network/devnet.js')).startDevnet(options);
}

/** Starts a full node in this process. Throws DevnetError if the directory is unusable. */
export async function startFullNode(options?: FullNodeOptions): Promise<RunningNode> {
  return (await import('./node/full-node.js')).startFullNode(options);
}

/** Starts an archival node in this process. Throws DevnetError if the directory is unusable. */
export async function startArchivalNode(options: ArchivalNodeOptions): Promise<ArchivalNode> {
  return (await import('./archival/archival-node.js')).startArchivalNode(options);
}
