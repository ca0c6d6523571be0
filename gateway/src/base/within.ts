/** What `work` gives, or what `whenLate` does if that takes longer than `ms`; `work` goes on after that. */
export async function within<T>(ms: number, work: Promise<T>, whenLate: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>(resolve => {
    // The event loop reads its sockets between a timer and an immediate, so that an answer that only waits
    // for a busy process to read it is not late.
    timer = setTimeout(() => setImmediate(resolve), ms);
  });
  try {
    return await Promise.race([work, late.then(whenLate)]);
  } finally {
    clearTimeout(timer);
  }
}
