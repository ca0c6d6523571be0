import { Pacer, withdraw } from './pacer.js';

type Deliver = (report: Uint8Array) => void;

/** The device's side of an IN endpoint: reports wait for transfers, transfers wait for reports. */
export class InEndpoint {
  readonly #pacer = new Pacer();
  #reports: Uint8Array[] = [];
  #transfers: Deliver[] = [];

  /** Sends a report to the host as soon as it asks. */
  send(report: Uint8Array): void {
    this.#reports.push(report);
    this.#match();
  }

  /**
   * The host asks for a report; the function returned withdraws the request, and says whether it was still
   * open.
   */
  transfer(deliver: Deliver): () => boolean {
    this.#transfers.push(deliver);
    this.#match();
    return () => withdraw(this.#transfers, deliver);
  }

  /** Drops every report that the host has not taken, and every open transfer. */
  reset(): void {
    this.#pacer.clear();
    this.#reports = [];
    this.#transfers = [];
  }

  #match(): void {
    if (this.#reports.length > 0 && this.#transfers.length > 0) this.#pacer.queue(() => this.#deliver());
  }

  /** A transfer may have been withdrawn, or served, since the turn was taken. */
  #deliver(): void {
    if (this.#reports.length === 0 || this.#transfers.length === 0) return;
    this.#transfers.shift()!(this.#reports.shift()!);
  }
}
