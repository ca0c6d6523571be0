/** A time limit is waited for in so many parts. */
const PARTS = 10;

/**
 * What `work` gives, or what `whenLate` does if that takes longer than `ms`; `work` goes on after that. Time
 * in which this process or the whole machine stands still makes nothing late: it counts as one part of the
 * wait, after each of which the event loop reads its sockets.
 */
export async function within<T>(ms: number, work: Promise<T>, whenLate: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>(resolve => {
    const wait = (parts: number) => {
      if (parts === 0) resolve();
      else timer = setTimeout(wait, ms / PARTS, parts - 1);
    };
    wait(PARTS);
  });
  try {
    return await Promise.race([work, late.then(whenLate)]);
  } finally {
    clearTimeout(timer);
  }
}
