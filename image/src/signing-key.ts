import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { ImageError } from './errors.js';

const ED25519 = 'ed25519';
/** The DER bytes before a key's 32 bytes, in PKCS #8 and in SubjectPublicKeyInfo (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Returns a publicly known key for experiments on one's own board. No release is signed with it. */
export function developmentKey(): KeyObject {
  const seed = createHash('sha256').update('zbc-signer: key for development, never for a release').digest();
  return createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}

/** Returns the public half of the development key. */
export function developmentPublicKey(): KeyObject {
  return createPublicKey(developmentKey());
}

/** Returns whether a private or public key belongs to the development key pair. */
export function isDevelopmentKey(key: KeyObject): boolean {
  return spkiOf(key).equals(spkiOf(developmentKey()));
}

/** Returns an Ed25519 key in PEM (PKCS #8), without a passphrase; throws ImageError. */
export function parsePrivateKey(pem: string): KeyObject {
  return expectEd25519(() => createPrivateKey(pem), 'a private Ed25519 key in PEM, without a passphrase');
}

/** Returns an Ed25519 key in PEM, or 64 hex digits; throws ImageError. */
export function parsePublicKey(text: string): KeyObject {
  const digits = /^\s*([0-9a-f]{64})\s*$/i.exec(text)?.[1];
  const key = () =>
    digits === undefined
      ? createPublicKey(text)
      : createPublicKey({
          key: Buffer.concat([PUBLIC_PREFIX, Buffer.from(digits, 'hex')]),
          format: 'der',
          type: 'spki',
        });
  return expectEd25519(key, 'a public Ed25519 key in PEM or hex');
}

function expectEd25519(parse: () => KeyObject, what: string): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = parse();
  } catch {
    // OpenSSL's message may quote the key, so it is not repeated.
  }
  if (key?.asymmetricKeyType !== ED25519) throw new ImageError('BAD_SIGNING_KEY', `the key is not ${what}`);
  return key;
}

/** SubjectPublicKeyInfo in DER, 44 bytes. */
function spkiOf(key: KeyObject): Buffer {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return publicKey.export({ type: 'spki', format: 'der' });
}

/** SHA-256 of the SubjectPublicKeyInfo, by which an image names its key. */
export function keyHash(key: KeyObject): Buffer {
  return createHash('sha256').update(spkiOf(key)).digest();
}

/** Returns the 32 bytes of the public key in hex. */
export function publicKeyHex(key: KeyObject): string {
  return spkiOf(key).subarray(PUBLIC_PREFIX.length).toString('hex');
}
