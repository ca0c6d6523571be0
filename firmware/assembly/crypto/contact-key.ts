// The key of contacts: SLIP-0021 for m/"ZBC signer"/"contacts". The caller must wipe the working memory.
import { computeHmac } from './hmac-sha512';
import { CHILD, NODE } from './scratch';

/**
 * NODE = HMAC-SHA512 of the message under the key of contacts of a 64-byte BIP-39 seed; 64 bytes. The labels are
 * in the code and not in memory, where a flipped bit would give another key.
 */
export function computeContactHmac(seed: usize, message: usize, length: i32): void {
  // "Symmetric key seed"
  store<u64>(CHILD, 0x697274656d6d7953);
  store<u64>(CHILD, 0x65732079656b2063, 8);
  store<u16>(CHILD, 0x6465, 16);
  computeHmac(NODE, CHILD, 18, seed, 64);
  // "ZBC signer", behind a byte 0
  store<u64>(CHILD, 0x6769732043425a00);
  store<u32>(CHILD, 0x0072656e, 8);
  computeHmac(NODE, NODE, 32, CHILD, 11);
  // "contacts", behind a byte 0
  store<u64>(CHILD, 0x746361746e6f6300);
  store<u8>(CHILD, 0x73, 8);
  computeHmac(NODE, NODE, 32, CHILD, 9);
  computeHmac(NODE, NODE + 32, 32, message, length);
}
