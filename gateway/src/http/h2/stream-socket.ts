import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { RequestHead } from './request-head.js';
import { type ResponseHead, ResponseReader } from './response-reader.js';

/** Of a piece that is sent before it counts as progress; the size of a frame. */
const PIECE_BYTES = 16_384;
const HEAD_END = '\r\n';
const CHUNKED_HEAD_END = 'transfer-encoding: chunked\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';
/** RFC 9113 §7. */
const NO_ERROR = 0;

let areHeld = false;

/**
 * Runs an action that closes connections without a request. None of a stream is one, though Node takes it
 * for one while the end of its response is under way.
 */
export function holdingStreams(action: () => void): void {
  areHeld = true;
  try {
    action();
  } finally {
    areHeld = false;
  }
}

interface StreamRequest {
  head: RequestHead;
  /** That the stream belongs to. */
  connection: Socket;
  /** Called when the client gives the stream up before it has the response. */
  onBrokenOff: () => void;
  /** Called when nothing has moved for as long as the server waits. */
  onTimeout: () => void;
}

/**
 * A stream of HTTP/2 as a connection with one request, for Node's HTTP/1.1 server. What that writes has
 * been written when the client's flow control and the system took it.
 */
export class StreamSocket extends Duplex {
  readonly encrypted = true;
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  readonly localAddress: string | undefined;
  readonly localPort: number | undefined;
  readonly #stream: ServerHttp2Stream;
  readonly #head: RequestHead;
  #hasBegun = false;
  #isChunked = false;
  readonly #reader: ResponseReader;
  readonly #onBrokenOff: () => void;
  readonly #onTimeout: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** Set while the end of the response is under way. */
  #onFinished: (() => void) | undefined;

  constructor(stream: ServerHttp2Stream, { head, connection, onBrokenOff, onTimeout }: StreamRequest) {
    super();
    this.remoteAddress = connection.remoteAddress;
    this.remotePort = connection.remotePort;
    this.localAddress = connection.localAddress;
    this.localPort = connection.localPort;
    this.#stream = stream;
    this.#head = head;
    this.#reader = new ResponseReader(head.isHead);
    this.#onBrokenOff = onBrokenOff;
    this.#onTimeout = onTimeout;
    if (!head.isOpen || head.waits) this.#begin(head.isOpen);
    stream.on('data', (piece: Buffer) => this.#takePiece(piece));
    // A stream that breaks off ends too.
    stream.on('end', () => {
      if (!stream.closed) this.#takeEnd();
    });
    stream.on('finish', () => this.#finish());
    stream.on('close', () => this.#onClosed());
  }

  setTimeout(ms: number): this {
    clearTimeout(this.#timer);
    const isOff = ms === 0 || this.destroyed;
    this.#timer = isOff ? undefined : setTimeout(() => this.#expire(), ms).unref();
    return this;
  }

  destroySoon(): void {
    if (!this.writableEnded) this.end();
    if (this.writableFinished) {
      this.destroy();
    } else {
      this.once('finish', () => this.destroy());
    }
  }

  override destroy(error?: Error): this {
    return areHeld ? this : super.destroy(error);
  }

  override _read(): void {
    this.#stream.resume();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const pieces: Buffer[] = [];
    try {
      for (const part of this.#reader.read(bytes)) {
        if (Buffer.isBuffer(part)) {
          pieces.push(...cut(part));
        } else {
          this.#respond(part);
        }
      }
      this.#send(pieces, done);
    } catch (error) {
      done(error as Error);
    }
  }

  override _destroy(_error: Error | null, done: (error?: Error | null) => void): void {
    this.setTimeout(0);
    const stream = this.#stream;
    if (!this.#isAnswered) {
      // To close it would send what is pending as the end of a whole response.
      stream.destroy(new Error('broken off'));
    } else if (!stream.readableEnded) {
      // What follows of the request is not needed.
      stream.close(NO_ERROR);
    }
    done(null);
  }

  /**
   * Whether the whole response has left. The last piece takes the end of the stream with it, and closes the
   * stream before it counts as written.
   */
  get #isAnswered(): boolean {
    const { writableEnded, writableFinished, closed, aborted, rstCode } = this.#stream;
    const hasLeft = writableFinished || (closed && rstCode === NO_ERROR);
    return this.#reader.isWhole && writableEnded && hasLeft && !aborted;
  }

  #expire(): void {
    this.#onTimeout();
    this.emit('timeout');
  }

  #onClosed(): void {
    if (this.destroyed) return;
    if (this.#isAnswered) {
      // The server ends this.
      this.#finish();
    } else {
      this.#onBrokenOff();
      this.destroy();
    }
  }

  #finish(): void {
    const done = this.#onFinished;
    this.#onFinished = undefined;
    done?.();
  }

  /** A body without a length is known by its first byte, and one that is empty is none. */
  #begin(isChunked: boolean): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#isChunked = isChunked;
    this.push(this.#head.text + (isChunked ? CHUNKED_HEAD_END : HEAD_END), 'latin1');
  }

  #takePiece(piece: Buffer): void {
    this.#begin(true);
    this.#receive(this.#isChunked ? chunkOf(piece) : piece);
  }

  #takeEnd(): void {
    this.#begin(false);
    if (this.#isChunked) this.#receive(LAST_CHUNK);
  }

  #receive(bytes: Buffer | string): void {
    this.#timer?.refresh();
    if (!this.push(bytes, 'latin1')) this.#stream.pause();
  }

  #respond({ status, headers, isEmpty }: ResponseHead): void {
    const fields = { ...headers, ':status': status };
    if (status < 200) {
      this.#stream.additionalHeaders(fields);
    } else {
      this.#stream.respond(fields, { endStream: isEmpty });
    }
  }

  /** One piece after the other, so that each is progress. A stream that breaks off closes this. */
  #send([piece, ...rest]: readonly Buffer[], done: () => void): void {
    this.#timer?.refresh();
    const stream = this.#stream;
    if (this.#reader.isWhole && rest.length === 0) {
      if (!stream.writableEnded) stream.end(piece);
      this.#onFinished = done;
      if (this.#isAnswered) this.#finish();
    } else if (piece === undefined) {
      done();
    } else {
      stream.write(piece, error => error || this.#send(rest, done));
    }
  }
}

function chunkOf(piece: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);
}

function* cut(piece: Buffer): Iterable<Buffer> {
  for (let at = 0; at < piece.length; at += PIECE_BYTES) yield piece.subarray(at, at + PIECE_BYTES);
}
