import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDevelopmentKey, keyHash, parsePrivateKey, parsePublicKey } from '@zbc-signer/image';

/** Stands for KEY if the build signs no image; KEYS must then name the keys of the loader. */
export const UNSIGNED = '-';

/** The signing keys of a build. */
interface LoaderKeys {
  /** The key that signs the image; if absent, the development key signs it. */
  own: KeyObject | undefined;
  /** The public keys in the files KEYS, which the loader accepts. */
  taken: KeyObject[];
}

/**
 * Reads the files KEY and KEYS; the message of an error names the file. Rejects keys with which the loader
 * would accept images that anyone can sign, and keys with which it would not accept the image of the same
 * build.
 */
export function readLoaderKeys(keyFile: string, keyFiles: readonly string[]): LoaderKeys {
  const own = keyFile === '' || keyFile === UNSIGNED ? undefined : readKey(keyFile, parsePrivateKey);
  const taken = keyFiles.map(file => readKey(file, parsePublicKey));
  if (keyFile === UNSIGNED && taken.length === 0)
    throw new Error('KEYS is missing: the public keys that the loader of the release accepts');
  if (taken.length === 0) return { own, taken };
  if (taken.some(isDevelopmentKey))
    throw new Error('KEYS names the development key: the loader would accept images that anyone can sign');
  if (keyFile === UNSIGNED) return { own, taken };
  if (!own)
    throw new Error('KEYS is given without KEY: the loader would not accept the image of the same build');
  if (!taken.some(key => keyHash(key).equals(keyHash(own))))
    throw new Error(
      `KEYS lacks the public key of ${keyFile}: the loader would not accept the image that this key signs`,
    );
  return { own, taken };
}

/** Reads KEY and KEYS for a release. Throws the same errors, and also rejects the development key. */
export function readReleaseKey(keyFile: string, keyFiles: readonly string[] = []): KeyObject {
  const { own } = readLoaderKeys(keyFile, keyFiles);
  if (own === undefined || isDevelopmentKey(own)) {
    throw new Error('the development key, which everyone knows, cannot sign a release');
  }
  return own;
}

/** Reads a private Ed25519 key; the message of an error names the file. */
export function readPrivateKeyFile(file: string): KeyObject {
  return readKey(file, parsePrivateKey);
}

function readKey(file: string, parse: (text: string) => KeyObject): KeyObject {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`cannot read ${file}: ${String(Reflect.get(Object(error), 'code'))}`);
  }
  try {
    return parse(text);
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Runs a build program; after an error, prints only its message and exits with code 1. */
export function runTool(run: () => void): void {
  try {
    run();
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
