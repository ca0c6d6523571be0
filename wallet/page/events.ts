import type { BrowserLocks } from '@zbc-signer/web';

const EVENTS = 'text/event-stream';
const LOCK = 'zbc-signer-events';

/**
 * A `fetch` with which only one tab listens to events at a time. A browser opens at most six connections to a
 * gateway with HTTP/1.1, and each stream of events needs one of them. In the other tabs, a request for events
 * is answered with 503 at once, so that they poll.
 */
export function withOneListener(
  fetch: typeof globalThis.fetch,
  locks: BrowserLocks | undefined,
): typeof fetch {
  return async (input, init) => {
    if (locks === undefined || new Headers(init?.headers).get('accept') !== EVENTS) return fetch(input, init);
    const release = await takeLock(locks);
    if (release === undefined) return new Response(null, { status: 503 });
    try {
      return untilRead(await fetch(input, init), release);
    } catch (error) {
      release();
      throw error;
    }
  };
}

/** Takes the lock. Resolves with a function that releases it; undefined if another tab has the lock. */
function takeLock(locks: BrowserLocks): Promise<(() => void) | undefined> {
  return new Promise(resolve => {
    const hold = async (lock: object | null) => {
      if (lock === null) resolve(undefined);
      else await new Promise<void>(release => resolve(release));
    };
    void locks.request(LOCK, { ifAvailable: true }, hold);
  });
}

/** Copies a response. Calls `onEnd` when its body has ended, has failed or was cancelled. */
function untilRead(response: Response, onEnd: () => void): Response {
  const reader = response.body?.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = await reader?.read().catch(error => {
        onEnd();
        throw error;
      });
      if (part?.value !== undefined) {
        controller.enqueue(part.value);
      } else {
        onEnd();
        controller.close();
      }
    },
    cancel(reason) {
      onEnd();
      return reader?.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}
