const POLL_MS = 2;

/** Waits as long as the test may run. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, POLL_MS));
}
