/**
 * Settles like the promise. If it has not settled after `limitMs`, rejects with the error that `late`
 * returns.
 */
export async function withLimit<Value>(
  promise: Promise<Value>,
  limitMs: number,
  late: (seconds: number) => Error,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late(limitMs / 1000)), limitMs);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
