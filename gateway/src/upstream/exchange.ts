import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { readAnswerHeaders } from './answer-headers.js';
import type { Cancellation } from './cancellation.js';
import { NodeFault, nodeFaultOf } from './node-fault.js';

/** An answer up to this size is collected before the client sees any of it, so that another node can still be asked. */
export const COLLECTED_BYTES = 65_536;
/** An answer that streams has to end within this time. */
const STREAM_MS = 300_000;

export interface NodeRequest {
  method: 'GET' | 'POST';
  /** Path and query as they go over the wire. */
  path: string;
  /** Names and values as they alternate. */
  headers: string[];
  body?: Buffer;
  /** Whether the node is told that the connection ends with its answer. */
  reset?: boolean;
}

export interface ExchangeLimits {
  /** Until the answer is whole, or streams. */
  totalMs: number;
  maxBytes: number;
  /** Ends the exchange until then; a stream is ended by destroying it. */
  cancellation?: Cancellation | undefined;
}

export interface NodeAnswer {
  status: number;
  /** By name in lower case; the allowed ones only. */
  headers: Record<string, string>;
  /** A stream that is not wanted has to be destroyed. */
  body: Buffer | Readable;
  /** Of the body, as far as it is known. */
  contentLength: number | undefined;
}

/** One request to one node; throws NodeFault when no answer comes of it. */
export function exchange(
  dispatcher: Dispatcher,
  request: NodeRequest,
  limits: ExchangeLimits,
): Promise<NodeAnswer> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(request, new Exchange(limits, resolve, reject));
  });
}

/**
 * Receives one answer. The shape is undici's older one, which hands over the bytes of the head as they came:
 * the newer one makes an object of every header for each answer, of which at most seven are looked at.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: NodeAnswer) => void;
  readonly #reject: (fault: NodeFault) => void;
  readonly #maxBytes: number;
  #timer: NodeJS.Timeout;
  #abort: ((error: Error) => void) | undefined;
  #resume: () => void = () => {};
  #sent = false;
  #fault: NodeFault | undefined;
  #status = 0;
  #headers: Record<string, string> = {};
  #contentLength: number | undefined;
  #received = 0;
  #pieces: Buffer[] = [];
  #stream: Readable | undefined;

  constructor(
    limits: ExchangeLimits,
    resolve: (answer: NodeAnswer) => void,
    reject: (fault: NodeFault) => void,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#maxBytes = limits.maxBytes;
    this.#timer = setTimeout(expire, limits.totalMs, this);
    limits.cancellation?.ends(() => this.#cancel());
  }

  onConnect(abort: (error?: Error) => void): void {
    if (this.#fault !== undefined) {
      abort(this.#fault);
      return;
    }
    this.#abort = abort;
    this.#sent = true;
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void): boolean {
    if (status < 200) return true;
    const { passed, contentLength } = readAnswerHeaders(raw);
    this.#status = status;
    this.#headers = passed;
    this.#contentLength = contentLength;
    this.#resume = resume;
    if (contentLength !== undefined && contentLength > this.#maxBytes) this.#tooLarge();
    return true;
  }

  onData(piece: Buffer): boolean {
    if (this.#fault !== undefined) return true;
    this.#received += piece.length;
    if (this.#received > this.#maxBytes) return this.#tooLarge();
    if (this.#stream !== undefined) return this.#stream.push(piece);
    this.#pieces.push(piece);
    const expected = Math.max(this.#received, this.#contentLength ?? 0);
    return expected <= COLLECTED_BYTES || this.#startStream();
  }

  onComplete(): void {
    clearTimeout(this.#timer);
    this.#abort = undefined;
    if (this.#stream !== undefined) {
      this.#stream.push(null);
      return;
    }
    const body = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
    this.#resolve(this.#answer(body, body.length));
  }

  onError(error: Error): void {
    clearTimeout(this.#timer);
    this.#fault ??= nodeFaultOf(error, this.#sent);
    if (this.#stream !== undefined) this.#stream.destroy(this.#fault);
    else this.#reject(this.#fault);
  }

  /** Ends the exchange for a reason of ours. The promise does not wait for a request that is still queued. */
  fail(fault: NodeFault): void {
    this.onError(fault);
    this.#abort?.(fault);
  }

  get sent(): boolean {
    return this.#sent;
  }

  #cancel(): void {
    if (this.#stream === undefined) {
      this.fail(new NodeFault('cancelled', this.#sent, 'is not waited for any more'));
    }
  }

  #tooLarge(): boolean {
    this.fail(new NodeFault('broken', true, 'gave too large an answer'));
    return true;
  }

  #startStream(): boolean {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(expire, STREAM_MS, this);
    const stream = new Readable({
      highWaterMark: COLLECTED_BYTES,
      read: () => this.#resume(),
      destroy: (error, done) => {
        clearTimeout(this.#timer);
        this.#abort?.(error ?? new NodeFault('broken', true, 'is not listened to any more'));
        done(error);
      },
    });
    this.#stream = stream;
    const room = this.#pieces.map(piece => stream.push(piece)).at(-1)!;
    this.#pieces = [];
    this.#resolve(this.#answer(stream, this.#contentLength));
    return room;
  }

  #answer(body: Buffer | Readable, contentLength: number | undefined): NodeAnswer {
    return { status: this.#status, headers: this.#headers, body, contentLength };
  }
}

function expire(exchange: Exchange): void {
  exchange.fail(new NodeFault('timeout', exchange.sent, 'does not answer in time'));
}
