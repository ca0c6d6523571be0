import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { invalidInputError, requireString } from './error.js';

/** Formats bytes as lower-case hex, without a prefix. */
export function toHex(bytes: Uint8Array): string {
  return bytesToHex(bytes);
}

/** Parses hex in either letter case, with or without a leading `0x`; throws `INVALID_INPUT`. */
export function fromHex(text: string): Uint8Array {
  requireString('hex', text);
  const digits = text.replace(/^0x/i, '');
  if (digits.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(digits)) {
    throw invalidInputError('the text is not hex: expected an even number of digits 0-9 and a-f');
  }
  return hexToBytes(digits);
}
