import { anySignal, cleanText, invalidInputError, parseJson, toHex } from '@zbc-signer/chain';
import { type FailedRequest, fetchError } from '#network-fault';
import { throwIfAborted, untilAborted } from '../cancellation.js';
import { GatewayError } from '../errors.js';
import { Answer } from './answer.js';
import {
  GatewayBusyError,
  GatewayMalformedError,
  GatewayStatusError,
  GatewayUnreachableError,
  gatewayUrlError,
  isPassing,
  otherChainError,
} from './errors.js';
import { NODE_INFO, readNodeInfo } from './records/node.js';

/** Options of a gateway's client. */
export interface GatewayOptions {
  /**
   * Default: the global fetch. It must not repeat a request by itself: if the last attempt cannot connect, a
   * broadcast is reported as not sent, although an earlier attempt may have sent it.
   */
  fetch?: typeof fetch | undefined;
  /** Time limit of one request, up to the last byte of its answer. Default: 15,000. */
  timeoutMs?: number | undefined;
  /**
   * Size limit of a list, a block or a transaction; default: 16 MiB. Every other answer has at most 64 KiB.
   */
  maxAnswerBytes?: number | undefined;
}

/** The options of one request; an abort rejects with AbortedError. */
export interface RequestOptions {
  signal?: AbortSignal | undefined;
  /** Time limit of this request, if it is less than the client's. */
  timeoutMs?: number | undefined;
}

/** Whether an answer has a few fields or a list of any length. */
export type AnswerSize = 'small' | 'large';

interface PlainRequest {
  method: string;
  body?: string;
  headers?: Record<string, string>;
}

const TIMEOUT_MS = 15_000;
/** Default of `maxAnswerBytes`. The largest answer, a full block, is smaller. */
const MAX_ANSWER_BYTES = 16 << 20;
/** Size limit of an answer with a few fields, and of error bodies. */
const MAX_SMALL_BYTES = 1 << 16;
/** Maximum number of characters of a redirect's target that an error shows. */
const MAX_LOCATION = 256;
/**
 * In a response, this header is the height of the node that answered. In a request, it is the height that the
 * node to ask should have reached.
 */
const HEIGHT = 'zbc-height';
const NOT_FOUND = 404;

/** HTTP with bounded answers, a time limit on each request, and GatewayError for every failure. */
export class GatewayHttp {
  readonly url: string;
  readonly #fetch: typeof fetch;
  readonly #timeoutMs: number;
  readonly #maxAnswerBytes: number;
  /** Whether a response was readable. It shows that CORS lets this page read the gateway's responses. */
  #hasRead = false;
  /** The greatest height in a response so far. */
  #height = 0n;

  constructor(baseUrl: string, options: GatewayOptions = {}) {
    this.url = checkUrl(baseUrl);
    // In browsers, `fetch` throws if its `this` is not the global object.
    const { fetch = (...request) => globalThis.fetch(...request) } = options;
    const { timeoutMs = TIMEOUT_MS, maxAnswerBytes = MAX_ANSWER_BYTES } = options;
    if (typeof fetch !== 'function') throw invalidInputError('fetch must be a function');
    for (const value of [timeoutMs, maxAnswerBytes]) {
      if (!Number.isInteger(value) || value < 0) {
        throw invalidInputError('timeoutMs and maxAnswerBytes must be whole numbers');
      }
    }
    this.#fetch = fetch;
    this.#timeoutMs = timeoutMs;
    this.#maxAnswerBytes = maxAnswerBytes;
  }

  async get(route: string, options?: RequestOptions, size: AnswerSize = 'small'): Promise<unknown> {
    return this.#request(route, { method: 'GET' }, options, response => this.#answer(response, route, size));
  }

  /**
   * The JSON of a route; undefined for a 404 with the chain API's error body
   * (docs/gateway/routes.md#unknown-routes-and-records).
   */
  async find(route: string, options?: RequestOptions, size?: AnswerSize): Promise<unknown> {
    try {
      return await this.get(route, options, size);
    } catch (error) {
      if (error instanceof GatewayStatusError && error.status === NOT_FOUND) return undefined;
      throw error;
    }
  }

  async post(route: string, json: string, options?: RequestOptions): Promise<unknown> {
    return this.#request(
      route,
      { method: 'POST', body: json, headers: { 'content-type': 'application/json' } },
      options,
      response => this.#answer(response, route, 'small'),
    );
  }

  async #request(
    route: string,
    request: PlainRequest,
    { signal, timeoutMs: leftMs = Number.POSITIVE_INFINITY }: RequestOptions = {},
    read: (response: Response) => Promise<unknown>,
  ): Promise<unknown> {
    throwIfAborted(signal);
    const timeoutMs = Math.ceil(Math.min(this.#timeoutMs, leftMs));
    if (leftMs <= 0)
      throw new GatewayUnreachableError(this.url, 'the time limit has expired', undefined, false);
    const timeout = AbortSignal.timeout(timeoutMs);
    const either = anySignal(signal, timeout);
    const exchange = async () => {
      const isHeightKnown = request.method === 'GET' && this.#height > 0n;
      const response = await this.#fetch(this.url + route, {
        ...request,
        headers: {
          ...request.headers,
          ...(isHeightKnown && { [HEIGHT]: `${this.#height}` }),
        },
        // A redirected POST would become a GET.
        redirect: 'manual',
        signal: either,
      });
      this.#hasRead = true;
      const height = response.headers.get(HEIGHT) ?? '';
      if (/^\d{1,19}$/.test(height) && BigInt(height) > this.#height) this.#height = BigInt(height);
      return read(response);
    };
    try {
      // If the signal fires just before the end of the response, Node's fetch leaves the read pending forever.
      return await untilAborted(exchange(), either);
    } catch (error) {
      throwIfAborted(signal);
      if (error instanceof GatewayError) throw error;
      if (!timeout.aborted) {
        const isFirstRead = request.method === 'GET' && !this.#hasRead;
        const again: FailedRequest['fetch'] = (url, init) =>
          untilAborted(this.#fetch(url, { ...init, signal: either }), either);
        const fault = await fetchError(error, { url: this.url, route, fetch: again, isFirstRead });
        throwIfAborted(signal);
        throw fault;
      }
      throw new GatewayUnreachableError(this.url, `no answer within ${timeoutMs / 1000} s`, error);
    }
  }

  /** The JSON of an answer of limited size. Throws for an error status. */
  async #answer(response: Response, route: string, size: AnswerSize): Promise<unknown> {
    const isLarge = size === 'large' && response.ok;
    const maxBytes = isLarge ? this.#maxAnswerBytes : Math.min(this.#maxAnswerBytes, MAX_SMALL_BYTES);
    const decoder = new TextDecoder();
    let text = '';
    let length = 0;
    for await (const chunk of chunksOf(response)) {
      length += chunk.length;
      if (length > maxBytes) {
        // The rest of an error body is not needed.
        if (!response.ok) break;
        throw new GatewayMalformedError(route, `it is longer than ${maxBytes} bytes`);
      }
      text += decoder.decode(chunk, { stream: true });
    }
    text += decoder.decode();
    const { status } = response;
    if (status === 429 || status === 503) {
      throw new GatewayBusyError(status, route, readRetryAfter(response), contractError(status, text));
    }
    if (!response.ok) throw statusError(response, text, route);
    return parseAnswer(text, route);
  }
}

/**
 * HTTP to several gateways of one chain: that of the first one that answers. A read that one gateway does not answer
 * goes to the next one, and a POST does so only if no byte of it has left. The gateway that answered last is asked first.
 */
export class FallbackHttp {
  readonly #all: readonly GatewayHttp[];
  #at = 0;
  /** The genesis hash in hex. */
  #chain: string | undefined;
  readonly #ofChain = new Set<GatewayHttp>();

  constructor(urls: readonly string[], options: GatewayOptions) {
    this.#all = urls.map(url => new GatewayHttp(url, options));
    if (urls.length === 0) throw gatewayUrlError('is missing');
  }

  /** Base URLs, without slashes at the end. */
  get urls(): string[] {
    return this.#all.map(({ url }) => url);
  }

  /** The URL that is asked first. */
  get url(): string {
    return this.#all[this.#at]!.url;
  }

  get(route: string, options?: RequestOptions, size?: AnswerSize): Promise<unknown> {
    return this.#try(options, isPassing, (http, left) => http.get(route, left, size));
  }

  find(route: string, options?: RequestOptions, size?: AnswerSize): Promise<unknown> {
    return this.#try(options, isPassing, (http, left) => http.find(route, left, size));
  }

  post(route: string, json: string, options?: RequestOptions): Promise<unknown> {
    return this.#try(
      options,
      () => false,
      (http, left) => http.post(route, json, left),
    );
  }

  /** `isNext`: whether the next gateway may answer a request that may have left. */
  async #try(
    { timeoutMs, ...options }: RequestOptions = {},
    isNext: (error: unknown) => boolean,
    request: (http: GatewayHttp, options: RequestOptions) => Promise<unknown>,
  ): Promise<unknown> {
    const endMs = timeoutMs === undefined ? undefined : performance.now() + timeoutMs;
    for (let asked = 1; ; asked += 1) {
      const left = endMs === undefined ? options : { ...options, timeoutMs: endMs - performance.now() };
      const at = this.#at;
      const http = this.#all[at]!;
      try {
        await this.#checkChain(http, left);
        return await request(http, left);
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        const isOther = error.code === 'NODE_CHAIN_MISMATCH';
        const isOver = !isNext(error) && error.mayHaveLeft;
        // Another request may have moved on already.
        if (!isOver && this.#at === at) this.#at = (at + 1) % this.#all.length;
        if (isOver || isOther || asked === this.#all.length) throw error;
      }
    }
  }

  async #checkChain(http: GatewayHttp, options: RequestOptions): Promise<void> {
    if (this.#all.length === 1 || this.#ofChain.has(http)) return;
    try {
      const json = await http.get(NODE_INFO, options);
      const genesis = toHex(readNodeInfo(new Answer(NODE_INFO, json)).genesisHash);
      this.#chain ??= genesis;
      if (this.#chain !== genesis) throw otherChainError(http.url, genesis, this.#chain);
      this.#ofChain.add(http);
    } catch (error) {
      if (error instanceof GatewayError) error.mayHaveLeft = false;
      throw error;
    }
  }
}

/** Reads seconds or a date (RFC 9110, section 10.2.3); undefined for anything else. */
function readRetryAfter({ headers }: Response): number | undefined {
  const text = headers.get('retry-after') ?? '';
  const durationMs = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return durationMs >= 0 ? durationMs : undefined;
}

/** Reads the body by a reader, because not every browser can iterate it. */
async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) yield part.value;
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

function checkUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw gatewayUrlError('is not an http:// or https:// URL');
  }
  if (url.username !== '' || url.password !== '') {
    throw gatewayUrlError('contains a user name or password, which the chain API does not use');
  }
  if (url.search !== '' || url.hash !== '') throw gatewayUrlError('contains a query or fragment');
  // The URL of the chain API is valid too: its path is removed, because the routes of this client contain it.
  return url.href.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
}

function parseAnswer(text: string, route: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new GatewayMalformedError(route, 'it is not JSON');
  }
}

/**
 * An error body of the chain API is `{"success":false,"error":text,"code":status}`; a proxy's page is not.
 */
function statusError({ status, type, headers }: Response, text: string, route: string): GatewayError {
  const location = headers.get('location');
  if (location !== null && status >= 300 && status < 400) {
    const target = cleanText(location).slice(0, MAX_LOCATION);
    return new GatewayMalformedError(route, `it is a redirect (HTTP ${status}) to ${target}`);
  }
  // Browsers hide status and target of a redirect.
  if (type === 'opaqueredirect') return new GatewayMalformedError(route, 'it is a redirect');
  const error = contractError(status, text);
  if (error === undefined && status < 500) {
    return new GatewayMalformedError(route, `HTTP ${status} without an error body of the chain API`);
  }
  return new GatewayStatusError(status, error ?? '', route);
}

function contractError(status: number, text: string): string | undefined {
  try {
    const { success, error, code } = Object(parseJson(text)) as Record<string, unknown>;
    const isError = success === false && typeof error === 'string' && code === BigInt(status);
    return isError ? cleanText(error) : undefined;
  } catch {
    return undefined;
  }
}
