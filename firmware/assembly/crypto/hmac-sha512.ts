// HMAC (RFC 2104) with SHA-512.
import { HMAC_KEY } from './scratch';
import { sha512, sha512Final, sha512Init, sha512Update } from './sha512';

const BLOCK = 128;

/** Writes the 64 bytes of HMAC-SHA512 to `out`. The caller must wipe the working memory. */
export function computeHmac(out: usize, key: usize, keyLength: i32, message: usize, length: i32): void {
  setHmacKey(key, keyLength);
  hashKeyed(out, 0x36363636, message, length);
  hashKeyed(out, 0x36363636 ^ 0x5c5c5c5c, out, 64);
}

/** Writes the key to HMAC_KEY, padded with zeros to a block. A key longer than a block is hashed first (§2). */
export function setHmacKey(key: usize, length: i32): void {
  memory.fill(HMAC_KEY, 0, BLOCK);
  if (length > BLOCK) sha512(HMAC_KEY, key, length);
  else memory.copy(HMAC_KEY, key, length);
}

/**
 * Hashes the padded key and then the message. `change` is the XOR of the previous and the new pad, so that
 * the key in HMAC_KEY gets the new pad.
 */
function hashKeyed(out: usize, change: u32, message: usize, length: i32): void {
  for (let i = 0; i < BLOCK; i += 4) store<u32>(HMAC_KEY + i, load<u32>(HMAC_KEY + i) ^ change);
  sha512Init();
  sha512Update(HMAC_KEY, BLOCK);
  sha512Update(message, length);
  sha512Final(out);
}
