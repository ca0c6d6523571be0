import { EmulatorError } from '../errors.js';

/** A directory without coverage of this firmware, or that cannot be written to. */
export class CoverageError extends EmulatorError {
  override readonly name = 'CoverageError';
  constructor(message: string) {
    super('BAD_COVERAGE', message);
  }
}
