import { invalidInputError } from '@zbc-signer/chain';
import type { KeystoreOptions } from './keystore.js';
import { Vault } from './vault.js';

const MAX_NOISE = 2 ** 24;

/** The keystore options of a command line, with paths of files. */
export interface GivenKeystore {
  keystore?: boolean | undefined;
  noise?: string | undefined;
  vault?: string | undefined;
  seed?: string | undefined;
}

/**
 * The keystore of the options `--keystore`, `--noise FILE` and `--vault FILE`, if any; `read` reads the
 * noise, up to a number of bytes. Throws INVALID_INPUT for options that exclude each other, before any file
 * is opened.
 */
export async function readKeystore(
  { keystore, noise, vault, seed }: GivenKeystore,
  read: (path: string, maxBytes: number) => Promise<Uint8Array>,
): Promise<KeystoreOptions | undefined> {
  if (!keystore) {
    if (noise === undefined && vault === undefined) return undefined;
    throw invalidInputError('--noise and --vault are options of --keystore');
  }
  if (seed !== undefined) throw invalidInputError('--keystore conflicts with --seed');
  if (vault !== undefined && noise === undefined) throw invalidInputError('--vault needs --noise FILE');
  return {
    noise: noise === undefined ? undefined : await read(noise, MAX_NOISE),
    vault: vault === undefined ? undefined : new Vault(vault),
  };
}
