import type { BrowserStorage } from '@zbc-signer/web';
import { store } from '../storage.js';

const KEY = 'zbc-wallet pages';

/**
 * The origins that the user has allowed to make requests. The map has the address that each origin received.
 */
export class AllowedPages {
  constructor(private readonly storage: BrowserStorage | undefined) {}

  /** The allowed origins with their addresses; empty if the stored value is damaged. */
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

  /** Stores the list. If the browser cannot store it, the user is asked at each request. */
  #store(pages: ReadonlyMap<string, string>): void {
    store(this.storage, KEY, JSON.stringify(Object.fromEntries(pages)));
  }
}
