import type { IncomingMessage } from 'node:http';
import { RequestError } from '../errors.js';

export const MAX_TARGET_CHARACTERS = 2048;

/** RFC 3986 pchar and the slash. */
const PATH = /^[A-Za-z0-9\-._~!$&'()*+,;=:@%/]*$/;
/** RFC 3986 query: what a path may have, and the question mark. */
const QUERY = /^[A-Za-z0-9\-._~!$&'()*+,;=:@%/?]*$/;
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
const CONTROL_ESCAPE = /%(?:[01][0-9A-Fa-f]|7[Ff])/;
/** Of a letter, a digit, `-`, `.`, `_` or `~`: nobody has to escape these, and a node may read the path as another one. */
const NEEDLESS_ESCAPE = /%(?:2[DdEe]|3[0-9]|4[1-9A-Fa-f]|5[0-9AaFf]|6[1-9A-Fa-f]|7[0-9AaEe])/;
const SEPARATOR_ESCAPE = /%(?:2[Ff]|5[Cc])/;
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;

/** Where a target goes that the router cannot decode: nothing is there, and `parseTarget` refuses the original. */
const NOWHERE = '/';

export interface RequestTarget {
  path: string;
  /** Without the question mark; empty when there is none. */
  query: string;
}

/** What the router is given, which would else answer a broken escape before any hook has seen the request. */
export function routableTarget({ url = '' }: IncomingMessage): string {
  return isDecodable(url) ? url : NOWHERE;
}

/** Takes apart a request target as it came over the wire; throws RequestError 400 or 414 for any that two readers could understand differently. */
export function parseTarget(target: string): RequestTarget {
  if (target.length > MAX_TARGET_CHARACTERS) {
    throw new RequestError(414, `The path is longer than ${MAX_TARGET_CHARACTERS} characters`);
  }
  if (target.charCodeAt(0) !== 0x2f) {
    throw new RequestError(400, 'The request has to name a path that starts with a slash');
  }
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? '' : target.slice(mark + 1);
  if (!PATH.test(path) || !QUERY.test(query)) {
    throw new RequestError(400, 'The path has a character that has to be escaped');
  }
  if (target.includes('%')) checkEscapes(path, query);
  if (path.includes('//') || DOT_SEGMENT.test(path)) {
    throw new RequestError(400, 'The path has an empty segment or one of dots');
  }
  return { path, query };
}

function isDecodable(target: string): boolean {
  if (!target.includes('%')) return true;
  try {
    decodeURIComponent(target.split('?', 1)[0]!);
    return true;
  } catch {
    return false;
  }
}

function checkEscapes(path: string, query: string): void {
  for (const part of [path, query]) {
    if (BAD_ESCAPE.test(part) || CONTROL_ESCAPE.test(part)) throw brokenEscape();
  }
  if (!isDecodable(path)) throw brokenEscape();
  if (NEEDLESS_ESCAPE.test(path) || SEPARATOR_ESCAPE.test(path)) {
    throw new RequestError(400, 'The path escapes a character that must not be escaped');
  }
}

function brokenEscape(): RequestError {
  return new RequestError(400, 'The path has an escape that stands for no character');
}
