// The key of contacts: SLIP-0021 for m/"ZBC signer"/"contacts". The caller must wipe the working memory.
import { computeHmac } from './hmac-sha512';
import { NODE } from './scratch';

const MASTER_LENGTH = 18;
const ROOM_LENGTH = 11;
const CONTACTS_LENGTH = 9;
/** NODE = HMAC-SHA512 of the message under the key of contacts of a 64-byte BIP-39 seed; 64 bytes. */
export function computeContactHmac(seed: usize, message: usize, length: i32): void {
  // "Symmetric key seed", then the two labels, each behind a byte 0. Modules that do not call this function must
  // not contain them.
  const labels = memory.data<u8>([
    0x53, 0x79, 0x6d, 0x6d, 0x65, 0x74, 0x72, 0x69, 0x63, 0x20, 0x6b, 0x65, 0x79, 0x20, 0x73, 0x65, 0x65,
    0x64, 0x00, 0x5a, 0x42, 0x43, 0x20, 0x73, 0x69, 0x67, 0x6e, 0x65, 0x72, 0x00, 0x63, 0x6f, 0x6e, 0x74,
    0x61, 0x63, 0x74, 0x73,
  ]);
  computeHmac(NODE, labels, MASTER_LENGTH, seed, 64);
  computeHmac(NODE, NODE, 32, labels + MASTER_LENGTH, ROOM_LENGTH);
  computeHmac(NODE, NODE, 32, labels + MASTER_LENGTH + ROOM_LENGTH, CONTACTS_LENGTH);
  computeHmac(NODE, NODE + 32, 32, message, length);
}
