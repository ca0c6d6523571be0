import { sha3_256 } from '@noble/hashes/sha3.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { base32nopad } from '@scure/base';
import { PUBLIC_KEY } from '../../protocol/limits.js';

const PREFIX = 'ZBC';
const PREFIX_BYTES = new TextEncoder().encode(PREFIX);
const CHECKSUM = 3;
/** Base32 characters of 32 key bytes and 3 checksum bytes: 35 bytes fill them exactly, no bit is left over. */
const ENCODED = 56;
const MAX_TEXT = 200;
const OTHER_PREFIXES = new Map([
  ['ZNK', "a node's address"],
  ['ZBS', "a dataset's address"],
  ['ZBG', "a gateway's address"],
  ['ZBR', "a relay's address"],
]);

export type AddressErrorCode = 'prefix' | 'length' | 'alphabet' | 'checksum';

/** Why a text is not the address of an account; the message is for a person and repeats none of the text. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
  constructor(
    readonly code: AddressErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** The canonical 66 characters: `ZBC_` and 7 groups of 8, from a 32-byte Ed25519 public key. */
export function encodeAddress(publicKey: Uint8Array): string {
  if (publicKey.length !== PUBLIC_KEY) {
    throw new RangeError(`a public key is ${PUBLIC_KEY} bytes, not ${publicKey.length}`);
  }
  const encoded = base32nopad.encode(concatBytes(publicKey, checksumOf(publicKey)));
  return [PREFIX, ...(encoded.match(/.{8}/g) ?? [])].join('_');
}

/** The 32-byte public key. Underscores, dashes, spaces or nothing between the letters, of either case; throws AddressError. */
export function decodeAddress(text: string): Uint8Array {
  const bytes = base32nopad.decode(encodedPart(text));
  const publicKey = bytes.slice(0, PUBLIC_KEY);
  const checksum = checksumOf(publicKey);
  if (!checksum.every((byte, at) => byte === bytes[PUBLIC_KEY + at])) {
    throw new AddressError('checksum', 'the address has a checksum that does not match: was it mistyped?');
  }
  return publicKey;
}

function encodedPart(text: string): string {
  if (text.length > MAX_TEXT) {
    throw new AddressError('length', `the address has ${text.length} characters, 66 wanted`);
  }
  const compact = text.replace(/[_\- ]/g, '');
  checkPrefix(compact);
  const encoded = compact.slice(PREFIX.length);
  // Before upper-casing: a few letters outside ASCII turn into ASCII ones.
  if (!/^[a-z2-7]*$/i.test(encoded)) {
    throw new AddressError(
      'alphabet',
      'the address has a character other than the letters A-Z and the digits 2-7',
    );
  }
  if (encoded.length !== ENCODED) {
    throw new AddressError(
      'length',
      `the address has ${encoded.length} characters after ${PREFIX}, ${ENCODED} wanted`,
    );
  }
  return encoded.toUpperCase();
}

function checkPrefix(compact: string): void {
  const found = compact.slice(0, PREFIX.length);
  if (/^zbc$/i.test(found)) {
    return;
  }
  const other = /^[a-z]{3}$/i.test(found) ? found.toUpperCase() : '';
  const known = OTHER_PREFIXES.get(other);
  if (known !== undefined) {
    throw new AddressError('prefix', `the address starts with ${other}: ${known}, not an account's`);
  }
  throw new AddressError('prefix', `the address of an account starts with ${PREFIX}`);
}

function checksumOf(publicKey: Uint8Array): Uint8Array {
  return sha3_256(concatBytes(publicKey, PREFIX_BYTES)).slice(0, CHECKSUM);
}
