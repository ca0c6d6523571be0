import { readFileSync } from 'node:fs';

/** One line of the sign.input set: the key's seed, its public key, a message, its signature. */
interface SignatureAnswer {
  key: Uint8Array;
  publicKey: Uint8Array;
  message: Uint8Array;
  signature: Uint8Array;
}

const fromBase64 = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));

/** The 256 messages of the hash sets, by their number: 00 01 02 … of that many bytes. */
export const countedBytes = (length: number) => Uint8Array.from({ length }, (_, at) => at);

/** The array that the package's own test file calls `name`: in its base64. */
function readSet<Answer>(library: string, name: string): Answer[] {
  const entry = new URL(import.meta.resolve(`@stablelib/${library}`));
  const source = readFileSync(new URL(`./${library}.test.js`, entry), 'utf8');
  const [, array] = source.match(new RegExp(`^(?:const|var) ${name} = (\\[[^]*?^\\]);$`, 'm')) ?? [];
  if (array === undefined) throw new Error(`the test file of @stablelib/${library} has no ${name}`);
  return JSON.parse(array.replace(/,(\s*\])/g, '$1')) as Answer[];
}

/** The digests or codes of `countedBytes(0)`, `countedBytes(1)`, and so on. */
export function readDigests(library: string, name: string): Uint8Array[] {
  return readSet<string>(library, name).map(fromBase64);
}

/** ed25519.cr.yp.to's sign.input. */
export function readSignatures(): SignatureAnswer[] {
  return readSet<[string, string, string]>('ed25519', 'testVectors').map(line => {
    const [pair, message, signature] = line.map(fromBase64) as [Uint8Array, Uint8Array, Uint8Array];
    return { key: pair.slice(0, 32), publicKey: pair.slice(32), message, signature };
  });
}
