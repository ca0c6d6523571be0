/**
 * Calls a callback of another program. The returned promise never rejects: it resolves with what the callback
 * threw or rejected with, because a failure of a program that listens must not end the work that is reported.
 */
export async function callListener<Arguments extends unknown[]>(
  listener: ((...values: Arguments) => unknown) | undefined,
  ...values: Arguments
): Promise<unknown> {
  try {
    await listener?.(...values);
    return undefined;
  } catch (error) {
    return error;
  }
}
