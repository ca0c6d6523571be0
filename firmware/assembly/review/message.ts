import { ADDRESS, HASH } from '../../../protocol/limits';
import { sha3_256 } from '../crypto/crypto';
import { formatAddress } from './address';
import { putDecimal, putHex, putText } from './format';
import { Items } from './items';
import { textLength } from './text';

const hash: usize = memory.data(HASH, 8);
const address: usize = memory.data(ADDRESS);

/** One item for bytes that may be text: as they are, or by their number and hash. Nothing when there are none. */
export function describeText(items: Items, title: string, pointer: usize, length: i32): void {
  if (length === 0) return;
  if (textLength(pointer, length) === length) {
    items.refer(title, pointer, length);
    return;
  }
  sha3_256(hash, pointer, length);
  items.begin(title);
  putDecimal(items, length);
  putText(items, ' bytes (binary) ');
  putHex(items, hash, 4);
}

/** The items of SIGN_MESSAGE; the message is known to be text. */
export function describeMessage(items: Items, publicKey: usize, message: usize, length: i32): void {
  formatAddress(address, publicKey);
  items.refer('Account', address, ADDRESS);
  items.refer('Message', message, length);
}

/** The item of an address confirmation. */
export function describeAddress(items: Items, publicKey: usize): void {
  formatAddress(address, publicKey);
  items.refer('Address', address, ADDRESS);
}
