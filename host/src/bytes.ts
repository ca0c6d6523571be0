import { isBytes } from '@noble/hashes/utils.js';
import { invalidInputError } from '@zbc-signer/chain';

/** Copies a Uint8Array; returns undefined for anything else. */
export function copyBytes(value: unknown): Uint8Array | undefined {
  return isBytes(value) ? Uint8Array.from(value) : undefined;
}

/** Like `copyBytes`; throws `INVALID_INPUT`, naming the argument. `length` is the only valid length in bytes. */
export function readBytes(name: string, value: unknown, length?: number): Uint8Array {
  const bytes = copyBytes(value);
  if (bytes === undefined) throw invalidInputError(`${name} must be a Uint8Array`);
  if (length !== undefined && bytes.length !== length)
    throw invalidInputError(`${name} must have ${length} bytes, not ${bytes.length}`);
  return bytes;
}
