/** Number of timers into which a time limit is divided. */
const PARTS = 10;

/**
 * Resolves with the result of `work`, or with that of `whenLate` if `work` takes longer than `ms`. `work`
 * then continues. The time limit is divided among several timers: if the process or machine is suspended,
 * only one of them expires too early, because the event loop reads its sockets after each timer.
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
