import { Readable } from 'node:stream';
import { formatJson } from '@zbc-signer/chain';
import { RequestError } from '../base/errors.js';
import { release } from '../http/connections.js';

/** Maximum number of bytes that a client may leave unread; above it, the client's stream ends. */
const MAX_HELD_BYTES = 131_072;

interface StreamLimits {
  /** Limit for all clients together; 0 disables it. */
  total: number;
  /** Limit per client; 0 disables it. */
  perClient: number;
}

/** A response of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class EventStream {
  readonly body: Readable;

  constructor(onClose: () => void) {
    this.body = new Readable({ highWaterMark: MAX_HELD_BYTES, read: () => {} });
    this.body.once('close', onClose);
    // A client that leaves is not an error.
    this.body.on('error', () => {});
    // This first byte makes the head go out at once, however late the first event is.
    this.beat();
  }

  send(event: string, id: string, data: object): void {
    this.#push(`event: ${event}\nid: ${id}\ndata: ${formatJson(data)}\n\n`);
  }

  /** Sends a comment, which shows both sides that the connection is alive. */
  beat(): void {
    this.#push(':\n\n');
  }

  end(): void {
    if (!this.body.destroyed && !this.body.readableEnded) this.body.push(null);
  }

  #push(text: string): void {
    if (this.body.destroyed || this.body.readableEnded) return;
    if (!this.body.push(text)) this.body.destroy(new Error('the client reads too slowly'));
  }
}

/** The open streams of a process. */
export class EventStreams {
  readonly #limits: StreamLimits;
  readonly #counts = new Map<string, number>();
  readonly #open = new Set<EventStream>();
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;

  constructor(limits: StreamLimits, heartbeatMs: number) {
    this.#limits = limits;
    this.#timer = setInterval(() => this.#beat(), heartbeatMs);
    this.#timer.unref();
  }

  /** Opens a stream for a client. Throws RequestError 429 or 503 above a limit. `onClose` is called once. */
  open(client: string, onClose: () => void): EventStream {
    const { total, perClient } = this.#limits;
    const count = this.#counts.get(client) ?? 0;
    if (perClient > 0 && count >= perClient) {
      throw new RequestError(429, `Too many streams from your address: ${perClient} allowed`);
    }
    if (total > 0 && this.#open.size >= total) throw new RequestError(503, 'The gateway is overloaded');
    this.#counts.set(client, count + 1);
    const stream = new EventStream(() => {
      this.#open.delete(stream);
      release(this.#counts, client);
      onClose();
    });
    this.#open.add(stream);
    if (this.#isClosed) stream.end();
    return stream;
  }

  /** Ends all streams. A stream that is opened later ends at once. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const stream of [...this.#open]) stream.end();
  }

  #beat(): void {
    for (const stream of this.#open) stream.beat();
  }
}
