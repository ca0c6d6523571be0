import { randomBytes } from 'node:crypto';

const KEY_BYTES = 32;

/** A random value for `admin_api_key`. */
export function newAdminKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}
