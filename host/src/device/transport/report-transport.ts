import { AbortedError } from '@zbc-signer/chain';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { throwIfAborted, untilAborted } from '../../cancellation.js';
import { ReportChannels } from './report-channels.js';
import type { ReportDevice } from './report-device.js';
import { ReportLink, type ReportTimes } from './report-link.js';
import type { CancelSignal, Transport } from './transport.js';

/**
 * A signer that is reached by 64-byte reports, over HID, its vendor interface or a UART, in Node or a
 * browser. Opens the device at the first exchange, and again after a failure. An abort ends the review on the
 * device.
 */
export class ReportTransport implements Transport {
  readonly #channels = new ReportChannels();
  #link: ReportLink | undefined;

  /** `open` opens the device, or throws TransportError. */
  constructor(
    private readonly open: () => Promise<ReportDevice>,
    private readonly times?: ReportTimes,
  ) {
    bindMembers(this);
  }

  /** Implements `Transport.exchange`. */
  async exchange(apdu: Uint8Array, signal?: CancelSignal): Promise<Uint8Array> {
    throwIfAborted(signal);
    const link = await this.#obtainLink();
    throwIfAborted(signal);
    try {
      return await untilAborted(link.exchange(apdu), signal);
    } catch (error) {
      if (error instanceof AbortedError) link.abandon();
      else await this.close();
      throw error;
    }
  }

  /** Implements `Transport.close`. */
  async close(): Promise<void> {
    const link = this.#link;
    this.#link = undefined;
    await link?.close().catch(() => undefined);
  }

  async #obtainLink(): Promise<ReportLink> {
    if (this.#link?.failed) await this.close();
    this.#link ??= new ReportLink(await this.open(), this.#channels, this.times);
    return this.#link;
  }
}
