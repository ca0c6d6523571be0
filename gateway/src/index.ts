export { ConfigError, type ConfigErrorCode } from './base/errors.js';
export { type GatewayConfig, NO_LIMITS } from './config/config.js';
export { initGatewayConfig, newAdminKey } from './config/init.js';
export { loadGatewayConfig } from './config/load.js';
export { parseGatewayConfig } from './config/parse.js';
export type { StaticNode } from './config/schema.js';
export { type Gateway, type GatewayOptions, startGateway } from './gateway.js';
export { type GatewayLog, type LogLevel, openLog } from './monitoring/log.js';
export { readGenesisHash } from './nodes/health-check.js';
