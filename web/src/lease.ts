import { anySignal } from '@zbc-signer/host';
import { type Browser, type BrowserChannel, currentBrowser } from './browser.js';
import { insecurePageError } from './errors.js';

/** A tab that does not answer for this long is frozen or has failed, so its lease is taken away. */
const SILENCE_MS = 2000;

/** A message between tabs: `wanted` asks for the device; the tab that has it answers `heard` at once. */
interface Message {
  type: 'wanted' | 'heard';
  /** The tab that asks. */
  from: string;
}

interface LeaseEvents {
  /** Called if another tab asks for the device; the lease is released when the promise settles. */
  finish(): Promise<void>;
  /** Called when the lease is lost. */
  onLost(): void;
}

/**
 * The right to use one device, which only one tab of the origin has at a time. It is a Web Lock, with a
 * channel on which another tab asks for it. A tab loses the lease when it is closed or crashes.
 */
export class Lease {
  readonly #browser: Browser;
  readonly #channel: BrowserChannel;
  readonly #id = globalThis.crypto.randomUUID();
  #release: (() => void) | undefined;
  #onHeard: (() => void) | undefined;

  constructor(
    private readonly name: string,
    private readonly events: LeaseEvents,
    browser: Browser = currentBrowser(),
    private readonly silenceMs = SILENCE_MS,
  ) {
    this.#browser = browser;
    this.#channel = browser.openChannel(`zbc-signer ${name}`);
    this.#channel.addEventListener('message', ({ data }) => this.#receive(data));
  }

  get held(): boolean {
    return this.#release !== undefined;
  }

  /**
   * Acquires the lease if it is free. Returns whether this tab now has the lease. Throws TransportError if
   * the browser has no Web Locks.
   */
  tryAcquire(): Promise<boolean> {
    return this.held ? Promise.resolve(true) : this.#request({ ifAvailable: true });
  }

  /**
   * Asks the tab that has the lease to release it, and waits until that tab has finished its work, such as a
   * review, or until `signal` fires. If that tab does not answer at all, it loses the lease.
   */
  async takeOver(signal?: AbortSignal): Promise<boolean> {
    if (await this.tryAcquire()) return true;
    const patience = new AbortController();
    const stop = anySignal(signal, patience.signal);
    const timer = setTimeout(() => patience.abort(), this.silenceMs);
    this.#onHeard = () => clearTimeout(timer);
    try {
      const waiting = this.#request({ signal: stop });
      this.#post('wanted', this.#id);
      return await waiting;
    } catch (error) {
      if (signal?.aborted || !patience.signal.aborted) throw error;
      return await this.#request({ steal: true });
    } finally {
      clearTimeout(timer);
      this.#onHeard = undefined;
    }
  }

  release(): void {
    this.#release?.();
    this.#release = undefined;
  }

  /** Releases the lease and closes the channel. */
  close(): void {
    this.release();
    this.#channel.close();
  }

  /** Resolves when the lock is granted, and holds it until `release`. */
  #request(options: { ifAvailable?: boolean; steal?: boolean; signal?: AbortSignal }): Promise<boolean> {
    const { locks } = this.#browser;
    if (locks === undefined) return Promise.reject(insecurePageError());
    return new Promise((resolve, reject) => {
      let release: (() => void) | undefined;
      const hold = (lock: object | null) => {
        resolve(lock !== null);
        if (lock === null) return Promise.resolve();
        return new Promise<void>(free => {
          release = free;
          this.#release = free;
        });
      };
      // The request also rejects if another tab steals the lock later.
      locks.request(`zbc-signer ${this.name}`, options, hold).catch(error => {
        if (release !== undefined && this.#release === release) {
          this.#release = undefined;
          this.events.onLost();
        }
        reject(error);
      });
    });
  }

  #receive(data: unknown): void {
    const { type, from } = (data ?? {}) as Partial<Message>;
    if (type === 'heard' && from === this.#id) this.#onHeard?.();
    if (type === 'wanted' && typeof from === 'string' && this.held) {
      this.#post('heard', from);
      void this.#yield();
    }
  }

  async #yield(): Promise<void> {
    await this.events.finish().catch(() => undefined);
    if (!this.held) return;
    this.release();
    this.events.onLost();
  }

  #post(type: Message['type'], from: string): void {
    this.#channel.postMessage({ type, from } satisfies Message);
  }
}
