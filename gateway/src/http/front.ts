import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Exchange } from './exchange.js';

/** How requests are answered. */
export interface Answerer {
  answer: RequestListener;
  /** Answers a request that was framed without any doubt, or leaves it. */
  answerPlain(exchange: Exchange): boolean;
}

/** Answers requests until it is replaced. */
interface Holder {
  by: Answerer;
  running: number;
  /** Called when it is replaced and nothing runs on it any more. */
  onIdle: (() => void) | undefined;
}

/**
 * Hands the requests of a server to an answerer that can be replaced: requests that run stay with the one
 * they began with, connections stay open, and the next request goes to the new one.
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
    response.on('close', () => end(holder));
    holder.by.answer(request, response);
  };

  readonly handlePlain = (exchange: Exchange): boolean => {
    const holder = this.#holder;
    if (!holder?.by.answerPlain(exchange)) return false;
    if (!exchange.isOver) {
      holder.running += 1;
      exchange.onEnd(() => end(holder));
    }
    return true;
  };

  /** Closes each connection after the next answer. */
  close(): void {
    this.#isClosing = true;
  }

  /** Resolves when the last request to the previous listener has ended. */
  use(by: Answerer): Promise<void> {
    const previous = this.#holder;
    this.#holder = { by, running: 0, onIdle: undefined };
    if (previous === undefined || previous.running === 0) return Promise.resolve();
    return new Promise(resolve => {
      previous.onIdle = resolve;
    });
  }
}

function end(holder: Holder): void {
  holder.running -= 1;
  if (holder.running === 0) holder.onIdle?.();
}
