import type { BrowserStorage } from '@zbc-signer/web';

const KEY = 'zbc-wallet pages';

/** The pages that may ask without asking first whether they may, each with the address that it knows. */
export class AllowedPages {
  constructor(private readonly storage: BrowserStorage | undefined) {}

  /** What is damaged allows nothing. */
  get all(): ReadonlyMap<string, string> {
    try {
      const kept: unknown = JSON.parse(this.storage?.getItem(KEY) ?? '{}');
      return new Map(Object.entries(Object(kept)).map(([origin, address]) => [origin, String(address)]));
    } catch {
      return new Map();
    }
  }

  allow(origin: string, address: string): void {
    this.#store(new Map(this.all).set(origin, address));
  }

  forget(origin: string): void {
    this.#store(new Map([...this.all].filter(([other]) => other !== origin)));
  }

  /** Where nothing can be kept, each request asks. */
  #store(pages: ReadonlyMap<string, string>): void {
    try {
      this.storage?.setItem(KEY, JSON.stringify(Object.fromEntries(pages)));
    } catch {}
  }
}
