import { sha3_256 } from '@noble/hashes/sha3.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { PUBLIC_KEY_LENGTH } from '@zbc-signer/protocol/limits';
import { invalidInputError, ZbcSignerError } from './error.js';
import { fromHex, toHex } from './hex.js';

const PREFIX = 'ZBC';
const PREFIX_BYTES = new TextEncoder().encode(PREFIX);
const CHECKSUM = 3;
/** Number of base32 characters for 32 key bytes and 3 checksum bytes; no bits are left over. */
const ENCODED = 56;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const MAX_TEXT = 200;
const OTHER_PREFIXES = new Map([
  ['ZNK', "a node's address"],
  ['ZBS', "a dataset's address"],
  ['ZBG', "a gateway's address"],
  ['ZBR', "a relay's address"],
]);

/** Encodes a 32-byte Ed25519 public key as 66 characters: `ZBC_` and 7 groups of 8. */
export function encodeAddress(publicKey: Uint8Array): string {
  if (publicKey.length !== PUBLIC_KEY_LENGTH) {
    throw invalidInputError(`a public key is ${PUBLIC_KEY_LENGTH} bytes, not ${publicKey.length}`);
  }
  const encoded = encodeBase32(concatBytes(publicKey, checksumOf(publicKey)));
  return [PREFIX, ...(encoded.match(/.{8}/g) ?? [])].join('_');
}

/**
 * Decodes an address to its 32-byte public key; case, underscores, dashes and spaces are ignored. Throws
 * `ADDRESS_…`.
 */
export function decodeAddress(text: string): Uint8Array {
  const bytes = decodeBase32(encodedPart(text));
  const publicKey = bytes.slice(0, PUBLIC_KEY_LENGTH);
  const checksum = checksumOf(publicKey);
  if (!checksum.every((byte, at) => byte === bytes[PUBLIC_KEY_LENGTH + at])) {
    throw new ZbcSignerError(
      'ADDRESS_CHECKSUM',
      'the checksum of the address does not match: it may be mistyped',
    );
  }
  return publicKey;
}

function encodedPart(text: string): string {
  if (text.length > MAX_TEXT) {
    throw new ZbcSignerError('ADDRESS_LENGTH', `the address has ${text.length} characters, expected 66`);
  }
  const compact = text.replace(/[_\- ]/g, '');
  checkPrefix(compact);
  const encoded = compact.slice(PREFIX.length);
  // This check is before toUpperCase, which turns some non-ASCII letters into ASCII.
  if (!/^[a-z2-7]*$/i.test(encoded)) {
    throw new ZbcSignerError(
      'ADDRESS_ALPHABET',
      'the address has a character other than the letters A-Z and the digits 2-7',
    );
  }
  if (encoded.length !== ENCODED) {
    throw new ZbcSignerError(
      'ADDRESS_LENGTH',
      `the address has ${encoded.length} characters after ${PREFIX}, expected ${ENCODED}`,
    );
  }
  return encoded.toUpperCase();
}

function checkPrefix(compact: string): void {
  const found = compact.slice(0, PREFIX.length);
  if (/^zbc$/i.test(found)) return;
  const other = /^[a-z]{3}$/i.test(found) ? found.toUpperCase() : '';
  const known = OTHER_PREFIXES.get(other);
  if (known !== undefined) {
    throw new ZbcSignerError(
      'ADDRESS_PREFIX',
      `the address starts with ${other}: ${known}, not an account's`,
    );
  }
  throw new ZbcSignerError('ADDRESS_PREFIX', `an account address starts with ${PREFIX}`);
}

function checksumOf(publicKey: Uint8Array): Uint8Array {
  return sha3_256(concatBytes(publicKey, PREFIX_BYTES)).slice(0, CHECKSUM);
}

/** Encodes 35 bytes in the base32 of RFC 4648, without padding. */
function encodeBase32(bytes: Uint8Array): string {
  const digits = BigInt(`0x${toHex(bytes)}`)
    .toString(32)
    .padStart(ENCODED, '0');
  return [...digits].map(digit => ALPHABET[Number.parseInt(digit, 32)]).join('');
}

function decodeBase32(text: string): Uint8Array {
  const value = [...text].reduce((sum, letter) => sum * 32n + BigInt(ALPHABET.indexOf(letter)), 0n);
  return fromHex(value.toString(16).padStart((ENCODED * 5) / 4, '0'));
}
