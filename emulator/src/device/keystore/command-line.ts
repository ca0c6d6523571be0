import { invalidInputError } from '@zbc-signer/chain';
import type { KeystoreOptions } from './keystore.js';
import { Vault } from './vault.js';

const MAX_NOISE = 2 ** 24;

/** The keystore options of a command line, with paths of files. */
export interface KeystoreArguments {
  keystore?: boolean | undefined;
  noise?: string | undefined;
  vault?: string | undefined;
  seed?: string | undefined;
}

/**
 * The keystore that the options `--keystore`, `--noise FILE` and `--vault FILE` describe, if any. `read`
 * reads a file of at most `maxBytes`. If options exclude each other, throws INVALID_INPUT before it opens a
 * file.
 */
export async function readKeystore(
  { keystore, noise, vault, seed }: KeystoreArguments,
  read: (path: string, maxBytes: number) => Promise<Uint8Array>,
): Promise<KeystoreOptions | undefined> {
  if (!keystore) {
    if (noise === undefined && vault === undefined) return undefined;
    throw invalidInputError('--noise and --vault need --keystore');
  }
  if (seed !== undefined)
    throw invalidInputError('--keystore conflicts with --seed: a keystore makes its own seed');
  if (vault !== undefined && noise === undefined) throw invalidInputError('--vault needs --noise FILE');
  return {
    noise: noise === undefined ? undefined : await read(noise, MAX_NOISE),
    vault: vault === undefined ? undefined : new Vault(vault),
  };
}
