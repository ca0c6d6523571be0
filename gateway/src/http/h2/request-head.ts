const METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TARGET = /^[\x21-\x7e\x80-\xff]+$/;
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const PSEUDO = new Set([':method', ':scheme', ':authority', ':path']);
const ONCE = new Set([...PSEUDO, 'host', 'content-length']);
/** The fields of connections of HTTP/1.1, which HTTP/2 does not have (RFC 9113 §8.2.2). */
export const OF_CONNECTIONS = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** The head of a request of HTTP/1.1. */
export interface RequestHead {
  /** Without the empty line, in Latin-1. */
  text: string;
  isHead: boolean;
  /** Whether a body of unknown length may follow. */
  isOpen: boolean;
  /** Whether the client waits before it sends its body (RFC 9110 §10.1.1). */
  waits: boolean;
}

/** What the fields of a request say. */
interface Fields {
  /** Those that there is one of. */
  once: Map<string, string>;
  cookies: string[];
  /** All others. */
  lines: string[];
}

/**
 * The head in HTTP/1.1 of a request of HTTP/2, whose fields are alternating names and values; undefined for
 * one that is malformed (RFC 9113 §8.2 and §8.3) or asks for a tunnel. nghttp2 resets most of those before;
 * that no field can end its line does not depend on it.
 */
export function requestHead(raw: readonly string[], hasBody: boolean): RequestHead | undefined {
  const fields = readFields(raw);
  if (fields === undefined) return undefined;
  const { once, cookies, lines } = fields;
  const method = once.get(':method') ?? '';
  const target = once.get(':path') ?? '';
  if (!METHOD.test(method) || method === 'CONNECT' || !TARGET.test(target)) return undefined;
  const host = once.get('host');
  const authority = once.get(':authority') ?? host;
  if (host !== undefined && host.toLowerCase() !== authority?.toLowerCase()) return undefined;
  const length = once.get('content-length');
  if (!once.has(':scheme') || (!hasBody && Number(length ?? 0) !== 0)) return undefined;
  if (authority !== undefined) lines.unshift(`host: ${authority}`);
  if (cookies.length > 0) lines.push(`cookie: ${cookies.join('; ')}`);
  if (length !== undefined) lines.push(`content-length: ${length}`);
  // One stream is one request.
  const all = [`${method} ${target} HTTP/1.1`, ...lines, 'connection: close', ''];
  return {
    text: all.join('\r\n'),
    isHead: method === 'HEAD',
    isOpen: hasBody && length === undefined,
    waits: lines.some(line => line.startsWith('expect:')),
  };
}

function readFields(raw: readonly string[]): Fields | undefined {
  const fields: Fields = { once: new Map(), cookies: [], lines: [] };
  let isRegular = false;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]!;
    const value = raw[index + 1]!;
    isRegular ||= !name.startsWith(':');
    const isKnown = isRegular ? NAME.test(name) && !OF_CONNECTIONS.has(name) : PSEUDO.has(name);
    if (!isKnown || !VALUE.test(value) || !add(fields, name, value)) return undefined;
  }
  return fields;
}

function add({ once, cookies, lines }: Fields, name: string, value: string): boolean {
  if (ONCE.has(name)) {
    if (once.has(name)) return false;
    once.set(name, value);
  } else if (name === 'cookie') {
    cookies.push(value);
  } else if (name === 'te') {
    // It speaks of this connection alone, and responses have no trailers.
    return value.toLowerCase() === 'trailers';
  } else {
    lines.push(`${name}: ${value}`);
  }
  return true;
}
