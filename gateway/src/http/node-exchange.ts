import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { type Body, type Exchange, type ResponseWith, shortText } from './exchange.js';

/** A GET that Node's server has read, and whose response it writes. */
export class NodeExchange implements Exchange {
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly socket: IncomingMessage['socket'];
  readonly host: string;
  readonly #response: ServerResponse;

  constructor({ url = '', headers, socket }: IncomingMessage, response: ServerResponse, host: string) {
    this.target = url;
    this.headers = headers;
    this.socket = socket;
    this.host = host;
    this.#response = response;
  }

  get isOver(): boolean {
    return this.#response.destroyed;
  }

  send({ status, lines, body }: ResponseWith<Body>, slowReaderMs: number): boolean {
    const response = this.#response;
    response.writeHead(status, lines);
    const text = shortText(body);
    // Node writes a text together with the head.
    if (text === undefined) {
      response.end(body);
    } else {
      response.end(text, 'latin1');
    }
    const hasLeft = this.socket.writableLength === 0;
    if (!hasLeft) response.setTimeout(slowReaderMs);
    return hasLeft;
  }

  stream({ status, lines, body }: ResponseWith<Readable>, slowReaderMs: number): void {
    this.#response.writeHead(status, lines);
    this.#response.setTimeout(slowReaderMs);
    body.pipe(this.#response);
  }

  breakOff(): void {
    this.#response.destroy();
  }

  onEnd(listener: (isWhole: boolean) => void): void {
    this.#response.on('close', () => listener(this.#response.writableFinished));
  }
}
