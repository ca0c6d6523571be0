import type { TransportErrorCode } from '@zbc-signer/host';

/** A request that the bridge answers with an error; `code` is what the page's library throws. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  constructor(
    readonly status: number,
    readonly code: TransportErrorCode,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}
