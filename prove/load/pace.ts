import { setTimeout as pause } from 'node:timers/promises';

/**
 * Starts `perSecond` tasks a second until the signal, also while earlier ones still run; resolves when all
 * have ended. A task receives the time at which it was due, in `performance.now()`.
 */
export async function keepPace(
  perSecond: number,
  signal: AbortSignal,
  begin: (dueMs: number) => Promise<unknown>,
): Promise<void> {
  const running = new Set<Promise<unknown>>();
  const startMs = performance.now();
  for (let count = 0; !signal.aborted; count += 1) {
    const dueMs = startMs + (count * 1000) / perSecond;
    const earlyMs = dueMs - performance.now();
    if (earlyMs > 0) await pause(earlyMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const task = begin(dueMs).finally(() => running.delete(task));
    running.add(task);
  }
  await Promise.all(running);
}
