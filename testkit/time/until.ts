const POLL_MS = 2;

/** Waits until `holds` returns true. Only the time limit of the test ends the wait otherwise. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, POLL_MS));
}
