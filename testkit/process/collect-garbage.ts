import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const GC_MS = 10;

/** Collects garbage repeatedly until the promise settles, as in a busy process. */
export async function collectingGarbage<Result>(promise: Promise<Result>): Promise<Result> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  const timer = setInterval(collect, GC_MS);
  // If a test fails, the timer must not keep the process alive.
  timer.unref();
  try {
    return await promise;
  } finally {
    clearInterval(timer);
  }
}
