import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing, openPublished } from './published-file.js';

/** Where an ACME server looks (RFC 8555 §8.3). */
export const CHALLENGE_PATH = '/.well-known/acme-challenge/';

/** A token, a dot and the thumbprint of a key. */
const MAX_BYTES = 1024;

/** The content of the file that an ACME client put below its webroot for a token. */
export async function readChallenge(webroot: string, token: string): Promise<Buffer | undefined> {
  const directory = await realpath(join(webroot, CHALLENGE_PATH)).catch(ignoreMissing);
  const file = directory === undefined ? undefined : await openPublished(directory, token);
  if (file === undefined) return undefined;
  try {
    return file.size <= MAX_BYTES ? await file.handle.readFile() : undefined;
  } finally {
    await file.handle.close();
  }
}

/** As `readChallenge`, for the path of a request; undefined for any other path. */
export async function readChallengeAt(webroot: string, path: string): Promise<Buffer | undefined> {
  return path.startsWith(CHALLENGE_PATH)
    ? readChallenge(webroot, path.slice(CHALLENGE_PATH.length))
    : undefined;
}
