import { hashes, verify as nobleVerify, Point } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { CryptoModule } from '../../../testkit/crypto/crypto-module.js';
import {
  opensslPair,
  opensslPublicKey,
  opensslSign,
  opensslVerify,
} from '../../../testkit/crypto/openssl.js';
import { createRandom } from '../../../testkit/crypto/random.js';
import { caseCount } from '../../../testkit/repository/case-count.js';
import { bytesOf } from '../../../testkit/repository/vectors.js';

const CASES = caseCount(10_000);
hashes.sha512 = sha512;
const module = new CryptoModule();
const { p: P, n: L } = Point.CURVE();

const random = createRandom(11);
const key = random(32);
const publicKey = opensslPublicKey(key);
const message = random(32);
const signature = opensslSign(message, key);

function littleEndian(value: bigint): Uint8Array {
  return bytesOf(value.toString(16).padStart(64, '0')).reverse();
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

function join(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  return bytes.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
}

type Parts = [signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array];

function challenge(r: Uint8Array, a: Uint8Array, text: Uint8Array): bigint {
  return numberOf(sha512(join(r, a, text))) % L;
}

/** The scalar of `key` (RFC 8032 §5.1.5), mod L. */
function secretScalar(): bigint {
  const hash = numberOf(sha512(key).slice(0, 32));
  return ((hash & (2n ** 254n - 8n)) | (2n ** 254n)) % L;
}

/** The eight points whose order divides 8: multiples of L times a point outside the subgroup. */
function smallPoints(): Point[] {
  const small: Point[] = [];
  for (let y = 2n; small.length === 0; y++) {
    if (!module.decodesPoint(littleEndian(y))) continue;
    const point = Point.fromBytes(littleEndian(y));
    const generator = point.multiplyUnsafe(L - 1n).add(point);
    if (generator.double().double().equals(Point.ZERO)) continue;
    for (let sum = Point.ZERO; small.length < 8; sum = sum.add(generator)) small.push(sum);
  }
  return small;
}

/**
 * A signature with nonce `r` by A = a·B + `torsion`, over the first message whose challenge is `residue` mod
 * 8.
 */
function forge(torsion: Point, a: bigint, r: bigint, residue: bigint) {
  const A = (a === 0n ? Point.ZERO : Point.BASE.multiply(a)).add(torsion).toBytes();
  const R = (r === 0n ? Point.ZERO : Point.BASE.multiply(r)).toBytes();
  for (let i = 0n; ; i++) {
    const text = littleEndian(i);
    const h = challenge(R, A, text);
    if (h % 8n !== residue) continue;
    return { signature: join(R, littleEndian((r + h * a) % L)), text, A };
  }
}

/** Whether S·B = R + h·A: the only condition of a verifier that has no rules about small orders. */
function satisfiesEquation(signature: Uint8Array, text: Uint8Array, A: Uint8Array): boolean {
  const R = signature.slice(0, 32);
  const right = Point.fromBytes(R).add(Point.fromBytes(A).multiplyUnsafe(challenge(R, A, text)));
  return Point.BASE.multiplyUnsafe(numberOf(signature.slice(32))).equals(right);
}

describe('verify', () => {
  test('refuses a signature with any bit changed', () => {
    for (let bit = 0; bit < 512; bit++)
      expect(module.verify(flipped(signature, bit), message, publicKey)).toBe(false);
  });

  test('refuses a message or a key with any bit changed', () => {
    for (let bit = 0; bit < 256; bit++) {
      expect(module.verify(signature, flipped(message, bit), publicKey)).toBe(false);
      expect(module.verify(signature, message, flipped(publicKey, bit))).toBe(false);
    }
  });

  test('refuses a signature whose S is L or more', () => {
    const s = numberOf(signature.slice(32));
    for (let multiple = 1n; s + multiple * L < 2n ** 256n; multiple++) {
      const malleable = join(signature.slice(0, 32), littleEndian(s + multiple * L));
      expect(module.verify(malleable, message, publicKey)).toBe(false);
    }
    expect(module.verify(join(signature.slice(0, 32), littleEndian(L)), message, publicKey)).toBe(false);
  });

  test('decodes exactly the keys that noble decodes by the rules of RFC 8032', () => {
    const bytes = createRandom(12);
    for (let i = 0; i < 1000; i++) {
      const encoding = bytes(32);
      let decodes = true;
      try {
        Point.fromBytes(encoding, false);
      } catch {
        decodes = false;
      }
      expect(module.decodesPoint(encoding)).toBe(decodes);
    }
  });

  test('refuses every encoding of y that is p or more', () => {
    const canonical = [];
    for (let y = 0n; y < 19n; y++) {
      for (const sign of [0n, 2n ** 255n]) {
        expect(module.decodesPoint(littleEndian(P + y + sign))).toBe(false);
        if (module.decodesPoint(littleEndian(y + sign))) canonical.push(y);
      }
    }
    expect(canonical.length).toBeGreaterThan(10); // this shows that the reason was not y itself
  });

  test('refuses a point with x = 0 whose sign bit is set', () => {
    for (const y of [1n, P - 1n]) {
      expect(module.decodesPoint(littleEndian(y))).toBe(true);
      expect(module.decodesPoint(littleEndian(y + 2n ** 255n))).toBe(false);
    }
  });

  // The OpenSSL of Node 26 also refuses small orders; that of Node 24 does not.
  test('refuses each key of small order, even for signatures that satisfy the equation', () => {
    for (const small of smallPoints()) {
      const { signature, text, A } = forge(small, 0n, 5n, 0n);
      expect(satisfiesEquation(signature, text, A)).toBe(true);
      expect(module.verify(signature, text, A)).toBe(false);
    }
  });

  test('refuses R of small order, in a signature that satisfies the equation', () => {
    const { signature, text, A } = forge(Point.ZERO, secretScalar(), 0n, 0n);
    expect(A).toEqual(publicKey);
    expect(satisfiesEquation(signature, text, A)).toBe(true);
    expect(module.verify(signature, text, A)).toBe(false);
  });

  test('refuses R in an encoding of p or more', () => {
    const { text } = forge(Point.ZERO, secretScalar(), 0n, 0n);
    const R = littleEndian(P + 1n);
    const s = (challenge(R, publicKey, text) * secretScalar()) % L;
    const forged = join(R, littleEndian(s));
    expect(nobleVerify(forged, text, publicKey)).toBe(true); // noble's default rules, ZIP 215, accept it
    expect(module.verify(forged, text, publicKey)).toBe(false);
  });

  test('checks the equation without the cofactor, as OpenSSL does', () => {
    const [, torsion] = smallPoints();
    for (const residue of [0n, 1n]) {
      const { signature, text, A } = forge(torsion!, 7n, 5n, residue);
      expect(nobleVerify(signature, text, A)).toBe(true);
      expect(opensslVerify(signature, text, A)).toBe(residue === 0n);
      expect(module.verify(signature, text, A)).toBe(residue === 0n);
    }
  });

  // noble is the slowest, so it checks only every fifth signature. It uses the rules of RFC 8032, because
  // its default rules (ZIP 215) accept more signatures: see below.
  test(`agrees with OpenSSL and noble for ${CASES} random signatures, three quarters of which are altered`, () => {
    const bytes = createRandom(13);
    const taken = [0, 0, 0, 0];
    let signer = opensslPair(key);
    for (let i = 0; i < CASES; i++) {
      const altered = i % 4;
      if (altered === 0) signer = opensslPair(bytes(32));
      const [text, place] = [bytes(1 + (i % 200)), Buffer.from(bytes(2)).readUInt16LE()];
      const parts: Parts = [signer.sign(text), text, signer.publicKey];
      if (altered > 0)
        parts[altered - 1] = flipped(parts[altered - 1]!, place % (parts[altered - 1]!.length * 8));
      const valid = opensslVerify(...parts);
      expect(module.verify(...parts)).toBe(valid);
      if (i % 5 === 0) expect(nobleVerify(...parts, { zip215: false })).toBe(valid);
      taken[altered]! += Number(valid);
    }
    expect(taken).toEqual([CASES / 4, 0, 0, 0]);
  });
});
