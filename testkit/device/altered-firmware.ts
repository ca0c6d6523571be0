import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository/repository.js';

/** The curve's constant d (RFC 8032 §5.1), which decoding a public key needs and signing does not. */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/** The firmware's representation: ten little-endian words of alternately 26 and 25 bits. */
function limbsOf(value: bigint): Buffer {
  const bytes = Buffer.alloc(40);
  let rest = value;
  for (let i = 0; i < 10; i++) {
    const bits = i % 2 === 0 ? 26n : 25n;
    bytes.writeUInt32LE(Number(rest & ((1n << bits) - 1n)), 4 * i);
    rest >>= bits;
  }
  return bytes;
}

/**
 * A module of dist/firmware with correct signatures but failing verification, because one bit of d is wrong.
 */
export async function compileWithoutVerification(name: string): Promise<WebAssembly.Module> {
  const bytes = readFileSync(join(root, 'dist/firmware', name));
  const at = bytes.indexOf(limbsOf(D));
  if (at < 0) throw new Error(`${name} does not hold d in this form`);
  bytes[at]! ^= 1;
  return WebAssembly.compile(bytes);
}
