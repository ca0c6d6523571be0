import { throwIfAborted, untilAborted } from '../cancellation.js';

/** Runs commands and whole uploads one after another, so that their exchanges never interleave. */
export class ExchangeQueue {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Runs `unit` once the previous units have ended. Resolves with its result, or rejects with AbortedError as
   * soon as the signal fires. Even then, the next unit waits until this unit has ended, because a transport
   * may ignore signals. After a unit has called `decide`, an abort does not hide what it gives.
   */
  async run<Result>(unit: (decide: () => void) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const last = this.#last;
    let end = () => {};
    this.#last = new Promise<void>(resolve => {
      end = resolve;
    });
    let isDecided = false;
    // A promise with one `await` only keeps the caller's line in the stack of an error.
    const runAfterLast = async () => {
      try {
        await last;
        throwIfAborted(signal);
        return await unit(() => {
          isDecided = true;
        });
      } finally {
        end();
      }
    };
    return await untilAborted(runAfterLast(), signal, () => isDecided);
  }
}

const queues = new WeakMap<object, ExchangeQueue>();

/** Runs a change of a store after the other changes of this program to it, so that none is lost. */
export function changeInTurn<Result>(store: object, change: () => Promise<Result>): Promise<Result> {
  const queue = queues.get(store) ?? new ExchangeQueue();
  queues.set(store, queue);
  return queue.run(change);
}
