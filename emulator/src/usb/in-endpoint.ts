import { Pacer, withdraw } from './pacer.js';

type Deliver = (report: Uint8Array) => void;

/** The device's side of an IN endpoint. Reports wait for transfers, and transfers wait for reports. */
export class InEndpoint {
  readonly #pacer = new Pacer();
  #reports: Uint8Array[] = [];
  #transfers: Deliver[] = [];

  /** Sends a report when the host next requests one. */
  send(report: Uint8Array): void {
    this.#reports.push(report);
    this.#match();
  }

  /**
   * Requests a report for the host. The returned function withdraws the request, and returns whether the
   * request was still open.
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

  /** In the meantime, the transfer may have been withdrawn, or may have received its report. */
  #deliver(): void {
    if (this.#reports.length === 0 || this.#transfers.length === 0) return;
    this.#transfers.shift()!(this.#reports.shift()!);
  }
}
