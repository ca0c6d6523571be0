import { sha3_256 } from '@noble/hashes/sha3.js';
import { publicKeyOf, toHex } from '@zbc-signer/chain';

/** Returns a private key that anyone can derive; it protects nothing. */
export function developmentKey(name: string): Uint8Array {
  return sha3_256(new TextEncoder().encode(`ZBC development network ${name}`));
}

/** Returns the public key of the private key with this name, in lower-case hex. */
export function developmentPublicKey(name: string): string {
  return toHex(publicKeyOf(developmentKey(name)));
}
