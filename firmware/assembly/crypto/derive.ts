// SLIP-0010 for Ed25519: every level is hardened.
import { computeHmac } from './hmac-sha512';
import { CHILD, NODE } from './scratch';

const HARDENED: u32 = 0x80000000;
const PURPOSE: u32 = 44;
const COIN_TYPE: u32 = 883;

/** "ed25519 seed" */
const MASTER_KEY: usize = memory.data<u8>([
  0x65, 0x64, 0x32, 0x35, 0x35, 0x31, 0x39, 0x20, 0x73, 0x65, 0x65, 0x64,
]);

/**
 * NODE = the key of m/44'/883'/account' and its chain code, 32 bytes each, from a 64-byte BIP-39 seed. The
 * caller must wipe the working memory.
 */
export function deriveAccount(seed: usize, account: u32): void {
  deriveMaster(seed, 64);
  deriveChild(PURPOSE);
  deriveChild(COIN_TYPE);
  deriveChild(account);
}

/** NODE = the master key and its chain code. */
export function deriveMaster(seed: usize, length: i32): void {
  computeHmac(NODE, MASTER_KEY, 12, seed, length);
}

/** Replaces NODE with its hardened child `index`, which is below 2^31. */
export function deriveChild(index: u32): void {
  store<u8>(CHILD, 0);
  memory.copy(CHILD + 1, NODE, 32);
  store<u32>(CHILD, bswap(index + HARDENED), 33);
  computeHmac(NODE, NODE + 32, 32, CHILD, 37);
}
