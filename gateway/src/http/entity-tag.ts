import { createHash } from 'node:crypto';

/** A strong entity tag for a body. */
export function entityTagOf(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url')}"`;
}

/**
 * Whether an If-None-Match header contains the tag. Weak tags match too, because a proxy may have weakened
 * it.
 */
export function isKnownTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const known = ifNoneMatch.split(',').map(each => each.trim().replace(/^W\//, ''));
  return known.includes(tag) || known.includes('*');
}
