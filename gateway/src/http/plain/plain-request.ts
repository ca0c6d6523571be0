import type { IncomingHttpHeaders } from 'node:http';

/** A browser's GET has a tenth of it. */
const MAX_BYTES = 8192;
const MAX_LINES = 64;
const METHOD = 'GET ';
const VERSION = ' HTTP/1.1\r\n';
const TARGET = /^\/[!-~]+$/;
/** One line of a head: no folding, no space that one parser trims and another does not, no bare CR or LF. */
const LINE = /([A-Za-z0-9-]+): ?([!-~](?:[ -~]*[!-~])?)\r\n/y;
const LINE_END = '\r\n';
/** What frames a body, asks for another protocol, or is a list in what Node makes of it. */
const REFUSED = new Set([
  'content-length',
  'transfer-encoding',
  'proxy-connection',
  'expect',
  'trailer',
  'upgrade',
  'http2-settings',
  'set-cookie',
]);

/** The lines of a head. */
export interface PlainHead {
  /** As they came, with the empty line. */
  text: string;
  /** By name in lower case. */
  headers: IncomingHttpHeaders;
  host: string;
  /** Whether the client wants the connection to end with the response. */
  isLast: boolean;
}

export interface PlainRequest {
  target: string;
  head: PlainHead;
}

/**
 * Reads bytes that are one whole GET and nothing else, in the small part of HTTP/1.1 (RFC 9112) that no two
 * parsers read differently; undefined for anything else. Clients repeat the lines of their heads: `known` are
 * those of the previous request.
 */
export function readPlainGet(bytes: Buffer, known: PlainHead | undefined): PlainRequest | undefined {
  if (bytes.length > MAX_BYTES) return undefined;
  const text = bytes.toString('latin1');
  if (!text.startsWith(METHOD)) return undefined;
  const end = text.indexOf(' ', METHOD.length);
  if (end === -1 || !text.startsWith(VERSION, end)) return undefined;
  const target = text.slice(METHOD.length, end);
  if (!TARGET.test(target)) return undefined;
  const lines = text.slice(end + VERSION.length);
  const head = known?.text === lines ? known : readHead(lines);
  return head && { target, head };
}

function readHead(text: string): PlainHead | undefined {
  const headers: IncomingHttpHeaders = {};
  const last = text.length - LINE_END.length;
  let at = 0;
  for (let count = 0; at < last; count += 1) {
    LINE.lastIndex = at;
    const match = LINE.exec(text);
    if (match === null || count === MAX_LINES) return undefined;
    const name = match[1]!.toLowerCase();
    // Also of names that every object has.
    if (REFUSED.has(name) || headers[name] !== undefined) return undefined;
    headers[name] = match[2]!;
    at = LINE.lastIndex;
  }
  const { host, connection = 'keep-alive' } = headers;
  const wish = connection.toLowerCase();
  if (host === undefined || !text.startsWith(LINE_END, at) || at !== last) return undefined;
  return wish === 'keep-alive' || wish === 'close'
    ? { text, headers, host, isLast: wish === 'close' }
    : undefined;
}
