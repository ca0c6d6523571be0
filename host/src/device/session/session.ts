import { AbortedError, formatJson, invalidInputError, ZbcSignerError } from '@zbc-signer/chain';
import * as status from '@zbc-signer/protocol/status-words';
import { readBytes } from '../../bytes.js';
import { eitherSignal, throwIfAborted } from '../../cancellation.js';
import { type Clock, SYSTEM_CLOCK } from '../../clock.js';
import { DeviceError, TransportError } from '../../errors.js';
import { ExchangeQueue } from '../exchange-queue.js';
import type { DevicePublicKey, SignerVersion } from '../replies.js';
import { checkPublicKey, checkSignature, type TransactionSignature } from '../signed-transaction.js';
import { type CallOptions, type GetPublicKeyOptions, type SignedMessage, Signer } from '../signer.js';
import type { Transport } from '../transport/transport.js';
import { copyRequest, type SignTransactionRequest } from '../upload-header.js';
import { EventFeed } from './event-feed.js';
import { addressReview, messageReview, transactionReview } from './review-of.js';
import type { SessionEvent, SessionState } from './session-event.js';

/** How to watch a device. */
export interface SessionOptions {
  /** Pause between two looks at the device, while somebody listens. Default: 1000. */
  pollMs?: number | undefined;
  /** Default: the system's. */
  clock?: Clock | undefined;
}

/** How to wait for a device. */
export interface WaitOptions {
  /** An abort rejects with AbortedError. */
  signal?: AbortSignal | undefined;
}

const POLL_MS = 1000;
/** A device answers what it is at in milliseconds; a slow one in less than a second. */
const UNRESPONSIVE_MS = 5000;

/**
 * A device and what it is at. Calls run one after another, as the calls of a Signer, and are told as events:
 * give the session to `sendTransaction` as its signer. A call that is lost rejects and is never repeated, so
 * that no reconnect signs twice. The device is looked at while somebody listens, and between calls only.
 */
export class SignerSession {
  readonly #signer: Signer;
  readonly #queue = new ExchangeQueue();
  readonly #feed = new EventFeed<SessionEvent>(isHeard =>
    isHeard ? this.#startPolling() : this.#endPolling(),
  );
  readonly #pollMs: number;
  readonly #clock: Clock;
  #state: SessionState = { state: 'connecting' };
  #polling: AbortController | undefined;
  readonly #closing = new AbortController();

  constructor(transport: Transport, { pollMs = POLL_MS, clock = SYSTEM_CLOCK }: SessionOptions = {}) {
    if (typeof pollMs !== 'number' || !(pollMs >= 0)) {
      throw invalidInputError('pollMs must be a number of milliseconds');
    }
    this.#signer = new Signer(transport);
    this.#pollMs = pollMs;
    this.#clock = clock;
  }

  /** The state now. */
  get state(): SessionState {
    return this.#state;
  }

  /** Calls `listener` for every event from now on, until the function that is returned is called. */
  subscribe(listener: (event: SessionEvent) => void): () => void {
    return this.#feed.subscribe(listener);
  }

  /** The state now, then every event, until the session is closed, the signal fires or the loop is left. */
  events({ signal }: WaitOptions = {}): AsyncGenerator<SessionEvent, void> {
    const isLast = (event: SessionEvent) => event.type === 'state' && event.state.state === 'closed';
    return this.#feed.iterate(() => ({ type: 'state', state: this.#state }), isLast, signal);
  }

  /**
   * Resolves when the device is ready; without a signal it waits for ever. When a time limit fires, it rejects
   * with why the device is not ready: `LOCKED`, `BUSY`, `WRONG_APP`, `DEVICE_UNRESPONSIVE` or the error of the
   * state `lost`. Another abort rejects with AbortedError, whose cause that is. `SESSION_CLOSED` after `close`.
   */
  async waitUntilReady({ signal }: WaitOptions = {}): Promise<SignerVersion> {
    const unsubscribe = this.subscribe(() => {});
    const either = eitherSignal(signal, this.#closing.signal);
    try {
      for (;;) {
        throwIfAborted(either);
        await this.#look(either);
        if (this.#state.state === 'ready') return this.#state.version;
        await this.#clock.sleep(this.#pollMs, either);
      }
    } catch (error) {
      if (signal?.aborted && this.#state.state !== 'closed') throw this.#unreadyError(signal.reason);
      return this.#throwReason(error);
    } finally {
      unsubscribe();
    }
  }

  /** As `Signer.getVersion`. */
  getVersion({ signal }: CallOptions = {}): Promise<SignerVersion> {
    return this.#run(signal, call => this.#signer.getVersion(call));
  }

  /** As `Signer.getPublicKey`; with `confirm` a review. */
  getPublicKey(account: number, options: GetPublicKeyOptions = {}): Promise<DevicePublicKey> {
    const { confirm, signal } = options;
    return this.#run(signal, async call => {
      const key = await this.#signer.getPublicKey(account, call);
      if (confirm !== true) return key;
      const show = () => this.#signer.getPublicKey(account, { ...call, confirm });
      const shown = await this.#review(addressReview(key.address), show);
      checkPublicKey(shown.publicKey, key.publicKey);
      return shown;
    });
  }

  /** As `Signer.signTransaction`, with its review. */
  async signTransaction(
    request: SignTransactionRequest,
    { signal }: CallOptions = {},
  ): Promise<TransactionSignature> {
    const copy = copyRequest(request);
    const items = transactionReview(copy);
    return this.#run(signal, call => this.#review(items, () => this.#signer.signTransaction(copy, call)));
  }

  /** As `Signer.signMessage`, with its review. */
  async signMessage(
    account: number,
    message: Uint8Array,
    { signal }: CallOptions = {},
  ): Promise<SignedMessage> {
    const copy = readBytes('message', message);
    return this.#run(signal, async call => {
      const { address, publicKey } = await this.#signer.getPublicKey(account, call);
      const sign = () => this.#signer.signMessage(account, copy, call);
      const signed = await this.#review(messageReview(address, copy), sign);
      checkSignature(signed.signature, copy, publicKey);
      return signed;
    });
  }

  /**
   * Ends the session and its transport; a review ends on the device. Calls that run or wait, and all later
   * ones, reject with `SESSION_CLOSED`.
   */
  async close(): Promise<void> {
    this.#endPolling();
    this.#enter({ state: 'closed' });
    this.#closing.abort(sessionClosedError());
    await this.#signer.close();
  }

  /** Runs one call at a time; what becomes of it says what the device is at. */
  #run<Result>(
    signal: AbortSignal | undefined,
    call: (options: Required<CallOptions>) => Promise<Result>,
  ): Promise<Result> {
    const either = eitherSignal(signal, this.#closing.signal);
    const result = this.#queue.run(async () => {
      const silence = this.#watchSilence();
      try {
        const result = await call({ signal: either });
        silence.abort();
        this.#answered();
        if (this.#state.state !== 'ready') await this.#refresh();
        return result;
      } catch (error) {
        silence.abort();
        await this.#learn(error);
        throw error;
      }
    }, either);
    return result.catch(error => this.#throwReason(error));
  }

  /** Why the wait for the device was in vain. */
  #unreadyError(reason: unknown): ZbcSignerError {
    const error = unreadyError(this.#state);
    return Reflect.get(Object(reason), 'name') === 'TimeoutError' ? error : new AbortedError(error);
  }

  /** The caller's own abort is an AbortedError; that of `close` has a code of its own. */
  #throwReason(error: unknown): never {
    const { aborted, reason } = this.#closing.signal;
    throw aborted && error instanceof AbortedError && error.cause === reason ? sessionClosedError() : error;
  }

  async #review<Result>(
    items: Extract<SessionState, { state: 'review' }>['items'],
    call: () => Promise<Result>,
  ): Promise<Result> {
    this.#enter({ state: 'review', items });
    try {
      const result = await call();
      this.#feed.emit({ type: 'decided', approved: true });
      return result;
    } catch (error) {
      if (isDecision(error)) this.#feed.emit({ type: 'decided', approved: false, error });
      throw error;
    }
  }

  /** The state after a call failed; after an abort or a refusal the device says it. */
  async #learn(error: unknown): Promise<void> {
    const state = stateOf(error);
    if (state === undefined) await this.#refresh();
    else this.#enter(state);
  }

  /** Asks the device what it is at. */
  async #refresh(): Promise<void> {
    if (this.#state.state === 'closed') return;
    const silence = this.#watchSilence();
    try {
      const version = await this.#signer.getVersion();
      silence.abort();
      this.#answered();
      this.#enter(version.locked ? { state: 'locked' } : { state: 'ready', version });
    } catch (error) {
      silence.abort();
      const state = stateOf(error) ?? { state: 'lost', error: asSignerError(error) };
      if (state.state !== 'lost') this.#answered();
      this.#enter(state.state === 'other-app' ? { ...state, app: await this.#appName() } : state);
    }
  }

  /** A device that is silent until the abort is unresponsive, but in a review, which a person reads. */
  #watchSilence(): AbortController {
    const end = new AbortController();
    this.#clock.sleep(UNRESPONSIVE_MS, end.signal).then(
      () => this.#state.state === 'review' || this.#enter({ state: 'unresponsive' }),
      () => undefined,
    );
    return end;
  }

  async #appName(): Promise<string | undefined> {
    try {
      return (await this.#signer.getAppName()).name;
    } catch (error) {
      const app = error instanceof DeviceError ? error.facts.app : undefined;
      return typeof app === 'string' ? app : undefined;
    }
  }

  #answered(): void {
    const { state } = this.#state;
    if (state === 'lost' || state === 'unresponsive') this.#feed.emit({ type: 'reconnected' });
  }

  /** Nothing leaves `closed`; a state that is there already is no event. */
  #enter(state: SessionState): void {
    if (this.#state.state === 'closed' || isSame(this.#state, state)) return;
    this.#state = state;
    this.#feed.emit({ type: 'state', state });
  }

  /** Looks at the device when no call is running. */
  #look(signal?: AbortSignal): Promise<void> {
    return this.#queue.run(() => this.#refresh(), signal);
  }

  #startPolling(): void {
    if (this.#polling !== undefined || this.#state.state === 'closed') return;
    this.#polling = new AbortController();
    void this.#poll(this.#polling.signal);
  }

  async #poll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#look();
      await this.#clock.sleep(this.#pollMs, signal).catch(() => undefined);
    }
  }

  #endPolling(): void {
    this.#polling?.abort();
    this.#polling = undefined;
  }
}

/** Undefined for an error that leaves open what the device is at, such as that of an argument. */
function stateOf(error: unknown): SessionState | undefined {
  if (!(error instanceof ZbcSignerError)) return undefined;
  switch (error.code) {
    case 'LOCKED':
      return { state: 'locked' };
    case 'BUSY':
      return { state: 'busy' };
    case 'WRONG_APP':
      return { state: 'other-app' };
    case 'INVALID_REPLY':
    case 'PROTOCOL_VERSION':
      return { state: 'lost', error };
    default:
      return error instanceof TransportError || error.code === 'DEVICE_DISCONNECTED'
        ? { state: 'lost', error }
        : undefined;
  }
}

/** Why a device that is in this state is not ready. */
function unreadyError(state: SessionState): ZbcSignerError {
  switch (state.state) {
    case 'lost':
      return state.error;
    case 'locked':
      return new DeviceError('LOCKED', status.LOCKED, 'the device is locked');
    case 'busy':
    case 'review':
      return new DeviceError('BUSY', status.BUSY, 'the device is busy: a review is on its screen');
    case 'other-app':
      return new ZbcSignerError('WRONG_APP', `the device runs ${state.app ?? 'another app'}`, {
        facts: { ...(state.app !== undefined && { app: state.app }) },
      });
    default:
      return new TransportError(
        'DEVICE_UNRESPONSIVE',
        'the device is connected, and does not answer what it is at',
      );
  }
}

/** Whether the user, or the device in their place, has said no. */
function isDecision(error: unknown): error is DeviceError {
  return error instanceof DeviceError && stateOf(error) === undefined;
}

/** A review is always another one. */
function isSame(one: SessionState, other: SessionState): boolean {
  return one.state !== 'review' && identityOf(one) === identityOf(other);
}

interface AnyState {
  state: string;
  app?: unknown;
  version?: unknown;
  error?: ZbcSignerError;
}

function identityOf({ state, app, version, error }: AnyState): string {
  return formatJson([state, app, version, error?.code]);
}

function sessionClosedError(): TransportError {
  return new TransportError('SESSION_CLOSED', 'the session was closed');
}

function asSignerError(error: unknown): ZbcSignerError {
  if (error instanceof ZbcSignerError) return error;
  return new ZbcSignerError('TRANSPORT_FAILED', 'the connection to the device failed', { cause: error });
}
