import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

interface Use {
  listener: RequestListener;
  running: number;
  /** Called once the listener is replaced and its last request has ended. */
  onIdle: (() => void) | undefined;
}

/**
 * Passes the requests of a server to a listener that can be replaced. Connections stay open: running requests
 * stay with the previous listener, and new requests go to the new listener.
 */
export class ReplaceableListener {
  #use: Use | undefined;
  #isClosing = false;

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const use = this.#use;
    if (use === undefined) {
      response.destroy();
      return;
    }
    if (this.#isClosing) response.setHeader('connection', 'close');
    use.running += 1;
    response.on('close', () => {
      use.running -= 1;
      if (use.running === 0) use.onIdle?.();
    });
    use.listener(request, response);
  };

  /** Closes each connection after its next answer. */
  close(): void {
    this.#isClosing = true;
  }

  /** Resolves when the last request to the previous listener has ended. */
  replace(listener: RequestListener): Promise<void> {
    const previous = this.#use;
    this.#use = { listener, running: 0, onIdle: undefined };
    if (previous === undefined || previous.running === 0) return Promise.resolve();
    return new Promise(resolve => {
      previous.onIdle = resolve;
    });
  }
}
