// Compares the firmware's cryptography in WASM with OpenSSL (node:crypto), noble and libsodium.js, on the
// same inputs in the same run.
import { createHash, createHmac, sign as opensslSign, verify as opensslVerify } from 'node:crypto';
import { getPublicKey, hashes, sign as nobleSign, verify as nobleVerify } from '@noble/ed25519';
import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { sha3_256 } from '@noble/hashes/sha3.js';
import sodium from 'libsodium-wrappers';
import { CryptoModule } from '../testkit/crypto/crypto-module.js';
import { privateKeyObject, publicKeyObject } from '../testkit/crypto/openssl.js';
import { createRandom } from '../testkit/crypto/random.js';
import { measure, type Timing } from './measure.js';

const OURS = 'firmware';
const OPENSSL = 'node:crypto';
const NOBLE = '@noble';
const SODIUM = 'libsodium';

export interface Row {
  task: string;
  ours: Timing;
  peers: Map<string, Timing>;
}

/** Measures the firmware's function, which is the first work, and the other libraries' functions. */
function measureTask(task: string, works: Record<string, () => unknown>): Row {
  const [[, ours], ...peers] = [...measure(new Map(Object.entries(works)))] as [
    [string, Timing],
    ...[string, Timing][],
  ];
  return { task, ours, peers: new Map(peers) };
}

hashes.sha512 = sha512;
await sodium.ready;
const random = createRandom(1);
const [key, message] = [random(32), random(32)];
const publicKey = getPublicKey(key);
const [opensslKey, opensslPublicKey] = [privateKeyObject(key), publicKeyObject(publicKey)];
const signature = nobleSign(message, key);
const sodiumKey = sodium.crypto_sign_seed_keypair(key).privateKey;

const module = new CryptoModule();
const { exports } = module;
const [keyAt, messageAt, publicKeyAt, signatureAt] = [key, message, publicKey, signature].map(bytes =>
  module.place(bytes),
) as [number, number, number, number];
const out = module.place(new Uint8Array(64));

function measureEd25519(): Row[] {
  return [
    // A key object of node:crypto contains the public key, and OpenSSL hashes the private key for each
    // signature.
    // For a fair comparison, `signUnchecked` receives both keys, hashes and signs. The firmware's `sign` also
    // derives the public key and verifies. The `sign` of noble derives the public key too.
    measureTask('Ed25519 sign 32 B, the signature alone', {
      [OURS]: () => exports.signUnchecked(out, messageAt, 32, keyAt, publicKeyAt),
      [OPENSSL]: () => opensslSign(null, message, opensslKey),
      [SODIUM]: () => sodium.crypto_sign_detached(message, sodiumKey),
      [NOBLE]: () => nobleSign(message, key),
    }),
    measureTask('Ed25519 sign 32 B, derive + sign + verify', {
      [OURS]: () => exports.sign(out, messageAt, 32, keyAt, publicKeyAt),
      [NOBLE]: () => nobleVerify(nobleSign(message, key), message, getPublicKey(key)),
    }),
    measureTask('Ed25519 public key', {
      [OURS]: () => exports.publicKey(out, keyAt),
      [SODIUM]: () => sodium.crypto_sign_seed_keypair(key),
      [NOBLE]: () => getPublicKey(key),
    }),
    measureTask('Ed25519 verify 32 B', {
      [OURS]: () => exports.verify(signatureAt, messageAt, 32, publicKeyAt),
      [OPENSSL]: () => opensslVerify(null, message, opensslPublicKey, signature),
      [SODIUM]: () => sodium.crypto_sign_verify_detached(signature, message, publicKey),
      [NOBLE]: () => nobleVerify(signature, message, publicKey),
    }),
  ];
}

function measureHash(length: number): Row {
  const data = random(length);
  const dataAt = module.place(data);
  return measureTask(`SHA3-256 ${length} B`, {
    [OURS]: () => exports.sha3_256(out, dataAt, length),
    [OPENSSL]: () => createHash('sha3-256').update(data).digest(),
    [SODIUM]: () => sodium.crypto_hash_sha3256(data),
    [NOBLE]: () => sha3_256(data),
  });
}

function measureMac(length: number): Row {
  const data = random(length);
  const dataAt = module.place(data);
  return measureTask(`HMAC-SHA512 ${length} B`, {
    [OURS]: () => exports.hmacSha512(out, keyAt, 32, dataAt, length),
    [OPENSSL]: () => createHmac('sha512', key).update(data).digest(),
    [NOBLE]: () => hmac(sha512, key, data),
  });
}

export function measureCrypto(): Row[] {
  return [...measureEd25519(), measureHash(151), measureHash(2048), measureMac(37), measureMac(2048)];
}
