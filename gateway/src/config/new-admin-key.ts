import { randomBytes } from 'node:crypto';

const KEY_BYTES = 32;

/** As `admin_api_key` takes it. */
export function newAdminKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}
