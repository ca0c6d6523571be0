import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { type Readable, Writable } from 'node:stream';
import { type Body, type Exchange, indexOfName, type ResponseWith, shortText } from '../exchange.js';
import { type PlainHead, type PlainRequest, readPlainGet } from './plain-request.js';
import { headOf } from './response-head.js';

/** Of what arrives while a request is answered; the client waits before it may send more. */
const MAX_HELD_BYTES = 16_384;
const MAX_HELD_PIECES = 64;
const LAST_CHUNK = '0\r\n\r\n';

export interface PlainTimes {
  /** For the first request of a connection to begin. */
  firstMs: number;
  /** Without a request, later. */
  keepAliveMs: number;
}

/** The server that a connection belongs to. */
export interface PlainServer extends PlainTimes {
  /** Answers a request, or leaves it to Node's server. */
  answer(exchange: Exchange): boolean;
  /** Node's own way with a new connection. */
  serve(socket: Socket): void;
  /** Whether each connection ends with its next response. */
  isClosing(): boolean;
  /** Refuses a client that sends nothing. */
  onSilence(socket: Socket): void;
  forget(connection: PlainConnection): void;
}

/**
 * A connection as long as all it brings are plain GETs, one at a time, that the server answers. With anything
 * else it becomes one of Node's server for good, which reads these bytes as its first.
 */
export class PlainConnection {
  readonly #socket: Socket;
  readonly #server: PlainServer;
  #head: PlainHead | undefined;
  /** What is being answered. */
  #exchange: PlainExchange | undefined;
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Set once what still arrives does not matter. */
  #isEnding = false;

  constructor(socket: Socket, server: PlainServer) {
    this.#socket = socket;
    this.#server = server;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', ignore);
    socket.on('timeout', this.#onTimeout);
    socket.on('close', this.#onClose);
    socket.setTimeout(server.firstMs);
  }

  /** Between two requests; a new one may be about to send its first. */
  get isIdle(): boolean {
    return this.#head !== undefined && this.#exchange === undefined && this.#socket.writableLength === 0;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#isEnding) return;
    if (this.#exchange !== undefined) {
      this.#hold(bytes);
      return;
    }
    const request = readPlainGet(bytes, this.#head);
    if (request === undefined) {
      this.#handOver(bytes);
      return;
    }
    this.#head = request.head;
    this.#waitAtMost(this.#server.keepAliveMs);
    this.#exchange = new PlainExchange(this, this.#socket, request);
    if (!this.#server.answer(this.#exchange)) this.#handOver(bytes);
  };

  /** As Node's server does with a client that says that it sends no more. */
  readonly #onEnd = (): void => {
    this.#socket.end();
  };

  readonly #onTimeout = (): void => {
    if (this.#exchange?.isWaiting) {
      // Nodes have limits of their own.
      this.#socket.setTimeout(this.#server.keepAliveMs);
    } else if (this.#head === undefined && !this.#isEnding) {
      this.#isEnding = true;
      this.#server.onSilence(this.#socket);
    } else {
      this.#socket.destroy();
    }
  };

  readonly #onClose = (): void => {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    this.#held = [];
    this.#server.forget(this);
    exchange?.end(false);
  };

  /** Called when a write has ended, or when the connection was closed before that. */
  readonly #onWritten = (): void => {
    const exchange = this.#exchange;
    if (exchange?.isSent && this.#socket.writableLength === 0) this.#finish(exchange);
  };

  send(exchange: PlainExchange, { status, lines, body }: ResponseWith<Body>, slowReaderMs: number): boolean {
    const socket = this.#socket;
    const head = this.#headOf(exchange, status, lines);
    const text = shortText(body);
    if (text === undefined) {
      socket.cork();
      socket.write(`${head}\r\n`, 'latin1');
      socket.write(body!, this.#onWritten);
      socket.uncork();
    } else {
      socket.write(`${head}\r\n${text}`, 'latin1', this.#onWritten);
    }
    const hasLeft = socket.writableLength === 0;
    if (hasLeft) {
      this.#finish(exchange);
    } else {
      this.#waitAtMost(slowReaderMs);
    }
    return hasLeft;
  }

  stream(exchange: PlainExchange, response: ResponseWith<Readable>, slowReaderMs: number): void {
    const { status, lines, body } = response;
    const isChunked = indexOfName(lines, 'content-length') === -1;
    const head = this.#headOf(exchange, status, lines);
    const framing = isChunked ? 'Transfer-Encoding: chunked\r\n' : '';
    this.#socket.write(`${head}${framing}\r\n`, 'latin1');
    this.#waitAtMost(slowReaderMs);
    const pieces = bodyWriter(this.#socket, isChunked);
    pieces.on('finish', () => this.#finish(exchange));
    body.pipe(pieces);
  }

  #headOf({ isLast }: PlainExchange, status: number, lines: readonly string[]): string {
    const isClosing = this.#server.isClosing();
    const end = isClosing ? 'server' : isLast ? 'client' : undefined;
    this.#isEnding = end !== undefined;
    return headOf(status, lines, { end, keepAliveMs: this.#server.keepAliveMs });
  }

  #finish(exchange: PlainExchange): void {
    // A connection that closes ends its writes too, without an error.
    if (this.#exchange !== exchange || this.#socket.destroyed) return;
    this.#exchange = undefined;
    exchange.end(true);
    if (this.#isEnding) {
      this.#socket.destroySoon();
    } else if (this.#held.length > 0) {
      this.#handOver(Buffer.concat(this.#held));
    } else {
      this.#waitAtMost(this.#server.keepAliveMs);
    }
  }

  /** The client is still read from, so that it is noticed when it leaves. */
  #hold(bytes: Buffer): void {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    const isFull = this.#heldBytes > MAX_HELD_BYTES || this.#held.length === MAX_HELD_PIECES;
    if (isFull) this.#socket.pause();
  }

  /** Node's server finds the connection as if it were new, and these bytes as the first that arrive. */
  #handOver(bytes: Buffer): void {
    const socket = this.#socket;
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('error', ignore);
    socket.off('timeout', this.#onTimeout);
    socket.off('close', this.#onClose);
    this.#exchange = undefined;
    this.#held = [];
    this.#server.forget(this);
    socket.setTimeout(0);
    this.#server.serve(socket);
    socket.resume();
    socket.emit('data', bytes);
  }

  #waitAtMost(ms: number): void {
    if (this.#socket.timeout !== ms) this.#socket.setTimeout(ms);
  }
}

/** One request of a connection. */
class PlainExchange implements Exchange {
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly host: string;
  readonly isLast: boolean;
  readonly socket: Socket;
  readonly #connection: PlainConnection;
  #listeners: ((isWhole: boolean) => void)[] | undefined;
  #state: 'waiting' | 'streamed' | 'sent' | 'ended' = 'waiting';

  constructor(connection: PlainConnection, socket: Socket, { target, head }: PlainRequest) {
    this.#connection = connection;
    this.socket = socket;
    this.target = target;
    this.headers = head.headers;
    this.host = head.host;
    this.isLast = head.isLast;
  }

  /** Whether nothing of the response is there yet. */
  get isWaiting(): boolean {
    return this.#state === 'waiting';
  }

  /** Whether it is written, and has only to leave. */
  get isSent(): boolean {
    return this.#state === 'sent';
  }

  get isOver(): boolean {
    return this.#state === 'ended' || !this.socket.writable;
  }

  send(response: ResponseWith<Body>, slowReaderMs: number): boolean {
    this.#state = 'sent';
    return this.#connection.send(this, response, slowReaderMs);
  }

  stream(response: ResponseWith<Readable>, slowReaderMs: number): void {
    this.#state = 'streamed';
    this.#connection.stream(this, response, slowReaderMs);
  }

  breakOff(): void {
    this.socket.destroy();
  }

  onEnd(listener: (isWhole: boolean) => void): void {
    this.#listeners ??= [];
    this.#listeners.push(listener);
  }

  end(isWhole: boolean): void {
    this.#state = 'ended';
    for (const listener of this.#listeners ?? []) listener(isWhole);
  }
}

/** Writes a body whose pieces count as written when the system took them. */
function bodyWriter(socket: Socket, isChunked: boolean): Writable {
  const writer = new Writable({
    write: (piece: Buffer, _encoding, done) => {
      if (!isChunked) {
        socket.write(piece, done);
        return;
      }
      socket.cork();
      socket.write(`${piece.length.toString(16)}\r\n`, 'latin1');
      socket.write(piece);
      socket.write('\r\n', 'latin1', done);
      socket.uncork();
    },
    final: done => {
      if (isChunked) {
        socket.write(LAST_CHUNK, 'latin1', done);
      } else {
        done();
      }
    },
  });
  // The connection tells of its end.
  return writer.on('error', ignore);
}

function ignore(): void {}
