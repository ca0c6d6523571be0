// Ed25519 of node:crypto. It accepts keys only in DER form (RFC 8410), so raw keys are converted.
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

export function privateKeyObject(key: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8, key]), format: 'der', type: 'pkcs8' });
}

export function publicKeyObject(publicKey: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' });
}

/**
 * Returns a key pair that can be used repeatedly, because OpenSSL needs more time to read a key than to use
 * it.
 */
export function opensslPair(key: Uint8Array): {
  publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
} {
  const object = privateKeyObject(key);
  const { x } = createPublicKey(object).export({ format: 'jwk' });
  return {
    publicKey: new Uint8Array(Buffer.from(x!, 'base64url')),
    sign: message => new Uint8Array(sign(null, message, object)),
  };
}

export function opensslPublicKey(key: Uint8Array): Uint8Array {
  return opensslPair(key).publicKey;
}

export function opensslSign(message: Uint8Array, key: Uint8Array): Uint8Array {
  return opensslPair(key).sign(message);
}

export function opensslVerify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  return verify(null, message, publicKeyObject(publicKey), signature);
}
