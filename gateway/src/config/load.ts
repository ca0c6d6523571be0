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
/** Matches the parser's errors for a text that is incomplete but valid so far. */
const END = /end of JSON|Unterminated/;
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

/** Drops the parser's message, because it may quote part of the admin API key. */
function parseText(text: string, file: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const fault = faultOfText(text, error instanceof Error ? error.message : '');
    throw new ConfigError('CONFIG_INVALID', `the configuration ${file} ${fault}`);
  }
}

/**
 * Describes why a text is not a valid configuration. Quotes only names that look like those of fields,
 * because other text may be secret.
 */
function faultOfText(text: string, message: string): string {
  if (text.startsWith(BYTE_ORDER_MARK)) return 'begins with a byte order mark: save it as UTF-8 without one';
  const invalid = 'is not valid JSON';
  if (END.test(message)) return `${invalid}: it ends too early, at ${placeAt(text, text.trimEnd().length)}`;
  const at = positionIn(message) ?? firstFault(text);
  const place = placeAt(text, at);
  if (!message.startsWith('duplicate name')) {
    const isComment = /^(\/\/|\/\*|#)/.test(text.slice(at));
    return isComment ? `${invalid}: it has a comment at ${place}` : `${invalid} at ${place}`;
  }
  const name = /^\s*"([a-z_0-9]{1,40})"/.exec(text.slice(at))?.[1];
  return `has ${name ?? 'a name'} twice in an object, at ${place}`;
}

function positionIn(message: string): number | undefined {
  const found = /position (\d+)/.exec(message)?.[1];
  return found === undefined ? undefined : Number(found);
}

/**
 * Locates a fault for which the parser gives no position. The fault is at the end of the longest prefix of
 * the text that could continue as JSON.
 */
function firstFault(text: string): number {
  let [sound, broken] = [0, text.length];
  while (broken - sound > 1) {
    const middle = Math.floor((sound + broken) / 2);
    if (mayGoOn(text.slice(0, middle))) sound = middle;
    else broken = middle;
  }
  return sound;
}

function mayGoOn(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    return END.test(message) || positionIn(message) === beginning.length;
  }
}

function placeAt(text: string, at: number): string {
  const before = text.slice(0, at);
  return `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`;
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
