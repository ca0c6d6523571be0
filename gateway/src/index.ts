export {
  type ArchivalNode,
  type ArchivalNodeOptions,
  startArchivalNode,
} from './archival/archival-node.js';
export type { Chaos } from './chaos/chaos.js';
export { parseChaos } from './chaos/parse.js';
export type { GatewayConfig } from './config/config.js';
export { type Devnet, type DevnetOptions, startDevnet } from './devnet.js';
export { DevnetError, type DevnetErrorCode } from './errors.js';
export { type Gateway, type GatewayOptions, startGateway } from './gateway.js';
export { type FullNodeOptions, type RunningNode, startFullNode } from './node/full-node.js';
export { DEVNET_GENESIS_HASH, NETWORK_NAME } from './node/genesis.js';
