import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ConfigError, systemCode } from '../base/errors.js';
import { parseGatewayConfig } from './parse.js';

const KEY_BYTES = 32;

/** A random `admin_api_key`. */
export function newAdminKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}

const OWNER_ONLY = 0o600;

/**
 * Writes a configuration that is readable only by its owner. It has these fields, named as in the file, and a
 * new admin key. Throws ConfigError if a field is invalid or the file exists.
 */
export async function initGatewayConfig(path: string, fields: Record<string, unknown>): Promise<void> {
  const written = { ...fields, admin_api_key: newAdminKey() };
  parseGatewayConfig(written, dirname(resolve(path)));
  try {
    await writeFile(path, `${JSON.stringify(written, null, 2)}\n`, { flag: 'wx', mode: OWNER_ONLY });
  } catch (error) {
    const code = systemCode(error);
    if (code !== 'EEXIST') await rm(path, { force: true });
    throw code === 'EEXIST'
      ? new ConfigError('CONFIG_EXISTS', `${path} already exists: choose another file or remove it first`)
      : new ConfigError('CONFIG_UNREADABLE', `cannot write ${path} (${code})`);
  }
}
