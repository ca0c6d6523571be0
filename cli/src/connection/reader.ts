import { type Reader, SYSTEM_CLOCK } from '@zbc-signer/host';
import { reportProgress } from '../output/progress.js';
import type { Terminal } from '../output/terminal.js';

export { retryRead } from '@zbc-signer/host';

/** For commands that only read: reports why a request is retried, and stops at Ctrl-C. */
export function createReader(terminal: Terminal): Reader {
  return {
    request: { signal: terminal.signal },
    clock: SYSTEM_CLOCK,
    report: reportProgress(terminal, false),
  };
}
