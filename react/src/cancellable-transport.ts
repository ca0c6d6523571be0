import { AbortedError, type Cancellation, eitherSignal, type Transport } from '@zbc-signer/host';

/** A transport whose running exchange any caller can cancel. */
export class CancellableTransport implements Transport {
  #running = new AbortController();

  constructor(private readonly transport: Transport) {}

  /**
   * Rejects with AbortedError if the exchange was cancelled, even if the transport ignores signals and returns a
   * reply.
   */
  async exchange(apdu: Uint8Array, signal?: Cancellation): Promise<Uint8Array> {
    const running = new AbortController();
    this.#running = running;
    const reply = this.transport.exchange(apdu, eitherSignal(signal, running.signal));
    await reply.catch(() => undefined);
    if (running.signal.aborted) throw new AbortedError(running.signal.reason);
    return reply;
  }

  close(): Promise<void> | void {
    return this.transport.close();
  }

  cancel(): void {
    this.#running.abort();
  }
}
