import { HASH_LENGTH, PUBLIC_KEY_LENGTH } from '../../../protocol/src/limits';
import { sha3_256, wipe } from '../crypto/crypto';

const CHECKSUM = 3;
const GROUP = 8;

const INPUT = 40;
const input: usize = memory.data(INPUT, 8);
const hash: usize = memory.data(HASH_LENGTH, 8);

/** Writes the 66 characters of the address of a public key to `out` (docs/TRANSACTION.md#addresses). */
export function formatAddress(out: usize, publicKey: usize): void {
  memory.copy(input, publicKey, PUBLIC_KEY_LENGTH);
  putName(input + PUBLIC_KEY_LENGTH);
  sha3_256(hash, input, PUBLIC_KEY_LENGTH + CHECKSUM);
  memory.copy(input + PUBLIC_KEY_LENGTH, hash, CHECKSUM);
  putName(out);
  let at = out + CHECKSUM;
  for (let i = 0; i < 56; i++) {
    if (i % GROUP === 0) store<u8>(at++, 0x5f);
    store<u8>(at++, base32Digit(i));
  }
}

/** Erases the data of the last formatted address. */
export function forgetAddress(): void {
  wipe(input, INPUT);
  wipe(hash, HASH_LENGTH);
}

function putName(out: usize): void {
  store<u8>(out, 0x5a);
  store<u8>(out, 0x42, 1);
  store<u8>(out, 0x43, 2);
}

/**
 * Returns the Base32 character (RFC 4648 §6) of the 5 bits that begin at bit 5 × index, where bit 0 is the
 * most significant bit of the first byte. The function has no branch, so all addresses take the same time. A
 * test can therefore measure the time of the key derivation that precedes the formatting.
 */
function base32Digit(index: i32): u32 {
  const bit = index * 5;
  const word = bswap<u16>(load<u16>(input + (bit >> 3)));
  const value = (<u32>word >> (11 - (bit & 7))) & 31;
  const isDigit = (25 - <i32>value) >> 31;
  return 0x41 + value - (isDigit & (0x41 + 26 - 0x32));
}
