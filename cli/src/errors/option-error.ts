/** An invalid value, and where it comes from: an option, an argument, a variable or the configuration. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
  constructor(
    readonly option: string,
    override readonly cause: Error,
  ) {
    super(`${option}: ${cause.message}`);
  }
}

/** Parses a value; an error is thrown as an OptionError. */
export function inOption<Value>(option: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    throw error instanceof Error ? new OptionError(option, error) : error;
  }
}
