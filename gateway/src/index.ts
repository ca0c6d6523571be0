export { type Devnet, type DevnetOptions, startDevnet } from './devnet.js';
export { DevnetError, type DevnetErrorCode } from './errors.js';
export { DEVNET_GENESIS_HASH, NETWORK_NAME } from './node/genesis.js';
