import { randomBytes, timingSafeEqual } from 'node:crypto';
import { fromHex, toHex } from '@zbc-signer/chain';
import { type Transport, TransportError, type TransportErrorCode } from '@zbc-signer/host';
import { bridgeCode } from '@zbc-signer/web';

/** A request that the bridge answers with an error; `code` is the code that the page's library throws. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  constructor(
    readonly status: number,
    readonly code: TransportErrorCode | 'INVALID_INPUT',
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

const ID_BYTES = 16;
const KEY_BYTES = 32;
const MAX_PAIRINGS = 64;
/** A pairing ends after this many sessions, because the bridge must remember each nonce. */
const MAX_OPENED = 10_000;
/** A session without requests for this long may be replaced by a session of another browser. */
const IDLE_MS = 30_000;

/** The user's permission for one origin. */
interface Pairing {
  id: string;
  origin: string;
  key: Uint8Array;
  /** Nonces of the opened sessions, each of which may be used once. */
  nonces: Set<string>;
}

interface Session {
  id: string;
  pairing: Pairing;
  /** Number of the last request; the next request must have a higher number. */
  counter: number;
  lastMs: number;
  running: AbortController | undefined;
}

interface OpenRequest {
  pairing: string;
  nonce: string;
  code: string;
}

interface ExchangeRequest {
  session: string;
  counter: number;
  apdu: string;
  code: string;
}

/**
 * The only session of the device, and the pairings that may open a session. Each request is authenticated
 * with the key of its pairing. Its number or nonce is accepted only once, so that the request cannot be
 * replayed.
 */
export class Sessions {
  readonly #pairings = new Map<string, Pairing>();
  #current: Session | undefined;

  constructor(
    private readonly device: Transport,
    /** The monotonic clock in milliseconds. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Creates a pairing for the origin. Above the limit, the oldest pairing ends. */
  addPairing(origin: string): { pairing: string; key: string } {
    const id = randomHex(ID_BYTES);
    const key = randomBytes(KEY_BYTES);
    this.#pairings.set(id, { id, origin, key, nonces: new Set() });
    if (this.#pairings.size > MAX_PAIRINGS) this.#pairings.delete([...this.#pairings.keys()][0]!);
    return { pairing: id, key: toHex(key) };
  }

  /**
   * Opens a session, unless a command is running. A session of another pairing is replaced only if it had no
   * request for a while.
   */
  async open(
    origin: string,
    { pairing: id, nonce, code }: OpenRequest,
  ): Promise<{ session: string; code: string }> {
    const pairing = this.#pairings.get(id);
    if (pairing === undefined || pairing.origin !== origin) throw unknownPairing();
    checkCode(code, await bridgeCode(pairing.key, 'open', id, nonce));
    if (pairing.nonces.has(nonce)) throw replayed();
    if (pairing.nonces.size >= MAX_OPENED) {
      this.#pairings.delete(id);
      throw unknownPairing();
    }
    pairing.nonces.add(nonce);
    this.#endCurrent(pairing);
    const session = randomHex(ID_BYTES);
    this.#current = { id: session, pairing, counter: 0, lastMs: this.now(), running: undefined };
    return { session, code: await bridgeCode(pairing.key, 'opened', nonce, session) };
  }

  /** Sends one command to the device. If the page leaves, `gone` fires and the command's review ends. */
  async exchange(
    origin: string,
    { session: id, counter, apdu, code }: ExchangeRequest,
    gone: AbortSignal,
  ): Promise<{ reply: string; code: string }> {
    const session = this.#current;
    if (session === undefined || session.id !== id || session.pairing.origin !== origin) throw endedSession();
    const { key } = session.pairing;
    checkCode(code, await bridgeCode(key, 'exchange', id, counter, apdu));
    // Another session may have been opened meanwhile.
    if (session !== this.#current) throw endedSession();
    if (counter <= session.counter) throw replayed();
    if (session.running !== undefined) throw busy();
    session.counter = counter;
    const running = new AbortController();
    session.running = running;
    try {
      const signal = AbortSignal.any([gone, running.signal]);
      const reply = toHex(await this.device.exchange(fromHex(apdu), signal));
      return { reply, code: await bridgeCode(key, 'reply', id, counter, reply) };
    } catch (error) {
      throw deviceError(error);
    } finally {
      session.running = undefined;
      session.lastMs = this.now();
    }
  }

  #endCurrent(pairing: Pairing): void {
    const current = this.#current;
    if (current === undefined) return;
    if (current.running !== undefined) throw busy();
    if (current.pairing !== pairing && this.now() - current.lastMs < IDLE_MS) throw held();
    this.#current = undefined;
  }
}

function randomHex(bytes: number): string {
  return toHex(randomBytes(bytes));
}

/**
 * Throws unless the codes are equal. The comparison takes the same time for every code of the right length.
 */
function checkCode(given: string, expected: string): void {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  if (one.length !== other.length || !timingSafeEqual(one, other)) throw unknownPairing();
}

function unknownPairing(): RefusedError {
  return new RefusedError(
    401,
    'DEVICE_NOT_ACCESSIBLE',
    'the bridge does not know this page any more',
    'Connect to the bridge again.',
  );
}

function replayed(): RefusedError {
  return new RefusedError(401, 'DEVICE_NOT_ACCESSIBLE', 'the request repeats an earlier request');
}

function endedSession(): RefusedError {
  return new RefusedError(409, 'DEVICE_DISCONNECTED', 'the session of the bridge has ended', 'Try again.');
}

function busy(): RefusedError {
  return new RefusedError(
    409,
    'DEVICE_HELD',
    'a review of another page is on the device',
    'Approve or reject that review on the device.',
  );
}

function held(): RefusedError {
  return new RefusedError(
    409,
    'DEVICE_HELD',
    'another browser uses the device',
    'Close the wallet in that browser, and wait half a minute.',
  );
}

function deviceError(error: unknown): RefusedError {
  if (!(error instanceof TransportError)) {
    return new RefusedError(502, 'TRANSPORT_FAILED', 'the connection to the device failed');
  }
  return new RefusedError(502, error.code as TransportErrorCode, error.message, error.hint);
}
