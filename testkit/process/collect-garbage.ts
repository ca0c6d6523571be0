import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const GC_MS = 10;

/** Collects garbage again and again until the promise settles, as a process with much to do would. */
export async function collectingGarbage<Result>(promise: Promise<Result>): Promise<Result> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  const timer = setInterval(collect, GC_MS);
  // A test that fails does not end here.
  timer.unref();
  try {
    return await promise;
  } finally {
    clearInterval(timer);
  }
}
