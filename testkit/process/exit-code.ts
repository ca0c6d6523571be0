import { describeFailure } from '#cli/errors/failure.js';

/** With which the command line would end; 1 is a bug (docs/CLI.md#exit-codes). */
export function exitCodeOf(error: unknown): number {
  return describeFailure(error).exit;
}
