import type { KeyObject } from 'node:crypto';
import { BOARDS, type Board, findBoard } from '@zbc-signer/image';
import { UsageError } from '../../errors/errors.js';
import { readBytes, warnIfReadable } from '../../input/files.js';
import type { Terminal } from '../../output/terminal.js';
import type { Given } from '../../parser/command.js';

/** This limit is far above the size of any board's flash. */
export const MAX_IMAGE_BYTES = 64 * 1024 * 1024;

const NAMES = BOARDS.map(({ name }) => name);

export const OUTPUT_OPTIONS = {
  output: { alias: 'o', demandOption: true, describe: 'file to write' },
  force: { type: 'boolean', describe: 'replace an existing file' },
} as const;

/** Throws UsageError for an unknown board. */
export function parseBoard(name: string): Board {
  const board = findBoard(name);
  if (board === undefined) throw new UsageError(`--board must be one of ${NAMES.join(', ')}`);
  return board;
}

export const VERIFY_KEY_OPTIONS = {
  'public-key': {
    describe: 'file with the Ed25519 public key that you trust, in PEM or hex',
  },
  development: { type: 'boolean', describe: 'verify with the development key, which everyone knows' },
} as const;

const MAX_KEY_BYTES = 4096;

interface PrivateKeyOptions {
  key?: string | undefined;
  development?: boolean | undefined;
  release?: boolean | undefined;
}

/**
 * Returns the signing key: the key in a file, which must not be the development key, or the development key
 * if `--development` is given.
 */
export async function readPrivateKey(options: PrivateKeyOptions, terminal: Terminal): Promise<KeyObject> {
  const { key: path, development, release } = options;
  const { developmentKey, isDevelopmentKey, parsePrivateKey } = await import('@zbc-signer/image');
  if (development) {
    if (release) throw new UsageError('the development key, which everyone knows, cannot sign a release');
    if (path !== undefined) throw new UsageError('--development conflicts with --key');
    return developmentKey();
  }
  if (path === undefined)
    throw new UsageError(
      '--key is missing: the file with the private key',
      'To try an image on your own board, give --development.',
    );
  await warnIfReadable('the key', path, terminal);
  const text = await readBytes('the key', path, MAX_KEY_BYTES, terminal.signal);
  const key = parsePrivateKey(text.toString('utf8'));
  text.fill(0);
  if (isDevelopmentKey(key)) {
    throw new UsageError(
      'the file contains the development key, which everyone knows',
      release ? 'This key cannot sign a release.' : 'To use this key on your own board, give --development.',
    );
  }
  return key;
}

/** Returns the verification key, which the user must name. */
export async function readPublicKey(
  { publicKey: path, development }: Given<typeof VERIFY_KEY_OPTIONS>,
  signal: AbortSignal,
): Promise<KeyObject> {
  const { developmentPublicKey, parsePublicKey } = await import('@zbc-signer/image');
  if (development && path !== undefined) throw new UsageError('--development conflicts with --public-key');
  if (development) return developmentPublicKey();
  if (path === undefined) {
    throw new UsageError(
      '--public-key is missing: the file with the public key that you trust',
      'A key from the same source as the image proves nothing.',
    );
  }
  return parsePublicKey((await readBytes('the key', path, MAX_KEY_BYTES, signal)).toString('utf8'));
}
