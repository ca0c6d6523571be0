/** A kind of chaos that does not exist, or not with that value. */
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
