import { RequestError } from '@zbc-signer/gateway/server';

/**
 * Thrown to answer 404 with an empty body, because another kind of node may have the record
 * (docs/gateway/routing.md#chain-routes).
 */
export class EmptyNotFoundError extends RequestError {
  override readonly name = 'EmptyNotFoundError';

  constructor() {
    super(404, 'Not found on this kind of node');
  }
}

/** Returns the value; throws EmptyNotFoundError if it is undefined. */
export function requireFoundOrEmpty<T>(value: T | undefined): T {
  if (value === undefined) throw new EmptyNotFoundError();
  return value;
}
