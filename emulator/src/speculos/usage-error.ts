/** A command line that zbc-speculos does not take. */
export class SpeculosUsageError extends Error {
  override readonly name = 'SpeculosUsageError';
}
