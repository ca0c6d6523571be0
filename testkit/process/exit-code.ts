import { describeFailure } from '#cli/errors/failure.js';

/** Returns the exit code of the command line for an error. 1 means a bug (docs/CLI.md#exit-codes). */
export function exitCodeOf(error: unknown): number {
  return describeFailure(error).exit;
}
