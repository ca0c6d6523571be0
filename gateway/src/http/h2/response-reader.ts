import type { OutgoingHttpHeaders } from 'node:http2';
import { OF_CONNECTIONS } from './request-head.js';

const HEAD_END = '\r\n\r\n';
const LINE_END = '\r\n';
const EMPTY = Buffer.alloc(0);
const STATUS_LINE = /^HTTP\/1\.1 (\d{3})(?: |$)/;

/** The head of a response, or of an informational one before it. */
export interface ResponseHead {
  status: number;
  /** By name in lower case, without those of the connection. */
  headers: OutgoingHttpHeaders;
  /** Whether no body follows. */
  isEmpty: boolean;
}

/** A head, or a piece of the body. */
type Part = ResponseHead | Buffer;

/** Reads the bytes of one response of Node's HTTP/1.1 server; drops trailers, which the gateway never has. */
export class ResponseReader {
  readonly #isHead: boolean;
  #state: 'head' | 'body' | 'line' = 'head';
  #isChunked = false;
  #isLastChunk = false;
  /** Bytes of the body, or of a chunk, to come. */
  #left = 0;
  #held: Buffer = EMPTY;
  #isWhole = false;

  /** `isHead`: of a HEAD request. */
  constructor(isHead: boolean) {
    this.#isHead = isHead;
  }

  /** Whether all of it has come. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Throws Error for what no server writes. */
  read(bytes: Buffer): Part[] {
    const parts: Part[] = [];
    let rest = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    while (rest.length > 0 && !this.#isWhole) {
      const length = this.#state === 'body' ? this.#readBody(rest, parts) : this.#readText(rest, parts);
      if (length === 0) break;
      rest = rest.subarray(length);
    }
    this.#held = this.#isWhole ? EMPTY : rest;
    return parts;
  }

  #readBody(bytes: Buffer, parts: Part[]): number {
    const piece = bytes.subarray(0, this.#left);
    parts.push(piece);
    this.#left -= piece.length;
    if (this.#left === 0) {
      this.#state = 'line';
      this.#isWhole = !this.#isChunked;
    }
    return piece.length;
  }

  /** 0 if the end of the head or line has not come. */
  #readText(bytes: Buffer, parts: Part[]): number {
    const end = this.#state === 'head' ? HEAD_END : LINE_END;
    const at = bytes.indexOf(end);
    if (at === -1) return 0;
    const text = bytes.toString('latin1', 0, at);
    if (this.#state === 'head') {
      parts.push(this.#readHead(text));
    } else {
      this.#readLine(text);
    }
    return at + end.length;
  }

  #readHead(text: string): ResponseHead {
    const [first = '', ...lines] = text.split(LINE_END);
    const status = Number(STATUS_LINE.exec(first)?.[1]);
    if (!(status >= 100)) throw new Error('a response without a status');
    const fields = lines.map(readField);
    const get = (sought: string) => fields.find(([name]) => name === sought)?.[1];
    const head = { status, headers: headersOf(fields), isEmpty: false };
    if (status < 200) return head;
    this.#isChunked = get('transfer-encoding') !== undefined;
    const hasNone = this.#isHead || status === 204 || status === 304;
    this.#left = this.#isChunked || hasNone ? 0 : Number(get('content-length'));
    if (!Number.isSafeInteger(this.#left)) throw new Error('a response without a length');
    head.isEmpty = hasNone || (!this.#isChunked && this.#left === 0);
    this.#isWhole = head.isEmpty;
    this.#state = this.#isChunked ? 'line' : 'body';
    return head;
  }

  /** A chunk's size, the end of a chunk, a trailer or the end of all. */
  #readLine(line: string): void {
    if (this.#isLastChunk) {
      this.#isWhole = line === '';
    } else if (line !== '') {
      this.#left = Number.parseInt(line, 16);
      if (!Number.isSafeInteger(this.#left)) throw new Error('a chunk without a size');
      this.#isLastChunk = this.#left === 0;
      if (!this.#isLastChunk) this.#state = 'body';
    }
  }
}

function readField(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

function headersOf(fields: readonly (readonly [string, string])[]): OutgoingHttpHeaders {
  const headers = new Map<string, string[]>();
  for (const [name, value] of fields) {
    if (!OF_CONNECTIONS.has(name)) headers.set(name, [...(headers.get(name) ?? []), value]);
  }
  return Object.fromEntries(headers);
}
