import { setTimeout as pause } from 'node:timers/promises';

/**
 * Begins a task so many times a second until the signal, whether the ones before have ended or not, and resolves when all
 * have. A task is told when it was due, in `performance.now()`.
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
