import { FIXED_CONFIG, type GatewayConfig, NO_LIMITS } from '#gateway/config/config.js';

/**
 * Returns the configuration of a private gateway on a free port, without limits and without periodic health
 * checks.
 */
export function gatewayConfig(changes: Partial<GatewayConfig> = {}): GatewayConfig {
  return {
    gatewayHost: 'gateway.test',
    otherHosts: [],
    mode: 'private',
    listenHost: '127.0.0.1',
    listenPort: 0,
    corsOrigins: [],
    staticNodes: [],
    nodePort: 8884,
    allowPrivateNodes: true,
    healthIntervalMs: 3_600_000,
    lag: { lastBlocks: 5, outBlocks: 100 },
    reads: FIXED_CONFIG.reads,
    breaker: { failures: 0, pauseMs: 3_600_000 },
    adminApiKey: 'k'.repeat(43),
    faucet: false,
    wallet: false,
    rateLimit: { requests: 0, writes: 0 },
    limits: NO_LIMITS,
    trustedProxies: [],
    timeouts: { connectMs: 2000, answerMs: 5000, pieceMs: 5000 },
    maxAnswerBytes: 1_048_576,
    hstsSeconds: 0,
    ...changes,
  };
}
