import { EmulatorError } from '../errors.js';

/**
 * A directory has no coverage of this firmware or cannot be written to, or a module cannot be instrumented.
 */
export class CoverageError extends EmulatorError {
  override readonly name = 'CoverageError';
  constructor(message: string) {
    super('BAD_COVERAGE', message);
  }
}
