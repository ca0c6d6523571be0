import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository/repository.js';

/**
 * The constant d of the curve (RFC 8032 §5.1). The firmware needs it to decode a public key, but not to sign.
 */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/**
 * Returns a field element as the firmware stores it: ten little-endian words, alternately with 26 and 25
 * bits.
 */
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
 * Compiles a module of dist/firmware with one wrong bit of d. It signs correctly, but its verification
 * rejects the signatures.
 */
export async function compileWithoutVerification(name: string): Promise<WebAssembly.Module> {
  const bytes = readFileSync(join(root, 'dist/firmware', name));
  const at = bytes.indexOf(limbsOf(D));
  if (at < 0) throw new Error(`${name} does not contain the curve's constant d as ten words`);
  bytes[at]! ^= 1;
  return WebAssembly.compile(bytes);
}
