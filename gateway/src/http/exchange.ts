import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** What is asked for and by whom, of a GET that was framed without any doubt. */
export interface Asked {
  /** Path and query as they came. */
  readonly target: string;
  /** By name in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Whose addresses are those of the connection. */
  readonly socket: {
    readonly remoteAddress?: string | undefined;
    readonly localAddress?: string | undefined;
  };
}

/** One request and the way of its response, whoever reads the one and writes the other. */
export interface Exchange extends Asked {
  /** Of the only Host line. */
  readonly host: string;
  /** Whether the client can be sent nothing more. */
  readonly isOver: boolean;
  /**
   * Sends a whole response; whether the system took all of it at once. If not, the connection ends when the
   * client reads nothing for `slowReaderMs`.
   */
  send(response: ResponseWith<Body>, slowReaderMs: number): boolean;
  /** Sends a response as its body comes. */
  stream(response: ResponseWith<Readable>, slowReaderMs: number): void;
  /** Closes the connection, so that no response looks whole. */
  breakOff(): void;
  /** Adds what is called when the system took all of the response, or when the connection has closed. */
  onEnd(listener: (isWhole: boolean) => void): void;
}

export type Body = Buffer | string | undefined;

export interface ResponseWith<B> {
  status: number;
  /** Alternating names, in lower case and once each, and values. */
  lines: string[];
  body: B;
}

/** Of a name among the lines of a head, -1 if it is not there; a value may be any text. */
export function indexOfName(lines: readonly string[], name: string): number {
  for (let index = 0; index < lines.length; index += 2) if (lines[index] === name) return index;
  return -1;
}

/** Of a body that is copied into one text with the head. */
const SHORT_BYTES = 4096;

/** A short body as text of its bytes in Latin-1; undefined for a longer one. */
export function shortText(body: Body): string | undefined {
  if (body === undefined) return '';
  if (typeof body === 'string') return shortText(Buffer.from(body));
  return body.length > SHORT_BYTES ? undefined : body.toString('latin1');
}
