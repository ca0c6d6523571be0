// HMAC (RFC 2104) with SHA-512.
import { HMAC_KEY } from './scratch';
import { sha512, sha512Final, sha512Init, sha512Update } from './sha512';

const BLOCK = 128;

/** HMAC-SHA512, 64 bytes to `out`; a key longer than a block of 128 bytes is hashed first. Does not wipe. */
export function computeHmac(out: usize, key: usize, keyLength: i32, message: usize, length: i32): void {
  memory.fill(HMAC_KEY, 0, BLOCK);
  if (keyLength > BLOCK) sha512(HMAC_KEY, key, keyLength);
  else memory.copy(HMAC_KEY, key, keyLength);
  hashKeyed(out, 0x36363636, message, length);
  hashKeyed(out, 0x36363636 ^ 0x5c5c5c5c, out, 64);
}

/** SHA-512 of the key xored with a pad, then the message; `change` is xored to replace the previous pad. */
function hashKeyed(out: usize, change: u32, message: usize, length: i32): void {
  for (let i = 0; i < BLOCK; i += 4) store<u32>(HMAC_KEY + i, load<u32>(HMAC_KEY + i) ^ change);
  sha512Init();
  sha512Update(HMAC_KEY, BLOCK);
  sha512Update(message, length);
  sha512Final(out);
}
