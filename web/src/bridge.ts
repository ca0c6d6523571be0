import { fromHex, toHex, type ZbcSignerError } from '@zbc-signer/chain';
import {
  AbortedError,
  anySignal,
  type CancelSignal,
  type Transport,
  TransportError,
  type TransportErrorCode,
} from '@zbc-signer/host';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { BRIDGE_PORT, bridgeCode } from './bridge-protocol.js';
import type { Browser } from './browser.js';
import { invalidReplyError } from './errors.js';
import { postJson, readBounded } from './loopback.js';

const STORED = 'zbc-signer bridge';
const NONCE_BYTES = 16;
const KEY_BYTES = 32;
const FIND_MS = 1500;

/** A pairing that the user allowed in the bridge's terminal; the key is 32 bytes in hex. */
interface Pairing {
  pairing: string;
  key: string;
}

/** Access to `zbc-signer bridge` on this machine, over HTTP at BRIDGE_PORT. */
export class Bridge {
  readonly #browser: Browser;
  readonly #url: string;

  constructor(browser: Browser, port = BRIDGE_PORT) {
    bindMembers(this);
    this.#browser = browser;
    this.#url = `http://127.0.0.1:${port}`;
  }

  /** Whether a bridge is running that allows requests of this page's origin. */
  async find(): Promise<boolean> {
    try {
      const answer = await this.post('/find', {}, AbortSignal.timeout(FIND_MS));
      return answer.bridge === 'zbc-signer';
    } catch {
      return false;
    }
  }

  /** Whether this page has a pairing; the bridge may have forgotten it. */
  get isPaired(): boolean {
    return this.#read() !== undefined;
  }

  /**
   * Asks the user in the bridge's terminal whether to allow this page. The terminal shows the four digits of
   * `code`, which the user compares with those on the page. Throws TransportError if the user refuses.
   */
  async pair(code: string, signal?: AbortSignal): Promise<void> {
    const { pairing, key } = await this.post('/pair', { code }, signal);
    const isWhole = isHex(pairing, NONCE_BYTES) && isHex(key, KEY_BYTES);
    if (!isWhole) throw invalidReplyError('the response of the bridge has no valid pairing');
    this.#browser.storage?.setItem(STORED, JSON.stringify({ pairing, key }));
  }

  /** The device behind the bridge. */
  open(): Transport {
    return new BridgeTransport(this);
  }

  /** Opens a session with the device, in place of an earlier session of this browser. */
  async openSession(): Promise<BridgeSession> {
    const known = this.#read();
    if (known === undefined) throw pairingError();
    const nonce = toHex(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));
    const key = fromHex(known.key);
    const { pairing } = known;
    const opened = await this.#orForget(
      this.post('/open', { pairing, nonce, code: await bridgeCode(key, 'open', pairing, nonce) }),
    );
    const { session, code } = opened;
    if (typeof session !== 'string' || code !== (await bridgeCode(key, 'opened', nonce, session)))
      throw falseCodeError();
    return { session, key, counter: 0 };
  }

  /** Sends a request. Throws TransportError for every failure, with the bridge's message if there is one. */
  async post(path: string, body: object, signal?: AbortSignal): Promise<Record<string, unknown>> {
    const response = await this.#fetch(path, body, signal);
    const answer = await readAnswer(response);
    if (response.status === 200) return answer;
    throw bridgeError(answer);
  }

  async #fetch(path: string, body: object, signal: AbortSignal | undefined): Promise<Response> {
    try {
      return await postJson(this.#browser.fetch, this.#url + path, body, signal);
    } catch (cause) {
      if (signal?.aborted) throw new AbortedError(signal.reason);
      throw new TransportError('DEVICE_DISCONNECTED', 'the bridge did not answer', {
        cause,
        hint: 'Run zbc-signer bridge. Its --allow-origin must name the origin of this page.',
      });
    }
  }

  /** Forgets the pairing if the bridge does not know it, for example because the bridge was restarted. */
  async #orForget<Result>(request: Promise<Result>): Promise<Result> {
    try {
      return await request;
    } catch (error) {
      if (error instanceof TransportError && error.code === 'DEVICE_NOT_ACCESSIBLE') {
        this.#browser.storage?.removeItem(STORED);
      }
      throw error;
    }
  }

  #read(): Pairing | undefined {
    try {
      const { pairing, key } = JSON.parse(this.#browser.storage?.getItem(STORED) ?? '{}') as Pairing;
      return isHex(pairing, NONCE_BYTES) && isHex(key, KEY_BYTES) ? { pairing, key } : undefined;
    } catch {
      return undefined;
    }
  }
}

interface BridgeSession {
  session: string;
  key: Uint8Array;
  /** Number of the last request; the bridge accepts each number once. */
  counter: number;
}

class BridgeTransport implements Transport {
  #session: BridgeSession | undefined;
  #open = new AbortController();

  constructor(private readonly bridge: Bridge) {
    bindMembers(this);
  }

  async exchange(apdu: Uint8Array, signal?: CancelSignal): Promise<Uint8Array> {
    const { signal: open } = this.#open;
    const either = anySignal(signal, open);
    const current = (this.#session ??= await this.bridge.openSession());
    try {
      return await this.#exchange(current, toHex(apdu), either);
    } catch (error) {
      // The next exchange opens a new session. The bridge then ends the review that this session left open.
      this.#session = undefined;
      throw error;
    }
  }

  /** Ends an open review on the device. */
  close(): void {
    this.#open.abort();
    this.#open = new AbortController();
    this.#session = undefined;
  }

  async #exchange(current: BridgeSession, apdu: string, signal: AbortSignal): Promise<Uint8Array> {
    const { session, key } = current;
    const counter = (current.counter += 1);
    const code = await bridgeCode(key, 'exchange', session, counter, apdu);
    const answer = await this.bridge.post('/exchange', { session, counter, apdu, code }, signal);
    const { reply } = answer;
    if (typeof reply !== 'string') throw falseCodeError();
    if (answer.code !== (await bridgeCode(key, 'reply', session, counter, reply))) throw falseCodeError();
    return fromHex(reply);
  }
}

async function readAnswer(response: Response): Promise<Record<string, unknown>> {
  try {
    return Object(JSON.parse(await readBounded(response))) as Record<string, unknown>;
  } catch (cause) {
    if ((cause as Error).name === 'AbortError') throw new AbortedError(cause);
    throw invalidReplyError(`the response of the bridge is not JSON (${(cause as Error).message})`);
  }
}

const CODES: readonly string[] = [
  'TRANSPORT_FAILED',
  'DEVICE_NOT_FOUND',
  'DEVICE_NOT_ACCESSIBLE',
  'DEVICE_HELD',
  'DEVICE_DISCONNECTED',
  'REPLY_LOST',
] satisfies TransportErrorCode[];

function bridgeError({ code, error, hint }: Record<string, unknown>): TransportError {
  const known = CODES.includes(String(code)) ? (code as TransportErrorCode) : 'TRANSPORT_FAILED';
  const words = typeof error === 'string' ? error.slice(0, 200) : 'the bridge refused the request';
  return new TransportError(known, words, {
    hint: typeof hint === 'string' ? hint.slice(0, 300) : undefined,
  });
}

function pairingError(): TransportError {
  return new TransportError('DEVICE_NOT_ACCESSIBLE', 'the bridge does not allow this page yet', {
    hint: 'Connect to the bridge, and allow this page in the terminal of the bridge.',
  });
}

function falseCodeError(): ZbcSignerError {
  return invalidReplyError('the response is not from the bridge that allowed this page');
}

function isHex(value: unknown, bytes: number): value is string {
  return typeof value === 'string' && value.length === 2 * bytes && /^[0-9a-f]*$/.test(value);
}
