import { toHex } from '@zbc-signer/chain';
import type { GatewayClient, ListedTransaction } from '@zbc-signer/host';
import { type Activity, ActivityIndex, type ActivityProgress, type Browser } from '@zbc-signer/web';

/** The state of an escrow that nobody has decided. */
export const HELD = 'held';
const MAX_HELD = 100;
const NEWEST = 100;

/** Whose chain and accounts are read. */
interface Read {
  readonly gateway: GatewayClient;
  readonly browser: Browser;
  readonly genesisHash: Uint8Array | undefined;
  readonly accounts: readonly { address: string }[];
}

/** Reads the chain's blocks for the places that show what is in them; one reading at a time. */
export class ActivityReader {
  progress: ActivityProgress | undefined;
  /** Why the last reading has ended early. */
  error: unknown;
  #index: ActivityIndex | undefined;
  /** The chain and the accounts of the index. */
  #of = '';
  #reading: Promise<void> | undefined;
  #asking: Promise<ListedTransaction[]> | undefined;
  /** Ends the reading when other accounts or another chain are shown. */
  #end = new AbortController();
  /** Listeners of all places that wait for the reading. */
  readonly #listeners = new Set<() => void>();

  constructor(private readonly wallet: Read) {}

  /** Newest first, as far as blocks are read. */
  of(address: string): Activity[] {
    return this.#index?.of(address) ?? [];
  }

  /** Loads the blocks that this browser has kept of earlier readings. */
  async load(): Promise<void> {
    await this.#indexNow()?.load();
  }

  /** The chain's newest transactions, some not in a block yet: one request serves all places that ask now. */
  newest(): Promise<ListedTransaction[]> {
    this.#asking ??= this.wallet.gateway.recentTransactions(NEWEST).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Calls `onProgress` after each request; also resolves when the reading fails. */
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
      await this.#readStates();
    } catch (error) {
      if (!signal.aborted) this.error = error;
    }
    if (!signal.aborted) this.#reading = undefined;
  }

  /** An escrow that was held when its block was read may be decided since. */
  async #readStates(): Promise<void> {
    const { accounts, gateway } = this.wallet;
    const held = accounts.flatMap(({ address }) =>
      this.of(address).filter(({ escrowState }) => escrowState === HELD),
    );
    for (const activity of held.slice(0, MAX_HELD)) {
      const known = await gateway.transaction(activity.hash);
      activity.escrowState = known?.escrowState ?? HELD;
    }
  }

  #indexNow(): ActivityIndex | undefined {
    const { genesisHash, accounts, gateway, browser } = this.wallet;
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
