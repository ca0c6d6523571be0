import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseJson } from '@zbc-signer/chain';
import { ConfigError, systemCode } from '../base/errors.js';
import type { GatewayConfig } from './config.js';
import { parseGatewayConfig } from './parse.js';

const MAX_FILE_BYTES = 1_048_576;
const GROUP_MAY_READ = 0o040;
const OTHERS_MAY_READ = 0o004;
const BYTE_ORDER_MARK = '\uFEFF';
const LOOPBACK = /^(127\.|::1$|localhost$)/;

/** A file's configuration, with warnings for its owner. */
export interface LoadedConfig {
  config: GatewayConfig;
  warnings: readonly string[];
}

/** Reads and validates `gateway.json` and checks that its directories exist; throws ConfigError. */
export async function loadGatewayConfig(path: string): Promise<LoadedConfig> {
  const { text, isExposed } = await readConfigFile(path);
  const config = parseGatewayConfig(parseText(text, path), dirname(resolve(path)));
  const { downloadsDir, releasesDir, stateFile } = config;
  await requireDirectory('downloads_dir', downloadsDir);
  await requireDirectory('releases_dir', releasesDir);
  // The file itself may be created later.
  await requireDirectory('state_file', stateFile && dirname(stateFile));
  return { config, warnings: [...warningsOf(config, isExposed)] };
}

async function readConfigFile(path: string): Promise<{ text: string; isExposed: boolean }> {
  try {
    const { mode, gid, size } = await stat(path);
    if (size > MAX_FILE_BYTES) {
      throw new ConfigError('CONFIG_UNREADABLE', `the configuration is larger than ${MAX_FILE_BYTES} bytes`);
    }
    return { text: await readFile(path, 'utf8'), isExposed: isReadByOthers(mode, gid) };
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const code = systemCode(error);
    const message = `cannot read the configuration ${path} (${code})`;
    const hint = '`zbc-signer gateway init` writes a configuration.';
    throw new ConfigError('CONFIG_UNREADABLE', message, [], code === 'ENOENT' ? { hint } : {});
  }
}

/** A group of this process was presumably created for it, so its members may read the file. */
function isReadByOthers(mode: number, gid: number): boolean {
  if (process.platform === 'win32') return false;
  const groups = [process.getegid?.(), ...(process.getgroups?.() ?? [])];
  return (mode & OTHERS_MAY_READ) !== 0 || ((mode & GROUP_MAY_READ) !== 0 && !groups.includes(gid));
}

/** Uses only the position of the parser's message, because the message may quote part of the admin API key. */
function parseText(text: string, file: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const place = placeAt(text, /in JSON at position (\d+)/.exec(message)?.[1]);
    throw new ConfigError('CONFIG_INVALID', `the configuration ${file} ${faultOf(text, message)}${place}`);
  }
}

function faultOf(text: string, message: string): string {
  if (text.startsWith(BYTE_ORDER_MARK)) return 'begins with a byte order mark: save it as UTF-8 without one';
  return message.startsWith('duplicate name') ? 'has a name twice in an object' : 'is not valid JSON';
}

function placeAt(text: string, position: string | undefined): string {
  if (position === undefined) return '';
  const lines = text.slice(0, Number(position)).split('\n');
  return ` at line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
}

async function requireDirectory(field: string, path: string | undefined): Promise<void> {
  const found = path === undefined || (await stat(path).catch(() => undefined));
  if (found === true || found?.isDirectory()) return;
  throw new ConfigError('CONFIG_INVALID', `${field}: there is no directory ${path}`);
}

function* warningsOf(config: GatewayConfig, isExposed: boolean): Iterable<string> {
  if (isExposed) {
    yield 'the configuration, with its admin_api_key, is readable by other users; run chmod 600, or chmod 640 ' +
      "and give it a group that only the gateway's user belongs to";
  }
  if (config.tls === undefined && !LOOPBACK.test(config.listenHost)) {
    yield 'without tls, admin_api_key is sent in plain text unless a proxy in front terminates TLS';
  }
  if (config.staticNodes.length === 0) {
    yield 'static_nodes is empty: requests fail until a node is added to the allowlist';
  }
}
