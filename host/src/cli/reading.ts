import { SYSTEM_CLOCK } from '../flow/clock.js';
import type { Reader } from '../flow/retry.js';
import { reportProgress } from './progress.js';
import type { Terminal } from './terminal.js';

export { retryRead } from '../flow/retry.js';

/** For commands that only read: says why it tries again, and stops at Ctrl-C. */
export function createReader(terminal: Terminal): Reader {
  return {
    request: { signal: terminal.signal },
    clock: SYSTEM_CLOCK,
    report: reportProgress(terminal, false),
  };
}
