/**
 * An AbortSignal. The property, which none has, lets Ledger's transports satisfy `Transport` as they are: the second
 * parameter of theirs is `{ abortTimeoutMs? }`, and they ignore a signal.
 */
export type Cancellation = AbortSignal & { readonly abortTimeoutMs?: number };

/**
 * Carries one command at a time to a signer and its reply, status word included, back. It sets no time limit, since a
 * person may be reading; an abort rejects at once and drops the connection, so that the device goes back to its menu.
 */
export interface Transport {
  exchange(apdu: Uint8Array, signal?: Cancellation): Promise<Uint8Array>;
  close(): Promise<void> | void;
}
