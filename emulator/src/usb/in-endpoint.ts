import { Pacer, withdraw } from './pacer.js';

type Deliver = (report: Uint8Array) => void;

/** The device's side of an IN endpoint: reports wait for transfers, transfers wait for reports. */
export class InEndpoint {
  readonly #pacer = new Pacer();
  #reports: Uint8Array[] = [];
  #transfers: Deliver[] = [];

  /** Sends a report to the host at its next request. */
  send(report: Uint8Array): void {
    this.#reports.push(report);
    this.#match();
  }

  /**
   * Requests a report for the host; the returned function withdraws the request, and returns whether it was
   * still open.
   */
  transfer(deliver: Deliver): () => boolean {
    this.#transfers.push(deliver);
    this.#match();
    return () => withdraw(this.#transfers, deliver);
  }

  /** Drops every unread report and every open transfer. */
  reset(): void {
    this.#pacer.clear();
    this.#reports = [];
    this.#transfers = [];
  }

  #match(): void {
    if (this.#reports.length > 0 && this.#transfers.length > 0) this.#pacer.queue(() => this.#deliver());
  }

  /** A transfer may have been withdrawn or served meanwhile. */
  #deliver(): void {
    if (this.#reports.length === 0 || this.#transfers.length === 0) return;
    this.#transfers.shift()!(this.#reports.shift()!);
  }
}
