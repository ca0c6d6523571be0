import type { Trace } from '@zbc-signer/emulator';
import { readBytes } from '../../input/files.js';

const MAX_TRACE_BYTES = 64 * 1024 * 1024;

/** The argument of every command that reads a trace. */
export const TRACE_ARGUMENT = {
  demandOption: true,
  describe: 'trace of a session; - reads stdin',
} as const;

/** Throws UsageError, or TraceError if the file is not a trace. */
export async function readTrace(path: string, signal: AbortSignal): Promise<Trace> {
  const { parseTrace } = await import('@zbc-signer/emulator');
  return parseTrace((await readBytes('the trace', path, MAX_TRACE_BYTES, signal)).toString('utf8'));
}
