import { toHex } from '@zbc-signer/chain';
import type { GatewayClient } from '@zbc-signer/host';
import { type Activity, ActivityIndex, type ActivityProgress, type Browser } from '@zbc-signer/web';

/** The state of an escrow that nobody has decided. */
export const HELD = 'held';
const MAX_HELD = 100;

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
  /** Of which chain and accounts the index is. */
  #of = '';
  #reading: Promise<void> | undefined;
  /** Ends the reading when other accounts or another chain are shown. */
  #end = new AbortController();
  /** Of all places that wait for the reading. */
  readonly #listeners = new Set<() => void>();
  /** Of escrows that were held, by hash in hex. */
  readonly #states = new Map<string, string>();

  constructor(private readonly wallet: Read) {}

  /** Newest first, as far as blocks are read. */
  of(address: string): Activity[] {
    const activities = this.#index?.of(address) ?? [];
    return activities.map(activity => ({
      ...activity,
      escrowState: this.#states.get(toHex(activity.hash)) ?? activity.escrowState,
    }));
  }

  /** Calls `onProgress` after each request; resolves, also when it fails. */
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
    for (const { hash } of held.slice(0, MAX_HELD)) {
      const state = (await gateway.transaction(hash))?.escrowState;
      if (state !== undefined) this.#states.set(toHex(hash), state);
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
