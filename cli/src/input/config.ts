import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { parseJson } from '@zbc-signer/chain';
import { UsageError } from '../errors/errors.js';

/** The keys of the configuration file; values are written as for the options. */
const CONFIG_KEYS = ['device', 'api', 'max_fee'] as const;
type ConfigKey = (typeof CONFIG_KEYS)[number];

const MAX_BYTES = 16_384;
const MAX_VALUE = 2048;

/** Where a setting comes from, for errors. */
export interface Setting {
  value: string;
  source: string;
}

/** A setting of the configuration file; undefined without the file or the key. Throws UsageError. */
export function readConfig(key: ConfigKey): Setting | undefined {
  const path = configPath();
  const value = path === undefined ? undefined : readFile(path)?.get(key);
  return value === undefined ? undefined : { value, source: `${key} in ${path}` };
}

/** `config.json` in the directory of the XDG Base Directory Specification, which ignores relative paths. */
function configPath(): string | undefined {
  const base = process.env.XDG_CONFIG_HOME ?? '';
  return isAbsolute(base) ? join(base, 'zbc-signer/config.json') : inHome('.config/zbc-signer/config.json');
}

/** Undefined for a user without a home directory. */
function inHome(path: string): string | undefined {
  try {
    return join(homedir(), path);
  } catch {
    return undefined;
  }
}

function readFile(path: string): Map<string, string> | undefined {
  const text = readText(path);
  if (text === undefined) return undefined;
  let json: unknown;
  try {
    json = parseJson(text);
  } catch {
    throw new UsageError(`${path} is not JSON`);
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new UsageError(`${path} must be one JSON object`);
  }
  return new Map(Object.entries(json).map(([key, value]) => [key, checkValue(path, key, value)]));
}

/** Neither waits for a pipe nor reads a file without end. */
function readText(path: string): string | undefined {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw new UsageError(`${path} is not a file`);
    if (stats.size > MAX_BYTES) throw new UsageError(`${path} is longer than ${MAX_BYTES} bytes`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code: unknown = Reflect.get(Object(error), 'code');
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new UsageError(`cannot read ${path} (${code})`);
  }
}

function checkValue(path: string, key: string, value: unknown): string {
  if (!CONFIG_KEYS.some(known => known === key)) {
    throw new UsageError(
      `${path}: unknown key ${key.slice(0, 40)}`,
      `It may have ${CONFIG_KEYS.join(', ')}.`,
    );
  }
  if (typeof value !== 'string' || value === '' || value.length > MAX_VALUE) {
    throw new UsageError(`${path}: ${key} must be a string, as for --${key.replace('_', '-')}`);
  }
  return value;
}
