import { setImmediate } from 'node:timers/promises';

/** Often enough for Ctrl-C, and seldom enough to cost nothing. */
const STEPS = 64;

/** Lets the process do something else now and then; throws the signal's reason when it is aborted. */
export async function pause(step: number, signal: AbortSignal | undefined): Promise<void> {
  if (step % STEPS !== 0) return;
  await setImmediate();
  signal?.throwIfAborted();
}
