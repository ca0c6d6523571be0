import {
  AbortedError,
  accountMovements,
  anySignal,
  type BlockSpan,
  broadcastStateOf,
  type CancelSignal,
  type Draft,
  type FlowOptions,
  type GatewayClient,
  growSpan,
  type ListedTransaction,
  type PaymentJournal,
  resumePayments,
  type SessionEvent,
  SignerSession,
  sendTransaction,
  type Transport,
  TransportError,
  UnlinkedBlocksError,
} from '@zbc-signer/host';
import { type ActivityView, INITIAL, type Views } from './views.js';

/** Number of the chain's newest transactions, and of an account's newest movements, that are read. */
const NEWEST = 100;
/** Number of blocks after which no older ones are read. */
const MAX_BLOCKS = 1000n;

/** The blocks that were read for an account. */
export interface Reading {
  address: string;
  span?: BlockSpan | undefined;
  error?: unknown;
}

/** Options of one payment: those of `sendTransaction` that the provider does not set. */
export type SendOptions = Omit<FlowOptions, 'gateway' | 'journal' | 'signer' | 'signal' | 'onProgress'>;

/** Opens a connection to a device. */
export type OpenTransport = () => Transport | Promise<Transport>;

/** A transport whose running exchange any caller can cancel. */
class CancellableTransport implements Transport {
  #running = new AbortController();

  constructor(private readonly transport: Transport) {}

  /**
   * Rejects with AbortedError if the exchange was cancelled, even if a transport that ignores signals
   * replies.
   */
  async exchange(apdu: Uint8Array, signal?: CancelSignal): Promise<Uint8Array> {
    const running = new AbortController();
    this.#running = running;
    const reply = this.transport.exchange(apdu, anySignal(signal, running.signal));
    await reply.catch(() => undefined);
    if (running.signal.aborted) throw new AbortedError(running.signal.reason);
    return reply;
  }

  close(): Promise<void> | void {
    return this.transport.close();
  }

  cancel(): void {
    this.#running.abort();
  }
}

/**
 * The state of a provider: a device, one payment at a time, and the outcomes of earlier payments. The
 * constructor has no side effects, because React may discard a rendering.
 */
export class SignerStore {
  #views = INITIAL;
  readonly #listeners = new Set<() => void>();
  #users = 0;
  #isReleased = false;
  #opening: object | undefined;
  #session: SignerSession | undefined;
  /** Ends the review that the device shows, if it is undecided. */
  #endReview = () => {};
  /** The latest reading of the activity; undefined once it has ended. */
  #reading: Promise<unknown> | undefined;
  #readings = 0;
  /** The blocks that were read, by address. */
  readonly #spans = new Map<string, BlockSpan>();
  /** For the journal and the gateway, the number of the reading whose result is shown. */
  readonly #shown = { journal: 0, gateway: 0 };

  constructor(
    private readonly gateway: GatewayClient,
    private readonly journal: PaymentJournal,
  ) {}

  get views(): Views {
    return this.#views;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Keeps the device until the returned function is called. If strict mode unmounts and mounts the components,
   * the device is kept too.
   */
  readonly hold = (): (() => void) => {
    this.#users += 1;
    this.#isReleased = false;
    return () => {
      this.#users -= 1;
      this.#releaseUnlessHeld();
    };
  };

  readonly connect = (open: OpenTransport): void => {
    if (this.#opening !== undefined || this.#session !== undefined) return;
    const opening = {};
    this.#opening = opening;
    this.#show('signer', { state: 'connecting' });
    void this.#open(open, () => this.#opening === opening);
    // A handler may call this after the provider was unmounted.
    if (this.#isReleased) this.#releaseUnlessHeld();
  };

  readonly disconnect = (): void => {
    this.#opening = undefined;
    if (this.#session !== undefined) this.#session.close().catch(() => undefined);
    else this.#show('signer', INITIAL.signer);
  };

  readonly cancelReview = (): void => this.#endReview();

  readonly send = (draft: Draft, options: SendOptions = {}): boolean => {
    if (this.#views.sending.state === 'sending') return false;
    this.#show('sending', { state: 'sending' });
    void this.#send(draft, options);
    return true;
  };

  readonly clear = (): void => {
    if (this.#views.sending.state !== 'sending') this.#show('sending', INITIAL.sending);
  };

  /**
   * Reads the activity, unless it is being read already, so that a second mount in strict mode reads nothing.
   */
  readonly readActivity = (): void => {
    if (this.#reading === undefined) void this.refresh();
  };

  /**
   * Reads the activity again, even during a reading, because that reading may have missed the last change.
   * The result of the later reading is shown.
   */
  readonly refresh = async (): Promise<void> => {
    const { journal, gateway } = this;
    this.#readings += 1;
    const number = this.#readings;
    const show = (source: 'journal' | 'gateway', changes: Partial<ActivityView>) => {
      if (number < this.#shown[source]) return;
      this.#shown[source] = number;
      this.#showActivity(changes);
    };
    // Each result is shown as soon as it is known, because a gateway that does not answer must not delay the
    // payments of the journal.
    const reading = Promise.all([
      settle(() => journal.pending()).then(
        unsettled => show('journal', { unsettled, journalError: undefined }),
        journalError => show('journal', { journalError }),
      ),
      settle(() => gateway.recentTransactions(NEWEST)).then(
        transactions => show('gateway', { transactions, gatewayError: undefined }),
        gatewayError => show('gateway', { gatewayError }),
      ),
    ]);
    this.#reading = reading;
    await reading;
    if (this.#reading === reading) this.#reading = undefined;
  };

  /**
   * Reads the newest blocks for an account, once the chain's newest transactions are known, and shows them after
   * each request until the returned function is called.
   */
  readonly readBlocks = (
    address: string | undefined,
    newest: readonly ListedTransaction[],
    show: (reading: Reading) => void,
  ): (() => void) => {
    const end = new AbortController();
    if (address !== undefined && newest !== INITIAL.activity.transactions) {
      void this.#readBlocks(address, end.signal, reading => end.signal.aborted || show(reading));
    }
    return () => end.abort();
  };

  async #readBlocks(address: string, signal: AbortSignal, show: (reading: Reading) => void): Promise<void> {
    let span = this.#spans.get(address);
    try {
      for await (const grown of growSpan(this.gateway, [address], { span, signal })) {
        span = grown.span;
        this.#spans.set(address, span);
        show({ address, span });
        const isEnough =
          span.to - span.from >= MAX_BLOCKS || accountMovements(address, span).length >= NEWEST;
        if (span.to === grown.newest && isEnough) return;
      }
    } catch (error) {
      // The chain has replaced a block: the next attempt reads all blocks again.
      if (error instanceof UnlinkedBlocksError) this.#spans.delete(address);
      show({ address, span, error });
    }
  }

  readonly resume = async (): Promise<void> => {
    const { gateway, journal } = this;
    if (this.#views.activity.isResuming) return;
    this.#showActivity({ isResuming: true });
    try {
      this.#showActivity({ resumed: await resumePayments(journal, { gateway }) });
    } catch {
      // The reading that follows reports a journal or a gateway that fails.
    }
    this.#showActivity({ isResuming: false });
    await this.refresh();
  };

  #releaseUnlessHeld(): void {
    queueMicrotask(() => {
      if (this.#users > 0) return;
      this.#isReleased = true;
      this.disconnect();
    });
  }

  async #open(open: OpenTransport, isWanted: () => boolean): Promise<void> {
    try {
      const transport = await open();
      if (!isWanted()) return void (await transport.close());
      this.#follow(transport);
    } catch (error) {
      if (!isWanted()) return;
      this.#show('signer', { state: 'none', error });
    }
    this.#opening = undefined;
  }

  #follow(given: Transport): void {
    const transport = new CancellableTransport(given);
    const signer = new SignerSession(transport);
    this.#session = signer;
    const unsubscribe = signer.subscribe(event => {
      this.#endReview = isReview(event) ? () => transport.cancel() : () => {};
      if (event.type !== 'state') return;
      const { state } = event;
      if (state.state === 'closed') {
        unsubscribe();
        this.#session = undefined;
        this.#show('signer', INITIAL.signer);
      } else {
        // Another device may be plugged in instead of a lost one.
        const version = state.state === 'lost' ? undefined : this.#views.signer.version;
        this.#show('signer', { version, ...state, signer });
      }
    });
    this.#show('signer', { state: 'connecting', signer });
  }

  /**
   * Sends a payment. Once it is signed, it continues even if a component is unmounted or the device is
   * removed.
   */
  async #send(draft: Draft, options: SendOptions): Promise<void> {
    const { gateway, journal } = this;
    try {
      const signer = this.#session;
      if (signer === undefined) throw new TransportError('SESSION_CLOSED', 'no signer is connected');
      const onProgress: FlowOptions['onProgress'] = event =>
        this.#show('sending', { state: 'sending', event });
      const outcome = await sendTransaction(draft, { ...options, gateway, journal, signer, onProgress });
      this.#show('sending', { state: 'sent', outcome });
    } catch (error) {
      this.#show('sending', { state: 'error', error, sent: broadcastStateOf(error) });
    }
    await this.refresh();
  }

  #showActivity(changes: Partial<ActivityView>): void {
    this.#show('activity', { ...this.#views.activity, ...changes });
  }

  #show<Name extends keyof Views>(name: Name, view: Views[Name]): void {
    this.#views = { ...this.#views, [name]: view };
    for (const listener of [...this.#listeners]) listener();
  }
}

function isReview(event: SessionEvent): boolean {
  return event.type === 'state' && event.state.state === 'review';
}

/** Turns an exception into a rejection: a journal that an app implements may throw. */
async function settle<Result>(call: () => Promise<Result>): Promise<Result> {
  return call();
}
