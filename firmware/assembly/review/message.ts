import { HASH_LENGTH } from '../../../protocol/src/limits';
import { sha3_256 } from '../crypto/crypto';
import { Details, describeAccountIndex, describeHash } from './details';
import { putAddress, putDecimal, putHex, putText } from './format';
import { Items } from './items';
import { textLength } from './text';

const hash: usize = memory.data(HASH_LENGTH, 8);

/**
 * Adds the item of a field that may contain text. If all bytes are text, the item shows the text. Otherwise
 * it shows the number of bytes and the first digits of their hash. If details are turned on, a second item
 * shows all digits of the hash. An empty field adds no item.
 */
export function describeText(
  items: Items,
  title: string,
  hashTitle: string,
  pointer: usize,
  length: i32,
  details: Details,
): void {
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
  items.invert();
  if (details.shown) describeHash(items, hashTitle, hash);
}

/** Adds the items of SIGN_MESSAGE. The caller must have checked that the message is text. */
export function describeMessage(items: Items, publicKey: usize, message: usize, length: i32): void {
  items.begin('Account');
  putAddress(items, publicKey);
  items.refer('Message', message, length);
}

/** Adds the items of an address confirmation: the account index if `withIndex`, and the address. */
export function describeAddress(items: Items, publicKey: usize, index: u32, withIndex: bool): void {
  if (withIndex) describeAccountIndex(items, index);
  items.begin('Address');
  putAddress(items, publicKey);
}
