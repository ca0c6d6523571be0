export {
  type ArchivalNode,
  type ArchivalNodeOptions,
  startArchivalNode,
} from './archival/archival-node.js';
export type { GatewayConfig } from './config/config.js';
export type { Chaos } from './devnet/chaos/chaos.js';
export { parseChaos } from './devnet/chaos/parse.js';
export { type Devnet, type DevnetOptions, startDevnet } from './devnet/devnet.js';
export { DevnetError, type DevnetErrorCode } from './errors.js';
export { type Gateway, type GatewayOptions, startGateway } from './gateway.js';
export { type FullNodeOptions, type RunningNode, startFullNode } from './node/full-node.js';
export { DEVNET_GENESIS_HASH, NETWORK_NAME } from './node/genesis.js';
