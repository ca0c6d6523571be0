export { type ArchivalNode, type ArchivalNodeOptions, startArchivalNode } from './archival/archival-node.js';
export { DevnetError, type DevnetErrorCode } from './errors.js';
export { type Devnet, type DevnetOptions, startDevnet } from './network/devnet.js';
export { type FullNodeOptions, type RunningNode, startFullNode } from './node/full-node.js';
export { DEVNET_GENESIS_HASH, NETWORK_NAME } from './node/genesis.js';
