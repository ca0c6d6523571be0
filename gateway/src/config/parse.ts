import { resolve } from 'node:path';
import { ConfigError } from '../base/errors.js';
import { addressOf, nodeKey } from '../base/node-address.js';
import { FIXED_CONFIG, FIXED_LIMITS, type GatewayConfig, type StaticNode } from './config.js';
import { ConfigFaults } from './reader.js';
import { readWrittenConfig, type WrittenConfig } from './schema.js';

/**
 * Validates the content of `gateway.json`, in which paths are relative to `baseDir`. Throws ConfigError with
 * all faults.
 */
export function parseGatewayConfig(json: unknown, baseDir: string): GatewayConfig {
  const written = readAll(json);
  const config = withAbsolutePaths(written, baseDir);
  const faults = [...contradictions(written, config)];
  if (faults.length > 0) throw invalid(faults);
  return config;
}

function readAll(json: unknown): WrittenConfig {
  try {
    return readWrittenConfig(json, '');
  } catch (error) {
    throw error instanceof ConfigFaults ? invalid(error.lines) : error;
  }
}

function invalid(faults: readonly string[]): ConfigError {
  const message = faults.length === 1 ? faults[0]! : `${faults.length} invalid fields`;
  return new ConfigError('CONFIG_INVALID', message, faults);
}

/** Reports fields that contradict each other. */
function* contradictions(written: WrittenConfig, config: GatewayConfig): Iterable<string> {
  const { tls, metrics, listenPort, hstsSeconds, publicUrl } = config;
  if (hstsSeconds > 0 && tls === undefined && publicUrl === undefined) {
    yield 'hsts_seconds requires tls or public_url';
  }
  if (listenPort !== 0 && metrics?.port === listenPort) yield 'metrics.port must differ from listen_port';
  const seen = new Set<string>();
  for (const [index, node] of config.staticNodes.entries()) {
    if (seen.has(nodeKey(node))) yield `static_nodes[${index}] duplicates an earlier entry`;
    seen.add(nodeKey(node));
    const { url, caFile } = written.staticNodes[index]!;
    if (caFile !== undefined && !url.isTls) yield `static_nodes[${index}].ca_file requires a url with https`;
  }
}

const PATHS = ['stateFile', 'downloadsDir', 'releasesDir'] as const;

function withAbsolutePaths(written: WrittenConfig, baseDir: string): GatewayConfig {
  const absolute = (path: string) => resolve(baseDir, path);
  const { tls, limits } = written;
  const staticNodes = written.staticNodes.map(({ url, role, caFile }): StaticNode => {
    const issuers = caFile === undefined ? {} : { caFile: absolute(caFile) };
    return { ...addressOf(url), role, ...(url.isTls && { tls: issuers }) };
  });
  const made: GatewayConfig = {
    ...FIXED_CONFIG,
    ...written,
    staticNodes,
    limits: { ...FIXED_LIMITS, ...limits },
  };
  for (const name of PATHS) if (made[name] !== undefined) made[name] = absolute(made[name]);
  if (tls !== undefined) made.tls = { certFile: absolute(tls.certFile), keyFile: absolute(tls.keyFile) };
  return made;
}
