import { basename } from 'node:path';
import type { Subject } from './campaign.js';

/** Returns the sessions with the module of a path, whose name begins with `keystore` if it is the keystore's. */
export async function subjectOf(path: string): Promise<Subject> {
  const isKeystore = basename(path).startsWith('keystore');
  const { SUBJECT } = await (isKeystore ? import('./keystore.js') : import('./signer.js'));
  return SUBJECT;
}
