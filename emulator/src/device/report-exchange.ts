import type { Device } from './device.js';
import type { Platform } from './platform.js';

type Deliver = (report: Uint8Array) => void;

/**
 * The side of the device that 64-byte reports reach: the firmware frames them itself. A report that is not
 * answered at once and draws a screen has opened a review, or ended the one that was open.
 */
export class ReportExchanges {
  #pending: Deliver | undefined;

  constructor(
    private readonly device: Device,
    private readonly platform: Platform,
  ) {}

  /** Whether a command that came in reports waits for the user. */
  get pending(): boolean {
    return this.#pending !== undefined;
  }

  /** Takes a report; those of a reply go to `deliver`, now or when the user has decided. */
  take(report: Uint8Array, deliver: Deliver): void {
    const [before, crashes] = [this.platform.screen, this.device.crashes.length];
    const isAnswered = this.device.report(report);
    if (this.device.crashes.length > crashes) this.#pending = undefined;
    else if (isAnswered) this.#answer(deliver);
    else if (this.platform.screen !== before) this.#pending = this.#pending ? undefined : deliver;
  }

  /** The user decided: delivers the reply's reports to the waiting host; false if none waits. */
  settle(): boolean {
    const deliver = this.#pending;
    this.#pending = undefined;
    if (deliver) this.#answer(deliver);
    return deliver !== undefined;
  }

  /** The host went away: its review is dropped. */
  disconnect(): void {
    if (this.#pending === undefined) return;
    this.#pending = undefined;
    this.device.cancel();
  }

  #answer(deliver: Deliver): void {
    for (let report = this.device.replyReport(); report; report = this.device.replyReport()) deliver(report);
  }
}
