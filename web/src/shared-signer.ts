import { ZbcSignerError } from '@zbc-signer/chain';
import { Signer } from '@zbc-signer/host';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { callListener } from '@zbc-signer/protocol/callbacks';
import { type Browser, currentBrowser } from './browser.js';
import type { WebDevice } from './devices.js';
import { closedError, heldByTabError } from './errors.js';
import { Lease } from './lease.js';
import { ReviewRecord, type UnfinishedReview } from './review-record.js';

/**
 * `open`: this tab uses the device. `elsewhere`: another tab uses it. `closed`: this tab does not use it yet,
 * or no longer uses it.
 */
export type SharedSignerState = 'closed' | 'open' | 'elsewhere';

/** Options for a piece of work. */
export interface RunOptions {
  /** Describes the review on the device, for the page to show after a reload. */
  review?: string | undefined;
}

/**
 * A device that the tabs of an origin share, and that only one tab uses at a time. Pieces of work run one
 * after another. A tab gives the device to another tab only between two pieces of work, so that a review ends
 * in the tab in which it began. Nothing runs twice: work that a reload or an unplugged cable interrupts is
 * reported, and starts again only by a new call.
 */
export class SharedSigner {
  readonly #signer: Signer;
  readonly #lease: Lease;
  readonly #record: ReviewRecord;
  readonly #listeners = new Set<(state: SharedSignerState) => void>();
  #state: SharedSignerState = 'closed';
  #last: Promise<unknown> = Promise.resolve();
  /** Whether another tab waits for the device. If so, this tab begins no new work. */
  #isLeaving = false;
  #isClosed = false;

  constructor(
    readonly device: WebDevice,
    browser: Browser = currentBrowser(),
  ) {
    bindMembers(this);
    this.#signer = new Signer(device.open());
    this.#record = new ReviewRecord(device.lockName, browser.storage);
    this.#lease = new Lease(
      device.lockName,
      { finish: () => this.#finish(), onLost: () => this.#lose() },
      browser,
    );
  }

  /** Whether this tab uses the device now. */
  get state(): SharedSignerState {
    return this.#state;
  }

  /** Calls the listener at every change of the state, until the returned function is called. */
  subscribe(listener: (state: SharedSignerState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Runs one piece of work on the device, after all earlier pieces. Throws TransportError: `DEVICE_HELD`
   * while another tab uses the device, and `TRANSPORT_FAILED` after `close`.
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

  /**
   * Takes the device over from the tab that uses it. Waits until a review of that tab has ended, or until
   * `signal` fires.
   */
  async useHere(signal?: AbortSignal): Promise<void> {
    if (await this.#lease.takeOver(signal)) this.#become('open');
  }

  /** The review that this origin left open on the device; undefined if this tab does not use the device. */
  get unfinishedReview(): UnfinishedReview | undefined {
    return this.#lease.held ? this.#record.read() : undefined;
  }

  /** Whether the device shows a review, even if it is not a review of this tab. */
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

  /** Deletes the record of an unfinished review. Call it once the user has been told about that review. */
  forgetUnfinishedReview(): void {
    this.#record.end();
  }

  /** Ends an open review of this tab, and lets other tabs use the device. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#signer.close();
    await this.#last;
    this.#lease.close();
    this.#become('closed');
  }

  /**
   * Runs the work with a record of its review. The record stays if the page is closed before the work ends.
   */
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
    void callListener(() => this.#signer.close());
    this.#become('elsewhere');
  }

  #become(state: SharedSignerState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of [...this.#listeners]) void callListener(listener, state);
  }
}
