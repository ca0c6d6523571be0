import type { IncomingMessage } from 'node:http';
import { RequestError } from '../base/errors.js';
import { MAX_PORT, type NodeAddress } from '../base/node-address.js';

const MAX_TARGET_CHARACTERS = 2048;

/** Characters of a path: RFC 3986 pchar and the slash. */
const PATH = /^[A-Za-z0-9\-._~!$&'()*+,;=:@%/]*$/;
/** Characters of a query: those of a path and the question mark. */
const QUERY = /^[A-Za-z0-9\-._~!$&'()*+,;=:@%/?]*$/;
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
const CONTROL_ESCAPE = /%(?:[01][0-9A-Fa-f]|7[Ff])/;
/**
 * Escapes of unreserved characters (RFC 3986 §2.3). A node may treat a path with such an escape as a
 * different path.
 */
const NEEDLESS_ESCAPE = /%(?:2[DdEe]|3[0-9]|4[1-9A-Fa-f]|5[0-9AaFf]|6[1-9A-Fa-f]|7[0-9AaEe])/;
const SEPARATOR_ESCAPE = /%(?:2[Ff]|5[Cc])/;
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;

export interface HostNames {
  /** Host name in lower case, without a port. */
  gatewayHost: string;
  otherHosts: readonly string[];
  /** The port of a node whose hostname contains no port. */
  nodePort: number;
}

const HOST = /^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::([1-9]\d{0,4}))?$/;
const NODE_LABEL = /^ip-(\d{1,3})-(\d{1,3})-(\d{1,3})-(\d{1,3})(?:-p([1-9]\d{0,4}))?$/;
const MAX_HOST_CHARACTERS = 320;
const IPV4_IN_IPV6 = '::ffff:';

/**
 * The router gets this target instead of one that it cannot decode; `parseTarget` rejects the original one.
 */
const NOWHERE = '/';
const SLASH = 0x2f;

/** A target in absolute form (RFC 9112 §3.2.2): its authority, and its path with the query. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

interface RequestTarget {
  /** The authority of a target in absolute form. It must be that of the Host header. */
  authority: string | undefined;
  path: string;
  /** Query without the question mark; may be empty. */
  query: string;
}

/**
 * Returns the target for Fastify's router, which is also the one that nodes get. If the target had an invalid
 * escape, the router itself would answer the request, before any hook runs.
 */
export function routableTarget({ url = '' }: IncomingMessage): string {
  const { rest } = splitTarget(url);
  return isDecodable(rest) ? rest : NOWHERE;
}

function splitTarget(target: string): { authority: string | undefined; rest: string } {
  const [, authority, rest = target] = (target.charCodeAt(0) !== SLASH && ABSOLUTE.exec(target)) || [];
  return { authority, rest: authority === undefined || rest.charCodeAt(0) === SLASH ? rest : `/${rest}` };
}

/**
 * Parses a raw request target. Throws RequestError 400 or 414 for targets that two parsers could read
 * differently.
 */
export function parseTarget(target: string): RequestTarget {
  if (target.length > MAX_TARGET_CHARACTERS) {
    throw new RequestError(414, `The path is longer than ${MAX_TARGET_CHARACTERS} characters`);
  }
  const { authority, rest } = splitTarget(target);
  if (rest.charCodeAt(0) !== SLASH) {
    throw new RequestError(400, 'The request target must be a path that starts with a slash');
  }
  const mark = rest.indexOf('?');
  const path = mark === -1 ? rest : rest.slice(0, mark);
  const query = mark === -1 ? '' : rest.slice(mark + 1);
  if (!PATH.test(path) || !QUERY.test(query)) {
    throw new RequestError(400, 'The request target has a character that must be escaped');
  }
  if (target.includes('%')) checkEscapes(path, query);
  if (path.includes('//') || DOT_SEGMENT.test(path)) {
    throw new RequestError(400, 'The path has an empty or dot segment');
  }
  return { authority, path, query };
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
    throw new RequestError(
      400,
      'The path has an escaped slash or backslash, or escapes a character that needs no escape',
    );
  }
}

function brokenEscape(): RequestError {
  return new RequestError(400, 'The path has an invalid escape');
}

/**
 * Converts a Host header to `gateway` or to the address of a node, which may not be admitted. `localAddress`
 * is the local address of the connection. Throws RequestError 403 for any other name.
 */
export function parseHost(header: string, names: HostNames, localAddress: string): 'gateway' | NodeAddress {
  const [, name, port] = (header.length <= MAX_HOST_CHARACTERS && HOST.exec(header)) || [];
  if (name === undefined || Number(port ?? 0) > MAX_PORT) throw notServed();
  const host = name.toLowerCase();
  if (host === names.gatewayHost || names.otherHosts.includes(host)) return 'gateway';
  const suffix = `.${names.gatewayHost}`;
  if (host.endsWith(suffix)) return parseNodeLabel(host.slice(0, -suffix.length), names.nodePort);
  if (host === literal(localAddress)) return 'gateway';
  throw notServed();
}

function parseNodeLabel(label: string, nodePort: number): NodeAddress {
  const match = NODE_LABEL.exec(label);
  if (match === null) throw notServed();
  const octets = match.slice(1, 5);
  const port = match[5] === undefined ? nodePort : Number(match[5]);
  if (!octets.every(isCanonicalOctet) || port > MAX_PORT) throw notServed();
  return { ip: octets.join('.'), port };
}

/** Whether this is an octet without leading zeros; some parsers read an octet with leading zeros as octal. */
function isCanonicalOctet(digits: string): boolean {
  return String(Number(digits)) === digits && Number(digits) <= 255;
}

function literal(address: string): string {
  if (address.startsWith(IPV4_IN_IPV6)) return address.slice(IPV4_IN_IPV6.length);
  return address.includes(':') ? `[${address}]` : address;
}

export function notServed(): RequestError {
  return new RequestError(403, 'Host not served');
}
