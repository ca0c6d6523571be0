import { resolve } from 'node:path';
import { ConfigError } from '../base/errors.js';
import { parseListen, parseNodeUrl } from '../base/host.js';
import { nodeKey } from '../base/node-address.js';
import { createAjv, describeFault, withNumbers } from '../base/validation.js';
import { type CamelCased, FIXED_CONFIG, type GatewayConfig, type StaticNode } from './config.js';
import { CONFIG_SCHEMA, type WrittenConfig } from './schema.js';

const validate = createAjv({ allErrors: true, useDefaults: true }).compile<WrittenConfig>(CONFIG_SCHEMA);

/**
 * Validates the content of `gateway.json`, in which paths are relative to `baseDir`. Throws ConfigError with
 * all faults, one for each field.
 */
export function parseGatewayConfig(json: unknown, baseDir: string): GatewayConfig {
  const written = withNumbers(json);
  if (!validate(written)) {
    const byField = new Map<string, string>();
    for (const error of validate.errors ?? []) {
      const line = describeFault(error, 'the configuration');
      const field = line.split(' ')[0]!;
      if (!byField.has(field)) byField.set(field, line);
    }
    throw invalid([...byField.values()]);
  }
  const config = readConfig(written, baseDir);
  const faults = [...contradictions(written, config)];
  if (faults.length > 0) throw invalid(faults);
  return config;
}

function invalid(faults: readonly string[]): ConfigError {
  const message = faults.length === 1 ? faults[0]! : `${faults.length} invalid fields`;
  return new ConfigError('CONFIG_INVALID', message, faults);
}

/** Reports fields that contradict each other. */
function* contradictions(written: WrittenConfig, config: GatewayConfig): Iterable<string> {
  const { tls, metrics, listenPort, hstsSeconds, publicUrl, staticNodes } = config;
  if (hstsSeconds > 0 && tls === undefined && publicUrl === undefined) {
    yield 'hsts_seconds requires tls or public_url';
  }
  if (listenPort !== 0 && metrics?.port === listenPort)
    yield 'metrics_listen must have another port than listen';
  const seen = new Set<string>();
  for (const [index, node] of staticNodes.entries()) {
    const key = nodeKey(node).replace(/^localhost:/, '127.0.0.1:');
    if (seen.has(key)) yield `static_nodes[${index}] duplicates an earlier entry`;
    seen.add(key);
    if (written.static_nodes[index]!.ca_file !== undefined && node.tls === undefined) {
      yield `static_nodes[${index}].ca_file requires a url with https`;
    }
  }
}

const PATHS = ['stateFile', 'downloadsDir', 'releasesDir'] as const;

function readConfig(written: WrittenConfig, baseDir: string): GatewayConfig {
  const absolute = (path: string) => resolve(baseDir, path);
  const { listen, metricsListen, staticNodes, ...fields } = camelCased(written) as CamelCased<WrittenConfig>;
  const { host: listenHost, port: listenPort } = parseListen(listen)!;
  const config: GatewayConfig = { ...FIXED_CONFIG, ...fields, listenHost, listenPort, staticNodes: [] };
  const { publicUrl, genesisHash, relay, tls } = fields;
  config.gatewayHost = fields.gatewayHost.toLowerCase();
  config.otherHosts = fields.otherHosts.map(host => host.toLowerCase());
  config.staticNodes = staticNodes.map(({ url, role, caFile }): StaticNode => {
    const { isTls, ...address } = parseNodeUrl(url)!;
    const issuers = caFile === undefined ? {} : { caFile: absolute(caFile) };
    return { ...address, role, ...(isTls && { tls: issuers }) };
  });
  if (metricsListen !== undefined) config.metrics = parseListen(metricsListen)!;
  if (publicUrl !== undefined) config.publicUrl = new URL(publicUrl).origin;
  if (genesisHash !== undefined) config.genesisHash = readHash(genesisHash);
  if (relay !== undefined) {
    config.relay = { ...relay, rate: BigInt(relay.rate), genesisHash: readHash(relay.genesisHash) };
  }
  if (tls !== undefined) config.tls = { certFile: absolute(tls.certFile), keyFile: absolute(tls.keyFile) };
  for (const name of PATHS) if (config[name] !== undefined) config[name] = absolute(config[name]);
  return config;
}

function camelCased(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(camelCased);
  if (typeof json !== 'object' || json === null) return json;
  const rename = (name: string) => name.replace(/_./g, ([, letter]) => letter!.toUpperCase());
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [rename(name), camelCased(value)]));
}

function readHash(text: string): string {
  return text.toLowerCase().replace(/^0x/, '');
}
