import { isBytes } from '@noble/hashes/utils.js';
import { invalidInputError } from '@zbc-signer/chain';

/** A copy of its own memory; undefined for what is no Uint8Array. */
export function copyBytes(value: unknown): Uint8Array | undefined {
  return isBytes(value) ? Uint8Array.from(value) : undefined;
}

/** As `copyBytes`; throws `INVALID_INPUT`, which names the argument. */
export function readBytes(name: string, value: unknown): Uint8Array {
  const bytes = copyBytes(value);
  if (bytes === undefined) throw invalidInputError(`${name} must be a Uint8Array`);
  return bytes;
}
