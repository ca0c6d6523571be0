/** An unknown kind of chaos, or an invalid value of one. */
export class ChaosError extends Error {
  override readonly name = 'ChaosError';
  readonly code = 'BAD_CHAOS';
  /** The class of the exit codes (docs/CLI.md#exit-codes) that a program ends with. */
  readonly exit = 'usage';

  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}
