import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { UsageError } from '../errors/errors.js';
import { parseJsonObject } from './values.js';

/** The port on which `devnet` listens, and on which other commands expect a gateway by default. */
export const DEVNET_PORT = 8883;

/** The ports on which the nodes of `devnet` and `node run` listen by default. */
export const DEVNET_NODE_PORT = 8884;
export const DEVNET_ARCHIVAL_PORT = 8885;

/** The variable with the emulator's seed. Other users can read the process list, which has all arguments. */
export const SEED_VARIABLE = 'ZBC_SIGNER_EMULATOR_SEED';

/** The keys of the configuration file. Values are written as in the options. */
const CONFIG_KEYS = ['device', 'api', 'max_fee', 'anti_exfil'] as const;
type ConfigKey = (typeof CONFIG_KEYS)[number];

const MAX_BYTES = 16_384;
const MAX_VALUE = 2048;

/** A setting with its origin, for errors. */
export interface Setting {
  value: string;
  source: string;
}

/**
 * Reads a setting of the configuration file; undefined if the file or the key is missing. Throws UsageError.
 */
function readConfig(key: ConfigKey): Setting | undefined {
  const path = configPath();
  const value = path === undefined ? undefined : readFile(path)?.get(key);
  return value === undefined ? undefined : { value, source: `${key} in ${path}` };
}

/**
 * The path of `config.json`. By the XDG Base Directory Specification, a relative XDG_CONFIG_HOME is ignored.
 */
function configPath(): string | undefined {
  const base = process.env.XDG_CONFIG_HOME ?? '';
  return isAbsolute(base) ? join(base, 'zbc-signer/config.json') : inHome('.config/zbc-signer/config.json');
}

/** Returns undefined for a user without a home directory. */
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
  const entries = Object.entries(parseJsonObject(path, text));
  return new Map(entries.map(([key, value]) => [key, checkValue(path, key, value)]));
}

/** Reads a regular file up to a limit. Reading a pipe could wait, and a device file may be endless. */
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
      `The known keys are ${CONFIG_KEYS.join(', ')}.`,
    );
  }
  if (typeof value !== 'string' || value === '' || value.length > MAX_VALUE) {
    throw new UsageError(
      `${path}: ${key} must be a string of 1 to ${MAX_VALUE} characters, like the value of --${key.replace('_', '-')}`,
    );
  }
  return value;
}

/**
 * The directory of this user's payments, contacts and records of signings. By the XDG Base Directory Specification, a relative
 * XDG_STATE_HOME is ignored.
 */
export function stateDirectory(): string {
  const base = process.env.XDG_STATE_HOME ?? '';
  return join(isAbsolute(base) ? base : join(homedir(), '.local/state'), 'zbc-signer');
}

// In each of these settings, an option overrides a variable, which overrides the configuration file.

export function apiSetting(option: string | undefined): Setting {
  return (
    given('--api', option) ??
    given('ZBC_SIGNER_API', process.env.ZBC_SIGNER_API) ??
    readConfig('api') ?? { value: `http://127.0.0.1:${DEVNET_PORT}`, source: '--api' }
  );
}

export function deviceSetting(option: string | undefined): Setting {
  return (
    given('--device', option) ??
    given('ZBC_SIGNER_DEVICE', process.env.ZBC_SIGNER_DEVICE) ??
    readConfig('device') ?? { value: 'hid', source: '--device' }
  );
}

export function maxFeeSetting(option: string | undefined): Setting | undefined {
  return given('--max-fee', option) ?? readConfig('max_fee');
}

export function antiExfilSetting(option: string | undefined): Setting | undefined {
  return given('--anti-exfil', option) ?? readConfig('anti_exfil');
}

function given(source: string, value: string | undefined): Setting | undefined {
  return value === undefined ? undefined : { value, source };
}
