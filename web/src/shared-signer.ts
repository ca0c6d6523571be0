import { ZbcSignerError } from '@zbc-signer/chain';
import { Signer } from '@zbc-signer/host';
import { type Browser, currentBrowser } from './browser.js';
import type { WebDevice } from './devices.js';
import { closedError, heldByTabError } from './errors.js';
import { Lease } from './lease.js';
import { ReviewRecord, type UnfinishedReview } from './review-record.js';

/** `elsewhere`: another tab uses the device. `closed`: this tab does not use it yet, or no longer. */
export type SharedSignerState = 'closed' | 'open' | 'elsewhere';

/** How to run a piece of work. */
export interface RunOptions {
  /** Names what the user reviews on the device, for the page to show after a reload. */
  review?: string | undefined;
}

/**
 * A device that the tabs of an origin share: one at a time. Work runs one after another; a tab gives the
 * device away only between two pieces of work, so that a review ends where it began. Nothing runs twice: what
 * a reload or an unplugged cable interrupts is reported, and starts again only by a new call.
 */
export class SharedSigner {
  readonly #signer: Signer;
  readonly #lease: Lease;
  readonly #record: ReviewRecord;
  readonly #listeners = new Set<(state: SharedSignerState) => void>();
  #state: SharedSignerState = 'closed';
  #last: Promise<unknown> = Promise.resolve();
  /** Whether another tab waits for the device, so that nothing new begins here. */
  #isLeaving = false;
  #isClosed = false;

  constructor(
    readonly device: WebDevice,
    browser: Browser = currentBrowser(),
  ) {
    this.#signer = new Signer(device.open());
    this.#record = new ReviewRecord(device.lockName, browser.storage);
    this.#lease = new Lease(
      device.lockName,
      { finish: () => this.#finish(), onLost: () => this.#lose() },
      browser,
    );
  }

  /** Which tab uses the device now. */
  get state(): SharedSignerState {
    return this.#state;
  }

  /** Calls the listener at every change of the state, until the returned function is called. */
  subscribe(listener: (state: SharedSignerState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Runs one piece of work on the device, after all earlier ones; throws TransportError `DEVICE_HELD` while
   * another tab uses it, and `TRANSPORT_FAILED` after `close`.
   */
  run<Result>(work: (signer: Signer) => Promise<Result>, { review }: RunOptions = {}): Promise<Result> {
    const result = this.#last.then(async () => {
      if (this.#isClosed) throw closedError();
      if (this.#isLeaving || !(await this.#lease.tryAcquire())) {
        this.#become('elsewhere');
        throw heldByTabError();
      }
      this.#become('open');
      return review === undefined ? work(this.#signer) : this.#review(work, review);
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Takes the device from the tab that has it, once a review there has ended, or until `signal` fires. */
  async useHere(signal?: AbortSignal): Promise<void> {
    if (await this.#lease.takeOver(signal)) this.#become('open');
  }

  /** The review that this origin left open on the device; only for the tab that has the device. */
  get unfinishedReview(): UnfinishedReview | undefined {
    return this.#lease.held ? this.#record.read() : undefined;
  }

  /** Whether a review is on the device's screen, this tab's or one that was left open. */
  isReviewing(): Promise<boolean> {
    return this.run(async signer => {
      try {
        await signer.getVersion();
        return false;
      } catch (error) {
        if (error instanceof ZbcSignerError && error.code === 'BUSY') return true;
        throw error;
      }
    });
  }

  /** The user has seen that a review was left open. */
  forgetUnfinishedReview(): void {
    this.#record.end();
  }

  /** Ends a review of this tab, and lets other tabs use the device. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#signer.close();
    await this.#last;
    this.#lease.close();
    this.#become('closed');
  }

  /** The record stays when the page goes away in between. */
  async #review<Result>(work: (signer: Signer) => Promise<Result>, title: string): Promise<Result> {
    this.#record.begin(title);
    try {
      return await work(this.#signer);
    } finally {
      this.#record.end();
    }
  }

  async #finish(): Promise<void> {
    this.#isLeaving = true;
    await this.#last;
    await this.#signer.close();
  }

  #lose(): void {
    this.#isLeaving = false;
    void this.#signer.close();
    this.#become('elsewhere');
  }

  #become(state: SharedSignerState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }
}
