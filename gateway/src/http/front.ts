import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** Answers requests until it is replaced. */
interface Holder {
  answer: RequestListener;
  running: number;
  /** Called when it is replaced and nothing runs on it any more. */
  onIdle: (() => void) | undefined;
}

/**
 * Hands the requests of a server to a listener that can be replaced: requests that run stay with the one they
 * began with, connections stay open, and the next request goes to the new one.
 */
export class Front {
  #holder: Holder | undefined;
  #isClosing = false;

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const holder = this.#holder;
    if (holder === undefined) {
      response.destroy();
      return;
    }
    if (this.#isClosing) response.setHeader('connection', 'close');
    holder.running += 1;
    response.on('close', () => {
      holder.running -= 1;
      if (holder.running === 0) holder.onIdle?.();
    });
    holder.answer(request, response);
  };

  /** Closes each connection after the next answer. */
  close(): void {
    this.#isClosing = true;
  }

  /** Resolves when the last request to the previous listener has ended. */
  use(answer: RequestListener): Promise<void> {
    const previous = this.#holder;
    this.#holder = { answer, running: 0, onIdle: undefined };
    if (previous === undefined || previous.running === 0) return Promise.resolve();
    return new Promise(resolve => {
      previous.onIdle = resolve;
    });
  }
}
