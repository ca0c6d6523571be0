import { readFileSync } from 'node:fs';
import { CryptoModule } from '../../../testkit/crypto/crypto-module.js';

/** One line of the sign.input set: the key's seed, its public key, a message, its signature. */
interface SignatureAnswer {
  key: Uint8Array;
  publicKey: Uint8Array;
  message: Uint8Array;
  signature: Uint8Array;
}

const fromBase64 = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));

/** The 256 messages of the hash sets, by their number: 00 01 02 … of that many bytes. */
const countedBytes = (length: number) => Uint8Array.from({ length }, (_, at) => at);

/** The array `name` in the package's own test file, in base64. */
function readSet<Answer>(library: string, name: string): Answer[] {
  const entry = new URL(import.meta.resolve(`@stablelib/${library}`));
  const source = readFileSync(new URL(`./${library}.test.js`, entry), 'utf8');
  const [, array] = source.match(new RegExp(`^(?:const|var) ${name} = (\\[[^]*?^\\]);$`, 'm')) ?? [];
  if (array === undefined) throw new Error(`the test file of @stablelib/${library} has no ${name}`);
  return JSON.parse(array.replace(/,(\s*\])/g, '$1')) as Answer[];
}

/** The digests of `countedBytes(0)`, `countedBytes(1)`, and so on. */
function readDigests(library: string, name: string): Uint8Array[] {
  return readSet<string>(library, name).map(fromBase64);
}

/** The test vectors of ed25519.cr.yp.to's sign.input. */
function readSignatures(): SignatureAnswer[] {
  return readSet<[string, string, string]>('ed25519', 'testVectors').map(line => {
    const [pair, message, signature] = line.map(fromBase64) as [Uint8Array, Uint8Array, Uint8Array];
    return { key: pair.slice(0, 32), publicKey: pair.slice(32), message, signature };
  });
}

const module = new CryptoModule();

describe('the test vectors of @stablelib', () => {
  const signatures = readSignatures();
  const sha3 = readDigests('sha3', 'vectors256');
  const sha512 = readDigests('sha512', 'vectors');

  test('are complete', () => {
    expect(signatures.map(({ message }) => message.length)).toEqual(
      Array.from({ length: 1024 }, (_, n) => n),
    );
    expect([sha3.length, sha512.length]).toEqual([256, 256]);
  });

  test('give the public key and the signature that Ed25519 computes for all 1,024 lines of sign.input', () => {
    for (const { key, publicKey, message, signature } of signatures) {
      expect(module.publicKey(key)).toEqual(publicKey);
      expect(module.sign(message, key)).toEqual(signature);
      expect(module.verify(signature, message, publicKey)).toBe(true);
    }
  });

  test('give the digests that SHA3-256 computes for all 256 inputs', () => {
    for (const [length, digest] of sha3.entries()) expect(module.sha3(countedBytes(length))).toEqual(digest);
  });

  test('give the digests that SHA-512 computes for all 256 inputs', () => {
    for (const [length, digest] of sha512.entries())
      expect(module.sha512(countedBytes(length))).toEqual(digest);
  });
});
