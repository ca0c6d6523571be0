/** An unknown kind of chaos, or an invalid value of one. */
export class ChaosError extends Error {
  override readonly name = 'ChaosError';
  readonly code = 'BAD_CHAOS';

  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}
