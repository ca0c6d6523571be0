import type { IncomingHttpHeaders } from 'node:http';
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

/** Receives one response. */
class PendingRequest implements Dispatcher.DispatchHandler, AnswerHolder {
  readonly #resolve: (answer: NodeAnswer) => void;
  readonly #reject: (fault: NodeFault) => void;
  readonly #limits: AnswerLimits;
  readonly #timer: NodeJS.Timeout;
  readonly isReceived = false;
  held = 0;
  /** Set once the request may have been sent. */
  #controller: Dispatcher.DispatchController | undefined;
  #fault: NodeFault | undefined;
  #status = 0;
  #headers: Record<string, string> = {};
  /** The length that the head announced. */
  #announced = 0;
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
    this.#timer = setTimeout(() => this.#expire(), limits.totalMs);
    limits.cancellation?.ends(() => this.fail(new NodeFault('cancelled', this.#sent, 'was cancelled')));
  }

  get #sent(): boolean {
    return this.#controller !== undefined;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#fault !== undefined) controller.abort(this.#fault);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    const { passed, contentLength } = readResponseHeaders(headers);
    this.#status = status;
    this.#headers = passed;
    if (status !== NOT_MODIFIED) this.#announced = contentLength;
    if (this.#announced > this.#limits.maxBytes) this.fail(tooLarge());
    else if (this.#announced > 0) this.#limits.memory.take(this, this.#announced);
  }

  /** Copies all pieces into one buffer, because a node may send one byte at a time. */
  onResponseData(_controller: Dispatcher.DispatchController, piece: Buffer): void {
    if (this.#fault !== undefined) return;
    const before = this.#received;
    const length = before + piece.length;
    if (length > this.#limits.maxBytes) {
      this.fail(tooLarge());
      return;
    }
    if (length > this.#body.length) {
      // The announced length is already counted. Copies of the body would cost more time in garbage collection.
      const larger = Buffer.allocUnsafe(this.#announced < length ? 2 * length : this.#announced);
      this.#body.copy(larger, 0, 0, before);
      this.#body = larger;
    }
    piece.copy(this.#body, before);
    this.#received = length;
    if (length > this.held) this.#limits.memory.take(this, length - this.held);
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer);
    this.#limits.onEnd?.();
    const body = this.#body.subarray(0, this.#received);
    this.#limits.memory.release(this);
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  /** undici calls either this method or `onResponseEnd`, once. */
  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#status === NOT_MODIFIED && error instanceof errors.ResponseContentLengthMismatchError) {
      this.onResponseEnd();
      return;
    }
    this.#limits.onEnd?.();
    this.#settle(nodeFaultOf(error, this.#sent));
  }

  /** Ends the request on our side, at once even if it is still queued. */
  fail(fault: NodeFault): void {
    this.#settle(fault);
    this.#controller?.abort(fault);
  }

  #settle(fault: NodeFault): void {
    clearTimeout(this.#timer);
    this.#fault ??= fault;
    this.#limits.memory.release(this);
    this.#body = NOTHING;
    this.#reject(this.#fault);
  }

  #expire(): void {
    this.fail(
      this.#sent
        ? new NodeFault('timeout', true, 'did not respond in time')
        : new NodeFault('busy', false, 'is overloaded'),
    );
  }

  giveUp(): void {
    this.fail(new NodeFault('busy', true, 'sent more than the gateway can hold'));
  }
}
