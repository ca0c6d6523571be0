import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ConfigError, systemCode } from '../errors.js';
import { parseJson } from '../json.js';
import type { GatewayConfig } from './config.js';
import { parseGatewayConfig } from './parse.js';

const MAX_FILE_BYTES = 1_048_576;
const OTHERS_MAY_READ = 0o044;
const LOOPBACK = /^(127\.|::1$|localhost$)/;

export interface LoadedConfig {
  config: GatewayConfig;
  /** What an operator should know and may want; a line each. */
  warnings: readonly string[];
}

/** Reads and checks `gateway.json`, and that the folders it names are there; throws ConfigError. */
export async function loadGatewayConfig(path: string): Promise<LoadedConfig> {
  const { text, mode } = await readConfigFile(path);
  const config = parseGatewayConfig(parseText(text), dirname(resolve(path)));
  await checkFolder('downloads_dir', config.downloadsDir);
  await checkFolder('releases_dir', config.releasesDir);
  return { config, warnings: [...warningsOf(config, mode)] };
}

async function readConfigFile(path: string): Promise<{ text: string; mode: number }> {
  try {
    const { mode, size } = await stat(path);
    if (size > MAX_FILE_BYTES) {
      throw new ConfigError('CONFIG_UNREADABLE', `the configuration is larger than ${MAX_FILE_BYTES} bytes`);
    }
    return { text: await readFile(path, 'utf8'), mode };
  } catch (error) {
    throw error instanceof ConfigError
      ? error
      : new ConfigError('CONFIG_UNREADABLE', `cannot read the configuration ${path} (${systemCode(error)})`);
  }
}

/** The parser's own words may repeat a piece of the file, and with it a piece of the key. */
function parseText(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const position = Number(
      /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1] ?? Number.NaN,
    );
    const line = text.slice(0, position).split('\n').length;
    const place = Number.isNaN(position) ? '' : ` at line ${line}`;
    throw new ConfigError('CONFIG_INVALID', `the configuration is not JSON${place}`);
  }
}

async function checkFolder(field: string, path: string | undefined): Promise<void> {
  if (path !== undefined && !(await stat(path).catch(() => undefined))?.isDirectory()) {
    throw new ConfigError('CONFIG_INVALID', `${field} must be a folder that exists`);
  }
}

function* warningsOf(config: GatewayConfig, mode: number): Iterable<string> {
  if ((mode & OTHERS_MAY_READ) !== 0 && process.platform !== 'win32') {
    yield 'others can read the configuration, and with it admin_api_key: chmod 600 it';
  }
  if (config.tls === undefined && !LOOPBACK.test(config.listenHost)) {
    yield 'without tls, admin_api_key crosses the network in the clear unless a proxy in front has TLS';
  }
  if (config.staticNodes.length === 0) {
    yield 'static_nodes is empty: nothing is answered until a node is added to the allowlist';
  }
}
