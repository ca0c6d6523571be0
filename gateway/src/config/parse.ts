import { resolve } from 'node:path';
import { ConfigError } from '../base/errors.js';
import { nodeKey } from '../base/node-address.js';
import { FIXED_CONFIG, FIXED_LIMITS, type GatewayConfig } from './config.js';
import { ConfigFaults } from './reader.js';
import { readWrittenConfig, type StaticNode } from './schema.js';

/**
 * Validates the content of `gateway.json`, in which paths are relative to `baseDir`. Throws ConfigError with
 * all faults.
 */
export function parseGatewayConfig(json: unknown, baseDir: string): GatewayConfig {
  const config = withAbsolutePaths(readAll(json), baseDir);
  const faults = [...contradictions(config)];
  if (faults.length > 0) throw invalid(faults);
  return config;
}

function readAll(json: unknown): GatewayConfig {
  try {
    const written = readWrittenConfig(json, '');
    return { ...FIXED_CONFIG, ...written, limits: { ...FIXED_LIMITS, ...written.limits } };
  } catch (error) {
    throw error instanceof ConfigFaults ? invalid(error.lines) : error;
  }
}

function invalid(faults: readonly string[]): ConfigError {
  const message = faults.length === 1 ? faults[0]! : `${faults.length} invalid fields`;
  return new ConfigError('CONFIG_INVALID', message, faults);
}

/** Reports fields that contradict each other. */
function* contradictions(config: GatewayConfig): Iterable<string> {
  const { tls, metrics, listenPort, hstsSeconds, publicUrl } = config;
  if (hstsSeconds > 0 && tls === undefined && publicUrl === undefined) {
    yield 'hsts_seconds requires tls or public_url';
  }
  if (listenPort !== 0 && metrics?.port === listenPort) yield 'metrics.port must differ from listen_port';
  const seen = new Set<string>();
  for (const [index, node] of config.staticNodes.entries()) {
    if (seen.has(nodeKey(node))) yield `static_nodes[${index}] duplicates an earlier entry`;
    seen.add(nodeKey(node));
  }
}

const PATHS = ['stateFile', 'downloadsDir', 'releasesDir'] as const;

function withAbsolutePaths(config: GatewayConfig, baseDir: string): GatewayConfig {
  const absolute = (path: string) => resolve(baseDir, path);
  const { staticNodes, tls } = config;
  const made = { ...config, staticNodes: staticNodes.map(node => withAbsoluteCa(node, absolute)) };
  for (const name of PATHS) if (made[name] !== undefined) made[name] = absolute(made[name]);
  if (tls !== undefined) made.tls = { certFile: absolute(tls.certFile), keyFile: absolute(tls.keyFile) };
  return made;
}

function withAbsoluteCa(node: StaticNode, absolute: (path: string) => string): StaticNode {
  return node.tls === undefined ? node : { ...node, tls: { ...node.tls, caFile: absolute(node.tls.caFile) } };
}
