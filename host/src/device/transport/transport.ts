/**
 * An AbortSignal. The extra property makes Ledger's transports assignable to `Transport`: their second
 * parameter is `{ abortTimeoutMs? }`, and they ignore a signal.
 */
export type CancelSignal = AbortSignal & { readonly abortTimeoutMs?: number };

/**
 * Exchanges one command at a time for its reply, including the status word. There is no time limit, because
 * the user may be reading; an abort rejects at once and drops the connection, which returns the device to its
 * menu.
 */
export interface Transport {
  /**
   * Sends a command; resolves with the reply and its status word. Rejects with TransportError or
   * AbortedError.
   */
  exchange(apdu: Uint8Array, signal?: CancelSignal): Promise<Uint8Array>;
  /** Releases the device; the next exchange opens it again. */
  close(): Promise<void> | void;
}
