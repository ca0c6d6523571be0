import type { BrowserStorage } from './browser.js';

/** A review that began in a tab that was reloaded, was closed or crashed before the review ended. */
export interface UnfinishedReview {
  /** The page's name for the review, such as `Send 1.5 ZBC`. */
  title: string;
  /** Time of the start, in milliseconds since 1970-01-01. */
  startedAt: number;
}

const MAX_TITLE = 200;

/** Stores which review is open on a device, so that it is known after a reload. */
export class ReviewRecord {
  readonly #key: string;

  constructor(
    deviceName: string,
    private readonly storage: BrowserStorage | undefined,
  ) {
    this.#key = `zbc-signer review ${deviceName}`;
  }

  begin(title: string): void {
    const record: UnfinishedReview = { title: title.slice(0, MAX_TITLE), startedAt: Date.now() };
    this.#write(JSON.stringify(record));
  }

  end(): void {
    try {
      this.storage?.removeItem(this.#key);
    } catch {}
  }

  read(): UnfinishedReview | undefined {
    try {
      const { title, startedAt } = JSON.parse(this.storage?.getItem(this.#key) ?? '{}') as UnfinishedReview;
      const isWhole = typeof title === 'string' && typeof startedAt === 'number';
      return isWhole ? { title: title.slice(0, MAX_TITLE), startedAt } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Ignores errors, because a review must not fail if the storage is full or forbidden. */
  #write(text: string): void {
    try {
      this.storage?.setItem(this.#key, text);
    } catch {}
  }
}
