import { type Dispatcher, errors } from 'undici';
import type { Cancellation } from './cancellation.js';
import { NodeFault, nodeFaultOf, tooLarge } from './node-fault.js';
import { readResponseHeaders } from './response-headers.js';
import type { AnswerHolder, ResponseMemory } from './response-memory.js';

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
  /** Time limit until the response is complete. */
  totalMs: number;
  maxBytes: number;
  /** Cancels the request. */
  cancellation?: Cancellation | undefined;
  /** Counts the bytes of the response until it is complete. */
  memory: ResponseMemory;
  /** Called once, when the connection to the node is free again. */
  onEnd?: () => void;
}

export interface NodeAnswer {
  status: number;
  /** The headers that are passed to clients, by lower-case name. */
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * Sends one request to one node, and returns the complete response. Throws NodeFault if there is no valid
 * response.
 */
export function askNode(
  dispatcher: Dispatcher,
  request: NodeRequest,
  limits: AnswerLimits,
): Promise<NodeAnswer> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(request, new PendingRequest(limits, resolve, reject));
  });
}

const NOTHING = Buffer.alloc(0);
/** A response with this status may tell the length of a body that it does not have (RFC 9110 §15.4.5). */
const NOT_MODIFIED = 304;

/**
 * Receives one response. It uses undici's older handler interface, which passes the raw head. The newer
 * interface builds an object of all headers, of which at most seven are read.
 */
class PendingRequest implements Dispatcher.DispatchHandler, AnswerHolder {
  readonly #resolve: (answer: NodeAnswer) => void;
  readonly #reject: (fault: NodeFault) => void;
  readonly #limits: AnswerLimits;
  readonly #timer: NodeJS.Timeout;
  readonly isReceived = false;
  held = 0;
  #abort: ((error: Error) => void) | undefined;
  #sent = false;
  #fault: NodeFault | undefined;
  #status = 0;
  #headers: Record<string, string> = {};
  #contentLength: number | undefined;
  #received = 0;
  /** The first `#received` bytes were received. */
  #body: Buffer = NOTHING;

  constructor(
    limits: AnswerLimits,
    resolve: (answer: NodeAnswer) => void,
    reject: (fault: NodeFault) => void,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#limits = limits;
    this.#timer = setTimeout(expire, limits.totalMs, this);
    limits.cancellation?.ends(() => this.fail(new NodeFault('cancelled', this.#sent, 'was cancelled')));
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
    if (contentLength !== undefined && status !== NOT_MODIFIED) {
      if (contentLength > this.#limits.maxBytes) this.fail(tooLarge());
      else this.#limits.memory.take(this, contentLength);
    }
    return true;
  }

  onData(piece: Buffer): boolean {
    if (this.#fault !== undefined) return true;
    if (this.#received + piece.length > this.#limits.maxBytes) {
      this.fail(tooLarge());
    } else {
      this.#append(piece);
      if (this.#received > this.held) this.#limits.memory.take(this, this.#received - this.held);
    }
    return true;
  }

  /** Copies all pieces except the first into one buffer, because a node may send one byte at a time. */
  #append(piece: Buffer): void {
    const before = this.#received;
    const length = before + piece.length;
    this.#received = length;
    if (before === 0) {
      this.#body = piece;
    } else {
      if (length > this.#body.length) {
        // The announced length is already counted. Copies of the body would cost more time in garbage collection.
        const announced = this.#contentLength ?? 0;
        const larger = Buffer.allocUnsafe(announced < length ? 2 * length : announced);
        this.#body.copy(larger, 0, 0, before);
        this.#body = larger;
      }
      piece.copy(this.#body, before);
    }
  }

  onComplete(): void {
    clearTimeout(this.#timer);
    this.#abort = undefined;
    this.#limits.onEnd?.();
    const body = this.#body.subarray(0, this.#received);
    this.#limits.memory.release(this);
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  /** undici calls either this method or `onComplete`, once. */
  onError(error: Error): void {
    if (this.#status === NOT_MODIFIED && error instanceof errors.ResponseContentLengthMismatchError) {
      this.onComplete();
      return;
    }
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
    this.#limits.memory.release(this);
    this.#body = NOTHING;
    this.#reject(this.#fault);
  }

  giveUp(): void {
    this.fail(new NodeFault('busy', true, 'sent more than the gateway can hold'));
  }

  get sent(): boolean {
    return this.#sent;
  }
}

function expire(request: PendingRequest): void {
  const fault = request.sent
    ? new NodeFault('timeout', true, 'did not respond in time')
    : new NodeFault('busy', false, 'is overloaded');
  request.fail(fault);
}
