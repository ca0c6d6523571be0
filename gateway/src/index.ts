export { ConfigError, type ConfigErrorCode } from './base/errors.js';
export { parseNodeUrl } from './base/host.js';
export { checkFiles, checkGateway } from './check.js';
export { type GatewayConfig, NO_LIMITS, type StaticNode } from './config/config.js';
export { initGatewayConfig, loadGatewayConfig, newAdminKey } from './config/load.js';
export { parseGatewayConfig } from './config/parse.js';
export { type Gateway, type GatewayOptions, startGateway } from './gateway.js';
export { type GatewayLog, type LogLevel, openLog } from './monitoring/log.js';
export { readGenesisHash } from './nodes/health-check.js';
