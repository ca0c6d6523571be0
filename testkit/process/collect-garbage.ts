import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const GC_MS = 10;

/** Collects garbage repeatedly until the promise settles, as a busy process would. */
export async function collectingGarbage<Result>(promise: Promise<Result>): Promise<Result> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  const timer = setInterval(collect, GC_MS);
  // The timer must not keep a failed test running.
  timer.unref();
  try {
    return await promise;
  } finally {
    clearInterval(timer);
  }
}
