import { resolve } from 'node:path';
import { ConfigError } from '../errors.js';
import { nodeKey } from '../upstream/node-address.js';
import type { GatewayConfig, TlsConfig } from './config.js';
import { GATEWAY_FIELDS } from './fields.js';
import { Faults, objectOf } from './reader.js';

const readFields = objectOf(GATEWAY_FIELDS);

/** What `gateway.json` says, with its paths seen from `baseDir`; throws ConfigError with every fault. */
export function parseGatewayConfig(json: unknown, baseDir: string): GatewayConfig {
  const config = withAbsolutePaths(readAll(json), baseDir);
  const faults = [...contradictions(config)];
  if (faults.length > 0) {
    throw invalid(faults);
  }
  return config;
}

function readAll(json: unknown): GatewayConfig {
  try {
    return readFields(json, '');
  } catch (error) {
    throw error instanceof Faults ? invalid(error.lines) : error;
  }
}

function invalid(faults: readonly string[]): ConfigError {
  const message = faults.length === 1 ? faults[0]! : `${faults.length} fields are not right`;
  return new ConfigError('CONFIG_INVALID', message, faults);
}

/** What no field says alone. */
function* contradictions(config: GatewayConfig): Iterable<string> {
  const { tls, redirectPort, workers, redisUrl, stateFile, metrics, listenPort } = config;
  if (redirectPort !== undefined && tls === undefined) {
    yield 'redirect_port must be left out without tls: there is no HTTPS to redirect to';
  }
  if (workers > 1 && redisUrl === undefined) {
    yield 'workers must be 1 without redis_url: workers share their counters and the allowlist through Redis';
  }
  if (stateFile !== undefined && redisUrl !== undefined) {
    yield 'state_file must be left out with redis_url: the allowlist is kept in Redis then';
  }
  if (listenPort !== 0 && redirectPort === listenPort) {
    yield 'redirect_port must differ from listen_port';
  }
  if (listenPort !== 0 && metrics?.port === listenPort) {
    yield 'metrics.port must differ from listen_port';
  }
  const seen = new Set<string>();
  for (const [index, node] of config.staticNodes.entries()) {
    if (seen.has(nodeKey(node))) yield `static_nodes[${index}] is named before`;
    seen.add(nodeKey(node));
  }
}

function withAbsolutePaths(config: GatewayConfig, baseDir: string): GatewayConfig {
  const { stateFile, downloadsDir, releasesDir, tls } = config;
  const absolute = (path: string) => resolve(baseDir, path);
  return {
    ...config,
    ...(stateFile !== undefined && { stateFile: absolute(stateFile) }),
    ...(downloadsDir !== undefined && { downloadsDir: absolute(downloadsDir) }),
    ...(releasesDir !== undefined && { releasesDir: absolute(releasesDir) }),
    ...(tls !== undefined && { tls: withAbsoluteFiles(tls, absolute) }),
  };
}

function withAbsoluteFiles(tls: TlsConfig, absolute: (path: string) => string): TlsConfig {
  return 'selfSigned' in tls ? tls : { certFile: absolute(tls.certFile), keyFile: absolute(tls.keyFile) };
}
