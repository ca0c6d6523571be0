import type { BrowserStorage } from './browser.js';

/** A review that a tab began and did not see the end of: it was reloaded, closed, or crashed. */
export interface UnfinishedReview {
  /** As the page named it, such as `Send 1.5 ZBC`. */
  title: string;
  /** Milliseconds since 1970-01-01. */
  startedAt: number;
}

const MAX_TITLE = 200;

/** Remembers across a reload which review was open on a device. */
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

  /** A full or forbidden storage must not fail a review. */
  #write(text: string): void {
    try {
      this.storage?.setItem(this.#key, text);
    } catch {}
  }
}
