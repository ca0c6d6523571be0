import { fromHex, invalidInputError, toHex, ZbcSignerError } from '@zbc-signer/chain';
import { AbortedError, anySignal, type CancelSignal, type Transport, TransportError } from '@zbc-signer/host';
import { ReportChannels } from '@zbc-signer/host/reports';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { type Browser, currentBrowser } from './browser.js';
import { invalidReplyError } from './errors.js';
import { postJson, readBounded } from './loopback.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * A transport over an emulator's REST API. Each command is a request `POST /apdu {"data": hex, "channel": n}`, which stays
 * open until the user decides. The emulator allows pages from this machine, and those that its
 * `--allow-origin` names.
 */
export class EmulatorTransport implements Transport {
  readonly #origin: string;
  readonly #fetch: typeof fetch;
  readonly #channels = new ReportChannels();
  #open = new AbortController();
  /** Whether the last command got an answer. */
  #answers = false;

  /** `api` is the emulator's base URL, such as `http://127.0.0.1:5000`. It must name this machine. */
  constructor(api: string, { fetch }: Pick<Browser, 'fetch'> = currentBrowser()) {
    bindMembers(this);
    this.#origin = emulatorOrigin(api);
    this.#fetch = fetch;
  }

  /** Implements `Transport.exchange`; fails with `DEVICE_NOT_FOUND` if nothing answers at the URL. */
  async exchange(apdu: Uint8Array, signal?: CancelSignal): Promise<Uint8Array> {
    const open = this.#open.signal;
    const either = anySignal(signal, open);
    const channel = this.#channels.channelFor(apdu);
    try {
      const response = await postJson(
        this.#fetch,
        `${this.#origin}/apdu`,
        { data: toHex(apdu), channel },
        either,
      );
      const reply = await readReply(response);
      this.#channels.note(channel, apdu, reply);
      this.#answers = true;
      return reply;
    } catch (cause) {
      if (signal?.aborted) throw new AbortedError(signal.reason);
      throw cause instanceof ZbcSignerError ? cause : this.#connectionError(cause);
    }
  }

  /** Ends an open review on the emulator. */
  close(): void {
    this.#open.abort();
    this.#open = new AbortController();
  }

  /** The error of a failed request, whose cause browsers do not reveal. */
  #connectionError(cause: unknown): TransportError {
    if (this.#answers) {
      this.#answers = false;
      return new TransportError('DEVICE_DISCONNECTED', `the emulator at ${this.#origin} does not answer`, {
        cause,
      });
    }
    return new TransportError('DEVICE_NOT_FOUND', `nothing answers at ${this.#origin}`, {
      cause,
      hint:
        'Start an emulator with zbc-signer emulator, or check the URL. If this page is from another machine, ' +
        'start the emulator with --allow-origin and the origin of this page.',
    });
  }
}

/** Returns the origin of the URL; throws `INVALID_INPUT` unless it is an http URL of this machine. */
export function emulatorOrigin(api: string): string {
  const url = URL.canParse(api) ? new URL(api) : undefined;
  if (
    url?.protocol !== 'http:' ||
    !LOOPBACK.test(url.hostname) ||
    url.username !== '' ||
    url.password !== ''
  ) {
    throw invalidInputError('the emulator URL must name this machine, such as http://127.0.0.1:5000');
  }
  return url.origin;
}

async function readReply(response: Response): Promise<Uint8Array> {
  const body = await readBounded(response);
  try {
    if (response.status !== 200) throw new Error(`HTTP status ${response.status}`);
    const { data } = JSON.parse(body) as { data: unknown };
    return fromHex(String(data));
  } catch (cause) {
    throw invalidReplyError(
      `the response of the emulator is not {"data": hex} (${(cause as Error).message})`,
    );
  }
}
