import { setImmediate as turn } from 'node:timers/promises';
import type { BrowserLocks } from '@zbc-signer/web';
import { withOneListener } from '#wallet/page/events.js';

/** Locks like a browser's: held by one tab at a time, until the promise of its callback settles. */
function modelLocks(): BrowserLocks {
  let isTaken = false;
  const request = async (_name: string, _options: unknown, use: (lock: unknown) => unknown) => {
    if (isTaken) return use(null);
    isTaken = true;
    try {
      return await use({});
    } finally {
      isTaken = false;
    }
  };
  return { request } as BrowserLocks;
}

const EVENTS = { headers: { accept: 'text/event-stream' } };
let asked: number;
beforeEach(() => {
  asked = 0;
});

function streamOf(...pieces: string[]): typeof fetch {
  return async () => {
    asked += 1;
    const body = new ReadableStream({
      pull(controller) {
        const piece = pieces.shift();
        if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
        else if (asked > 1) controller.close();
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
}

test('one tab listens for events, the other tabs poll, and the next tab listens after the first has stopped', async () => {
  const locks = modelLocks();
  const [one, other] = [streamOf('event: a\n\n'), streamOf('event: b\n\n')].map(each =>
    withOneListener(each, locks),
  );
  const first = await one!('/status', EVENTS);
  expect((await other!('/status', EVENTS)).status).toBe(503);
  expect(asked).toBe(1);
  const reader = first.body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('event: a\n\n');
  await reader.cancel();
  await turn();
  const second = await other!('/status', EVENTS);
  expect([second.status, await second.text()]).toEqual([200, 'event: b\n\n']);
  await turn();
  expect((await one!('/status', EVENTS)).status).toBe(200);
});

test('a gateway that does not answer does not prevent a tab from listening', async () => {
  const failing = withOneListener(() => Promise.reject(new TypeError('fetch failed')), modelLocks());
  for (const _ of [1, 2]) await expect(failing('/status', EVENTS)).rejects.toThrow('fetch failed');
});

test('other requests, and all requests in a browser without locks, are passed on unchanged', async () => {
  const locks = modelLocks();
  const reading = withOneListener(streamOf(), locks);
  await reading('/status', EVENTS);
  expect((await reading('/status', { headers: { accept: 'application/json' } })).status).toBe(200);
  const without = withOneListener(streamOf(), undefined);
  for (const _ of [1, 2]) expect((await without('/status', EVENTS)).status).toBe(200);
});
