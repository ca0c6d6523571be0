import { resolve } from 'node:path';
import { ConfigError } from '../base/errors.js';
import { parseListen, parseNodeUrl } from '../base/host.js';
import { nodeKey } from '../base/node-address.js';
import { createAjv, describeFault, withNumbers } from '../base/validation.js';
import { FIXED_CONFIG, type GatewayConfig, type StaticNode } from './config.js';
import { CONFIG_SCHEMA, type WrittenConfig } from './schema.js';

const validate = createAjv({ allErrors: true, useDefaults: true }).compile<WrittenConfig>(CONFIG_SCHEMA);

/**
 * Validates the content of `gateway.json`, in which paths are relative to `baseDir`. Throws ConfigError with
 * all faults, one for each field.
 */
export function parseGatewayConfig(json: unknown, baseDir: string): GatewayConfig {
  const written = withNumbers(json);
  if (!validate(written)) {
    const lines = (validate.errors ?? []).map(error => describeFault(error, 'the configuration'));
    const byField = new Map(lines.reverse().map(line => [line.split(' ')[0], line]));
    throw invalid([...byField.values()].reverse());
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
    if (seen.has(nodeKey(node))) yield `static_nodes[${index}] duplicates an earlier entry`;
    seen.add(nodeKey(node));
    if (written.static_nodes[index]!.ca_file !== undefined && node.tls === undefined) {
      yield `static_nodes[${index}].ca_file requires a url with https`;
    }
  }
}

function readConfig(written: WrittenConfig, baseDir: string): GatewayConfig {
  const absolute = (path: string) => resolve(baseDir, path);
  const given = <K extends string, T, R>(name: K, value: T | undefined, read: (value: T) => R) =>
    (value === undefined ? {} : { [name]: read(value) }) as { [N in K]?: R };
  const listen = parseListen(written.listen)!;
  return {
    ...FIXED_CONFIG,
    gatewayHost: written.gateway_host.toLowerCase(),
    otherHosts: written.other_hosts.map(host => host.toLowerCase()),
    ...given('publicUrl', written.public_url, url => new URL(url).origin),
    listenHost: listen.host,
    listenPort: listen.port,
    ...given('tls', written.tls, ({ cert_file, key_file }) => {
      return { certFile: absolute(cert_file), keyFile: absolute(key_file) };
    }),
    hstsSeconds: written.hsts_seconds,
    corsOrigins: written.cors_origins,
    trustedProxies: written.trusted_proxies,
    mode: written.mode,
    staticNodes: written.static_nodes.map(({ url, role, ca_file }): StaticNode => {
      const { isTls, ...address } = parseNodeUrl(url)!;
      const tls = given('caFile', ca_file, absolute);
      return { ...address, role, ...(isTls && { tls }) };
    }),
    allowPrivateNodes: written.allow_private_nodes,
    ...given('genesisHash', written.genesis_hash, readHash),
    healthIntervalMs: written.health_interval_ms,
    adminApiKey: written.admin_api_key,
    ...given('stateFile', written.state_file, absolute),
    ...given('downloadsDir', written.downloads_dir, absolute),
    ...given('releasesDir', written.releases_dir, absolute),
    ...given('relay', written.relay, ({ address, rate, genesis_hash }) => {
      return { address, rate: BigInt(rate), genesisHash: readHash(genesis_hash) };
    }),
    faucet: written.faucet,
    wallet: written.wallet,
    rateLimit: written.rate_limit,
    ...given('metrics', written.metrics_listen, text => parseListen(text)!),
  };
}

function readHash(text: string): string {
  return text.toLowerCase().replace(/^0x/, '');
}
