import { INTERNAL } from '@zbc-signer/protocol/status-words';
import { type Device, statusReply } from './device.js';

interface Pending {
  resolve(reply: Uint8Array): void;
  reject(reason: unknown): void;
  release(): void;
}

/** `onCommand` and `onCancelled` are called after the firmware has returned, so they may press buttons. */
interface Listeners {
  onCancel(): void;
  onCommand(reply: Uint8Array | undefined): void;
  onCancelled(): void;
}

/**
 * Turns the immediate answers of a device into promises. If the device has no answer yet, the promise is kept
 * until the user has decided.
 */
export class Exchanges {
  #pending: Pending | undefined;

  constructor(
    private readonly device: Device,
    private readonly listeners: Listeners,
  ) {}

  /** Whether a command waits for the user, with its review on the screen. */
  get pending(): boolean {
    return this.#pending !== undefined;
  }

  /** An abort during a review cancels the review in the firmware, and rejects with the signal's reason. */
  start(apdu: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const crashes = this.device.crashes.length;
      const reply = this.device.command(apdu);
      // A crash ends the pending review, and so does a new review, because the firmware never has two (BUSY).
      if (!reply || this.device.crashes.length > crashes) this.settle(statusReply(INTERNAL));
      if (reply) resolve(reply);
      else this.#hold(resolve, reject, signal);
      this.listeners.onCommand(reply);
    });
  }

  /** Holds a command that began in another emulator; its reply is discarded. */
  resume(): void {
    this.#hold(
      () => undefined,
      () => undefined,
      undefined,
    );
  }

  /** Answers the pending exchange, if any. */
  settle(reply: Uint8Array): void {
    this.#take()?.resolve(reply);
  }

  /**
   * Leaves the pending exchange, if any, without a reply, because an unhandled rejection would end the
   * process. An abort of its signal still rejects it.
   */
  abandon(): void {
    this.#pending = undefined;
  }

  /** Rejects the pending exchange, if any. */
  fail(reason: unknown): void {
    this.#take()?.reject(reason);
  }

  #hold(
    resolve: (reply: Uint8Array) => void,
    reject: (reason: unknown) => void,
    signal: AbortSignal | undefined,
  ) {
    const abort = () => {
      if (this.#pending !== pending) return reject(signal?.reason);
      this.fail(signal?.reason);
      this.listeners.onCancel();
      this.device.cancel();
      this.listeners.onCancelled();
    };
    signal?.addEventListener('abort', abort);
    const pending = { resolve, reject, release: () => signal?.removeEventListener('abort', abort) };
    this.#pending = pending;
  }

  #take(): Pending | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.release();
    return pending;
  }
}
