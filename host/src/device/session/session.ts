import { AbortedError, anySignal, formatJson, invalidInputError, ZbcSignerError } from '@zbc-signer/chain';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import * as status from '@zbc-signer/protocol/status-words';
import { readBytes } from '../../bytes.js';
import { throwIfAborted } from '../../cancellation.js';
import { type Clock, SYSTEM_CLOCK } from '../../clock.js';
import { DeviceError, TransportError } from '../../errors.js';
import type { SigningOptions } from '../committed-signing.js';
import { type Contact, type NewContact, readNewContact } from '../contact.js';
import { ExchangeQueue } from '../exchange-queue.js';
import type { DevicePublicKey, SignerVersion } from '../replies.js';
import { checkPublicKey, checkSignature, type TransactionSignature } from '../signed-transaction.js';
import { type CallOptions, type GetPublicKeyOptions, type SignedMessage, Signer } from '../signer.js';
import type { Transport } from '../transport/transport.js';
import { copyRequest, type SignTransactionRequest } from '../upload-header.js';
import { EventFeed } from './event-feed.js';
import { addressReview, contactReview, messageReview, transactionReview } from './review-of.js';
import type { SessionEvent, SessionState } from './session-event.js';

/** Options of a SignerSession. */
export interface SessionOptions {
  /** Interval at which the device is polled while there are listeners, in milliseconds. Default: 1000. */
  pollMs?: number | undefined;
  /** Default: the system's clock. */
  clock?: Clock | undefined;
}

/** Options of a wait for a device. */
export interface WaitOptions {
  /** An abort rejects with AbortedError. */
  signal?: AbortSignal | undefined;
}

const POLL_MS = 1000;
/**
 * Time without an answer after which a device counts as unresponsive. Slow devices answer within a second.
 */
const UNRESPONSIVE_MS = 5000;

/**
 * A device with its state. Calls run one after another, like those of a Signer, and are reported as events.
 * Pass the session to `sendTransaction` as its signer. If the connection is lost during a call, the call
 * rejects and is never repeated, so that a reconnection never signs twice. The device is polled between
 * calls, and only while there are listeners.
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
    bindMembers(this);
    if (typeof pollMs !== 'number' || !(pollMs >= 0)) {
      throw invalidInputError('pollMs must be a number of milliseconds');
    }
    this.#signer = new Signer(transport);
    this.#pollMs = pollMs;
    this.#clock = clock;
  }

  /** The device's current state. */
  get state(): SessionState {
    return this.#state;
  }

  /** Calls `listener` for every later event until the returned function is called. */
  subscribe(listener: (event: SessionEvent) => void): () => void {
    return this.#feed.subscribe(listener);
  }

  /**
   * Yields the current state, then every event, until the session is closed, the signal fires or the loop
   * ends.
   */
  events({ signal }: WaitOptions = {}): AsyncGenerator<SessionEvent, void> {
    const isLast = (event: SessionEvent) => event.type === 'state' && event.state.state === 'closed';
    return this.#feed.iterate(() => ({ type: 'state', state: this.#state }), isLast, signal);
  }

  /**
   * Resolves when the device is ready; without a signal, waits for ever. If an AbortSignal.timeout fires,
   * rejects with the reason why the device is not ready: `LOCKED`, `BUSY`, `WRONG_APP`, `DEVICE_UNRESPONSIVE`
   * or the error of the state `lost`. Any other abort rejects with AbortedError, whose cause is that reason.
   * Rejects with `SESSION_CLOSED` after `close`.
   */
  async waitUntilReady({ signal }: WaitOptions = {}): Promise<SignerVersion> {
    const unsubscribe = this.subscribe(() => {});
    const either = anySignal(signal, this.#closing.signal);
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

  /** Does the same as `Signer.getVersion`. */
  getVersion({ signal }: CallOptions = {}): Promise<SignerVersion> {
    return this.#run(signal, call => this.#signer.getVersion(call));
  }

  /** Like `Signer.getPublicKey`; with `confirm`, the state is `review` meanwhile. */
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

  /** Like `Signer.signTransaction`; the state is `review` meanwhile. */
  async signTransaction(
    request: SignTransactionRequest,
    { signal, ...options }: SigningOptions = {},
  ): Promise<TransactionSignature> {
    const copy = copyRequest(request);
    const items = transactionReview(copy);
    return this.#run(signal, call =>
      this.#review(items, () => this.#signer.signTransaction(copy, { ...options, ...call })),
    );
  }

  /** Like `Signer.registerContact`; the state is `review` meanwhile. */
  async registerContact(contact: NewContact, { signal }: CallOptions = {}): Promise<Contact> {
    const copy = readNewContact(contact);
    const items = contactReview(copy);
    return this.#run(signal, call => this.#review(items, () => this.#signer.registerContact(copy, call)));
  }

  /** Does the same as `Signer.checkContact`. */
  checkContact(contact: Contact, { signal }: CallOptions = {}): Promise<boolean> {
    return this.#run(signal, call => this.#signer.checkContact(contact, call));
  }

  /** Like `Signer.signMessage`; the state is `review` meanwhile. */
  async signMessage(
    account: number,
    message: Uint8Array,
    { signal, ...options }: SigningOptions = {},
  ): Promise<SignedMessage> {
    const copy = readBytes('message', message);
    return this.#run(signal, async call => {
      const { address, publicKey } = await this.#signer.getPublicKey(account, call);
      const sign = () => this.#signer.signMessage(account, copy, { ...options, ...call });
      const signed = await this.#review(messageReview(address, copy), sign);
      checkSignature(signed.signature, copy, publicKey);
      return signed;
    });
  }

  /**
   * Ends the session, its transport and any review on the device. Running, waiting and later calls reject
   * with `SESSION_CLOSED`.
   */
  async close(): Promise<void> {
    this.#endPolling();
    this.#enter({ state: 'closed' });
    this.#closing.abort(sessionClosedError());
    await this.#signer.close();
  }

  /** Runs a call once the previous ones have ended. The outcome of the call determines the state. */
  #run<Result>(
    signal: AbortSignal | undefined,
    call: (options: Required<CallOptions>) => Promise<Result>,
  ): Promise<Result> {
    const either = anySignal(signal, this.#closing.signal);
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

  /** The error for a wait that was aborted with `reason`. */
  #unreadyError(reason: unknown): ZbcSignerError {
    const error = unreadyError(this.#state);
    return Reflect.get(Object(reason), 'name') === 'TimeoutError' ? error : new AbortedError(error);
  }

  /** Throws `SESSION_CLOSED` if the error is due to `close`; otherwise throws the error itself. */
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

  /** Sets the state that the error implies. An abort or a refusal implies none, so the device is asked. */
  async #learn(error: unknown): Promise<void> {
    const state = stateOf(error);
    if (state === undefined) await this.#refresh();
    else this.#enter(state);
  }

  /** Asks the device for its state. */
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

  /**
   * Sets the state `unresponsive` after UNRESPONSIVE_MS, unless the caller aborts the returned controller
   * before. During a review the state does not change, because the user may be reading.
   */
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

  /** Changes the state, except from `closed`; an unchanged state causes no event. */
  #enter(state: SessionState): void {
    if (this.#state.state === 'closed' || isSame(this.#state, state)) return;
    this.#state = state;
    this.#feed.emit({ type: 'state', state });
  }

  /** Asks the device for its state once the running calls have ended. */
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

/**
 * The state that an error implies; undefined for an error that implies no state, such as an invalid argument.
 */
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

/** The reason why a device in this state is not ready. */
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
      return new TransportError('DEVICE_UNRESPONSIVE', 'the device is connected, but does not answer');
  }
}

/** Whether the user rejected or the device refused the data to sign. */
function isDecision(error: unknown): error is DeviceError {
  return error instanceof DeviceError && stateOf(error) === undefined;
}

/** Whether two states are equal. Two reviews always count as different, so that each causes an event. */
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
