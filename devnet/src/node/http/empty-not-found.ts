import { RequestError } from '@zbc-signer/gateway/server';

/** 404 with an empty body: another kind of node may have it (docs/gateway/routing.md#chain-routes). */
export class EmptyNotFoundError extends RequestError {
  override readonly name = 'EmptyNotFoundError';

  constructor() {
    super(404, 'Not found on this kind of node');
  }
}

/** The value; throws EmptyNotFoundError for undefined. */
export function foundOrEmpty<T>(value: T | undefined): T {
  if (value === undefined) throw new EmptyNotFoundError();
  return value;
}
