import type { BrowserLocks } from '@zbc-signer/web';

const EVENTS = 'text/event-stream';
const LOCK = 'zbc-signer-events';

/**
 * A fetch that lets one tab of all listen to events at a time: a browser has six connections to a gateway that
 * speaks HTTP/1.1, and each stream of events takes one. The other tabs are answered 503 at once, and poll.
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

/** Gives the lock back; undefined if another tab has it. */
function takeLock(locks: BrowserLocks): Promise<(() => void) | undefined> {
  return new Promise(resolve => {
    const hold = async (lock: object | null) => {
      if (lock === null) resolve(undefined);
      else await new Promise<void>(release => resolve(release));
    };
    void locks.request(LOCK, { ifAvailable: true }, hold);
  });
}

/** The response; `onEnd` is called when its body has ended, broken off or been given up. */
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
