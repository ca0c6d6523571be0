import { EmulatorError } from '../errors.js';
import type { Recording } from '../session/recording.js';

/** The seed is not in a recording, and this one was made with another than the test mnemonic. */
export class TraceSeedError extends EmulatorError {
  override readonly name = 'TraceSeedError';
  constructor() {
    super(
      'TRACE_SEED',
      'this session had another seed than the test mnemonic, and no recording holds its seed',
    );
  }
}

/** The seed to replay with: the given one, or the recorded one if that is known. Throws TraceSeedError. */
export function seedOf({ seed }: Recording, given: string | null | undefined): string | null | undefined {
  if (given !== undefined || seed === 'test') return given;
  if (seed === 'none') return null;
  throw new TraceSeedError();
}
