import { sha3_256 } from '@noble/hashes/sha3.js';
import { publicKeyOf, toHex } from '@zbc-signer/chain';

/** A private key that anyone can derive; it protects nothing. */
export function developmentKey(name: string): Uint8Array {
  return sha3_256(new TextEncoder().encode(`ZBC development network ${name}`));
}

/** Lower hex. */
export function developmentPublicKey(name: string): string {
  return toHex(publicKeyOf(developmentKey(name)));
}
