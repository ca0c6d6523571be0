import { HASH_LENGTH } from '../../../protocol/src/limits';
import { sha3_256 } from '../crypto/crypto';
import { Details, describeAccountIndex, describeHash } from './details';
import { putAddress, putDecimal, putHex, putText } from './format';
import { Items } from './items';
import { textLength } from './text';

const hash: usize = memory.data(HASH_LENGTH, 8);

/**
 * Describes bytes that may be text: the text, or their number and the first digits of their hash, followed by
 * an item of all digits if details are shown. Adds no item for no bytes.
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

/** The items of SIGN_MESSAGE, whose message was checked to be text. */
export function describeMessage(items: Items, publicKey: usize, message: usize, length: i32): void {
  items.begin('Account');
  putAddress(items, publicKey);
  items.refer('Message', message, length);
}

/** The items of an address confirmation: the account's index, if wanted, and the address. */
export function describeAddress(items: Items, publicKey: usize, index: u32, withIndex: bool): void {
  if (withIndex) describeAccountIndex(items, index);
  items.begin('Address');
  putAddress(items, publicKey);
}
