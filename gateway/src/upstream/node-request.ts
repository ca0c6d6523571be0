import { nextTick } from 'node:process';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Cancellation } from './cancellation.js';
import { NodeFault, nodeFaultOf } from './node-fault.js';
import { readResponseHeaders } from './response-headers.js';
import type { ResponseMemory, SlowResponse } from './response-memory.js';

/**
 * Responses up to this size are buffered completely before they are passed on, so that another node can be
 * asked if one fails.
 */
export const COLLECTED_BYTES = 65_536;
/** Time limit of a streamed response. */
const STREAM_MS = 300_000;

export interface NodeRequest {
  method: 'GET' | 'POST';
  /** Path and query, as they are sent. */
  path: string;
  /** Alternating names and values of headers. */
  headers: string[];
  body?: Buffer;
  /** Whether the request has `Connection: close`. */
  reset?: boolean;
}

export interface AnswerLimits {
  /** Time limit until the response is complete, or begins to be streamed. */
  totalMs: number;
  maxBytes: number;
  /**
   * Cancels the request, unless its response is already streamed; to cancel a streamed response, destroy the
   * stream.
   */
  cancellation?: Cancellation | undefined;
  /**
   * Counts bytes that the client has not read yet. They are buffered, so that the node never waits for the
   * client.
   */
  memory: ResponseMemory;
  /** Called once, when the connection to the node is free again. */
  onEnd?: () => void;
}

export interface NodeAnswer {
  status: number;
  /** The headers that are passed to clients, by lower-case name. */
  headers: Record<string, string>;
  /** The receiver must destroy a stream that it does not read. */
  body: Buffer | Readable;
  /** Length of the body, if known. */
  contentLength: number | undefined;
}

/** Sends one request to one node. Throws NodeFault if there is no valid response. */
export function askNode(
  dispatcher: Dispatcher,
  request: NodeRequest,
  limits: AnswerLimits,
): Promise<NodeAnswer> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(request, new PendingRequest(limits, resolve, reject));
  });
}

/**
 * Receives one response. It uses undici's older handler interface, which passes the raw head. The newer
 * interface builds an object of all headers, of which at most seven are read.
 */
class PendingRequest implements Dispatcher.DispatchHandler, SlowResponse {
  readonly #resolve: (answer: NodeAnswer) => void;
  readonly #reject: (fault: NodeFault) => void;
  readonly #limits: AnswerLimits;
  #timer: NodeJS.Timeout;
  /** Number of bytes in the queue. */
  held = 0;
  readonly #queue: Buffer[] = [];
  /**
   * Number of chunks of the queue that were already passed on. Removing each chunk from the array would take
   * quadratic time.
   */
  #taken = 0;
  /** Whether the stream accepts another chunk now. */
  #isWanted = true;
  #isComplete = false;
  #abort: ((error: Error) => void) | undefined;
  #sent = false;
  #fault: NodeFault | undefined;
  #status = 0;
  #headers: Record<string, string> = {};
  #contentLength: number | undefined;
  #received = 0;
  #pieces: Buffer[] = [];
  #stream: Readable | undefined;

  constructor(
    limits: AnswerLimits,
    resolve: (answer: NodeAnswer) => void,
    reject: (fault: NodeFault) => void,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#limits = limits;
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

  onHeaders(status: number, raw: Buffer[]): boolean {
    if (status < 200) return true;
    const { passed, contentLength } = readResponseHeaders(raw);
    this.#status = status;
    this.#headers = passed;
    this.#contentLength = contentLength;
    if (contentLength !== undefined && contentLength > this.#limits.maxBytes) this.#tooLarge();
    return true;
  }

  onData(piece: Buffer): boolean {
    if (this.#fault !== undefined) return true;
    this.#received += piece.length;
    if (this.#received > this.#limits.maxBytes) return this.#tooLarge();
    this.#pieces.push(piece);
    if (this.#stream !== undefined) {
      // Chunks that arrive together are passed on together, because a node may send one byte at a time.
      if (this.#pieces.length === 1) nextTick(() => this.#passPieces());
    } else {
      const expected = Math.max(this.#received, this.#contentLength ?? 0);
      if (expected > COLLECTED_BYTES) this.#startStream();
    }
    return true;
  }

  onComplete(): void {
    clearTimeout(this.#timer);
    this.#abort = undefined;
    this.#isComplete = true;
    this.#limits.onEnd?.();
    if (this.#stream !== undefined) {
      this.#passPieces();
      if (this.#queue.length === 0) this.#stream.push(null);
      return;
    }
    const body = this.#takePieces();
    this.#resolve(this.#answer(body, body.length));
  }

  /** undici calls either this method or `onComplete`, once. */
  onError(error: Error): void {
    this.#abort = undefined;
    this.#limits.onEnd?.();
    this.#settle(nodeFaultOf(error, this.#sent));
  }

  /** Ends the request on our side, at once even if it is still queued. */
  fail(fault: NodeFault): void {
    this.#settle(fault);
    this.#abort?.(fault);
  }

  #settle(fault: NodeFault): void {
    clearTimeout(this.#timer);
    this.#fault ??= fault;
    if (this.#stream !== undefined) {
      this.#stream.destroy(this.#fault);
    } else {
      this.#reject(this.#fault);
    }
  }

  giveUp(): void {
    this.#release();
    this.fail(new NodeFault('cancelled', true, 'was not read by the client'));
  }

  #takePieces(): Buffer {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }

  #passPieces(): void {
    const stream = this.#stream;
    if (stream === undefined || stream.destroyed || this.#pieces.length === 0) return;
    const piece = this.#takePieces();
    if (this.#isWanted) {
      this.#isWanted = stream.push(piece);
      return;
    }
    this.#queue.push(piece);
    this.held += piece.length;
    this.#limits.memory.take(this, piece.length);
  }

  /** Called when the stream accepts more chunks. */
  #continue(stream: Readable): void {
    this.#isWanted = true;
    while (this.#isWanted && this.#taken < this.#queue.length) {
      const piece = this.#queue[this.#taken++]!;
      this.held -= piece.length;
      this.#limits.memory.release(this, piece.length);
      this.#isWanted = stream.push(piece);
    }
    this.#queue.splice(0, this.#taken);
    this.#taken = 0;
    if (this.#isComplete && this.#queue.length === 0) stream.push(null);
  }

  #release(): void {
    const { held } = this;
    this.held = 0;
    this.#queue.length = 0;
    if (held > 0) this.#limits.memory.release(this, held);
  }

  get sent(): boolean {
    return this.#sent;
  }

  #cancel(): void {
    if (this.#stream === undefined) this.fail(new NodeFault('cancelled', this.#sent, 'was cancelled'));
  }

  #tooLarge(): boolean {
    this.fail(new NodeFault('broken', true, 'sent a response that is too large'));
    return true;
  }

  #startStream(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(expire, STREAM_MS, this);
    const stream = new Readable({
      highWaterMark: COLLECTED_BYTES,
      read: () => this.#continue(stream),
      destroy: (error, done) => {
        clearTimeout(this.#timer);
        this.#release();
        this.#abort?.(error ?? new NodeFault('broken', true, 'was cancelled'));
        done(error);
      },
    });
    // The stream may have no listener yet when the node breaks off its response.
    stream.on('error', () => {});
    this.#stream = stream;
    this.#passPieces();
    this.#resolve(this.#answer(stream, this.#contentLength));
  }

  #answer(body: Buffer | Readable, contentLength: number | undefined): NodeAnswer {
    return { status: this.#status, headers: this.#headers, body, contentLength };
  }
}

function expire(request: PendingRequest): void {
  const fault = request.sent
    ? new NodeFault('timeout', true, 'did not respond in time')
    : new NodeFault('busy', false, 'is overloaded');
  request.fail(fault);
}
