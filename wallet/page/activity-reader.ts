import { toHex } from '@zbc-signer/chain';
import type { BlockSpan, GatewayClient, ListedTransaction } from '@zbc-signer/host';
import { ActivityIndex, type ActivityProgress, type Browser } from '@zbc-signer/web';
import type { WalletState } from './state.js';

const NEWEST = 100;

/** The part of the wallet that a reader needs: the chain and the accounts to read. */
interface Read {
  readonly gateway: GatewayClient;
  readonly browser: Browser;
  readonly state: Readonly<Pick<WalletState, 'accounts' | 'genesisHash'>>;
}

/**
 * Reads the chain's blocks for all parts of the page that show transactions. Only one reading runs at a time.
 */
export class ActivityReader {
  progress: ActivityProgress | undefined;
  /** The error that ended the last reading. */
  error: unknown;
  #index: ActivityIndex | undefined;
  /** The chain and the accounts of the index, as text. */
  #of = '';
  #reading: Promise<void> | undefined;
  #asking: Promise<ListedTransaction[]> | undefined;
  /** Aborted when the page shows other accounts or another chain, to end the reading. */
  #end = new AbortController();
  /** Listeners of all parts of the page that wait for the reading. */
  readonly #listeners = new Set<() => void>();

  constructor(private readonly wallet: Read) {}

  /** What the blocks that were read so far have about the accounts. */
  get span(): BlockSpan | undefined {
    return this.#index?.span;
  }

  /** Loads the data that this browser has kept from earlier readings. */
  async load(): Promise<void> {
    await this.#indexNow()?.load();
  }

  /**
   * The chain's newest transactions, including those that are not in a block yet. Concurrent calls share one
   * request.
   */
  newest(): Promise<ListedTransaction[]> {
    this.#asking ??= this.wallet.gateway.recentTransactions(NEWEST).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Reads blocks, and calls `onProgress` after each request. Also resolves if the reading fails. */
  async read(onProgress: () => void): Promise<void> {
    const index = this.#indexNow();
    if (index === undefined) return;
    this.#listeners.add(onProgress);
    this.#reading ??= this.#read(index, this.#end.signal);
    await this.#reading.finally(() => this.#listeners.delete(onProgress));
  }

  async #read(index: ActivityIndex, signal: AbortSignal): Promise<void> {
    this.error = undefined;
    try {
      await index.follow(signal, progress => {
        if (signal.aborted) return;
        this.progress = progress;
        for (const listener of this.#listeners) listener();
      });
    } catch (error) {
      if (!signal.aborted) this.error = error;
    }
    if (!signal.aborted) this.#reading = undefined;
  }

  #indexNow(): ActivityIndex | undefined {
    const { state, gateway, browser } = this.wallet;
    const { genesisHash, accounts } = state;
    if (genesisHash === undefined || accounts.length === 0) return undefined;
    const addresses = accounts.map(({ address }) => address);
    const of = [toHex(genesisHash), ...addresses].join();
    if (of !== this.#of) {
      this.#of = of;
      this.progress = undefined;
      this.#reading = undefined;
      this.#end.abort();
      this.#end = new AbortController();
      this.#index = new ActivityIndex(gateway, genesisHash, addresses, browser);
    }
    return this.#index;
  }
}
