import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDevelopmentKey, keyHash, parsePrivateKey, parsePublicKey } from '@zbc-signer/image';

/** The signing keys of a build. */
interface LoaderKeys {
  /** Signs the image; if absent, the development key does. */
  own: KeyObject | undefined;
  /** The keys named in KEYS. */
  taken: KeyObject[];
}

/**
 * Reads KEY and KEYS; throws an Error naming the file. Rejects keys with which a loader would accept images
 * that anyone can sign, or would refuse the image built with it.
 */
export function readLoaderKeys(keyFile: string, keyFiles: readonly string[]): LoaderKeys {
  const own = keyFile === '' ? undefined : readKey(keyFile, parsePrivateKey);
  const taken = keyFiles.map(file => readKey(file, parsePublicKey));
  if (taken.length === 0) return { own, taken };
  if (taken.some(isDevelopmentKey))
    throw new Error('KEYS names the development key: the loader would take what anyone signs');
  if (!own)
    throw new Error('KEYS is given without KEY: the loader would not take the image that is built with it');
  if (!taken.some(key => keyHash(key).equals(keyHash(own))))
    throw new Error(
      `KEYS lacks the public key of ${keyFile}: the loader would not take the image that it signs`,
    );
  return { own, taken };
}

/** Reads the KEY of a release, with KEYS; throws the same errors, and rejects a publicly known key. */
export function readReleaseKey(keyFile: string, keyFiles: readonly string[] = []): KeyObject {
  const { own } = readLoaderKeys(keyFile, keyFiles);
  if (own === undefined || isDevelopmentKey(own)) {
    throw new Error('the development key, which everyone knows, cannot sign a release');
  }
  return own;
}

/** Reads a private Ed25519 key; throws an Error naming the file. */
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
