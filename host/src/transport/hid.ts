import { throwIfAborted, untilAborted } from '../cancellation.js';
import { AbortedError } from '../errors.js';
import {
  DEFAULT_PRODUCT_ID,
  DEFAULT_VENDOR_ID,
  type HidSystem,
  loadHidSystem,
  openHidDevice,
} from './hid-device.js';
import { HidLink } from './hid-link.js';
import type { Cancellation, Transport } from './transport.js';

export interface HidOptions {
  /** USB ids; 1209:0001, a test id, unless given. */
  vendorId?: number | undefined;
  productId?: number | undefined;
  /** Stands in for node-hid, in tests. */
  system?: HidSystem | undefined;
}

/**
 * A signer on USB. Opens the device at the first exchange, and again at the one after a failure. An abort stops waiting
 * but cannot end the review on the device: until the person has, the next command is answered with BUSY.
 */
export class HidTransport implements Transport {
  readonly #options: HidOptions;
  #link: HidLink | undefined;

  constructor(options: HidOptions = {}) {
    this.#options = options;
  }

  async exchange(apdu: Uint8Array, signal?: Cancellation): Promise<Uint8Array> {
    throwIfAborted(signal);
    const link = await this.#open();
    throwIfAborted(signal);
    try {
      return await untilAborted(link.exchange(apdu), signal);
    } catch (error) {
      if (error instanceof AbortedError) {
        link.abandon();
      } else {
        await this.close();
      }
      throw error;
    }
  }

  async close(): Promise<void> {
    const link = this.#link;
    this.#link = undefined;
    await link?.close().catch(() => undefined);
  }

  async #open(): Promise<HidLink> {
    if (this.#link?.failed) {
      await this.close();
    }
    if (this.#link === undefined) {
      const { vendorId = DEFAULT_VENDOR_ID, productId = DEFAULT_PRODUCT_ID } = this.#options;
      const system = this.#options.system ?? (await loadHidSystem());
      this.#link = new HidLink(await openHidDevice(system, { vendorId, productId }));
    }
    return this.#link;
  }
}
