import { cleanText } from '../../../chain/src/index.js';
import type { GatewayError } from '../errors.js';
import { certificateFault } from './certificate-fault.js';
import {
  GatewayAnswerError,
  GatewayBusyError,
  GatewayStatusError,
  GatewayUnreachableError,
  GatewayUntrustedError,
  GatewayUrlError,
} from './errors.js';
import { parseJson } from './json.js';

export interface GatewayOptions {
  /** Used instead of the global one. */
  fetch?: typeof fetch;
  /** For one request, from its start to the last byte of its answer. */
  timeoutMs?: number;
  maxAnswerBytes?: number;
}

export interface RequestOptions {
  signal?: AbortSignal | undefined;
}

interface PlainRequest {
  method: string;
  body?: string;
  headers?: Record<string, string>;
}

const TIMEOUT_MS = 15_000;
/** A block in full has every transaction that waited for it. */
const MAX_ANSWER_BYTES = 16 << 20;
const SERVICE_UNAVAILABLE = 503;
const NOT_FOUND = 404;

/** One gateway over HTTP: bounded answers, a time limit on each request, every failure a GatewayError. */
export class GatewayHttp {
  readonly url: string;
  readonly #fetch: typeof fetch;
  readonly #timeoutMs: number;
  readonly #maxAnswerBytes: number;
  readonly #headers: Readonly<Record<string, string>>;

  /** `headers` go along with every request. */
  constructor(baseUrl: string, options: GatewayOptions = {}, headers: Record<string, string> = {}) {
    this.url = checkUrl(baseUrl);
    // Browsers insist that fetch is called without another `this`.
    this.#fetch = options.fetch ?? ((...request) => globalThis.fetch(...request));
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.#maxAnswerBytes = options.maxAnswerBytes ?? MAX_ANSWER_BYTES;
    this.#headers = headers;
  }

  async get(route: string, options?: RequestOptions): Promise<unknown> {
    return this.#request(route, { method: 'GET' }, options);
  }

  /** Undefined for a 404 with a body, which is the chain's own "there is none" (interface.md "Routing"). */
  async find(route: string, options?: RequestOptions): Promise<unknown> {
    try {
      return await this.get(route, options);
    } catch (error) {
      if (error instanceof GatewayStatusError && error.status === NOT_FOUND && error.nodeError !== '') {
        return undefined;
      }
      throw error;
    }
  }

  async post(route: string, json: string, options?: RequestOptions): Promise<unknown> {
    return this.#request(
      route,
      { method: 'POST', body: json, headers: { 'content-type': 'application/json' } },
      options,
    );
  }

  async #request(route: string, request: PlainRequest, { signal }: RequestOptions = {}): Promise<unknown> {
    const { status, text } = await this.#exchange(route, request, signal);
    if (status === SERVICE_UNAVAILABLE) {
      throw new GatewayBusyError(route);
    }
    if (status < 200 || status > 299) {
      throw new GatewayStatusError(status, errorText(text), route);
    }
    return parseAnswer(text, route);
  }

  async #exchange(route: string, request: PlainRequest, signal: AbortSignal | undefined) {
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    try {
      const response = await this.#fetch(this.url + route, {
        ...request,
        headers: { ...this.#headers, ...request.headers },
        // A redirected POST would become a GET.
        redirect: 'manual',
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      return { status: response.status, text: await this.#read(response, route) };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof GatewayAnswerError) {
        throw error;
      }
      throw this.#failure(error, timeout.aborted);
    }
  }

  #failure(error: unknown, timedOut: boolean): GatewayError {
    const code = networkCode(error);
    const fault = certificateFault(code ?? '');
    if (fault !== undefined) {
      return new GatewayUntrustedError(this.url, fault, error);
    }
    const reason = timedOut ? `no answer in ${this.#timeoutMs / 1000} s` : (code ?? 'the connection failed');
    return new GatewayUnreachableError(this.url, reason, error);
  }

  async #read(response: Response, route: string): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    let length = 0;
    for await (const chunk of chunksOf(response)) {
      length += chunk.length;
      if (length > this.#maxAnswerBytes) {
        throw new GatewayAnswerError(route, `it is longer than ${this.#maxAnswerBytes} bytes`);
      }
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  }
}

/** Not every browser iterates a body's stream itself. */
async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      yield part.value;
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

function checkUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new GatewayUrlError('is not an http:// or https:// URL');
  }
  if (url.username !== '' || url.password !== '') {
    throw new GatewayUrlError('has a user name or password in it, and the chain API takes none');
  }
  if (url.search !== '' || url.hash !== '') {
    throw new GatewayUrlError('has a query or fragment in it');
  }
  return url.href.replace(/\/+$/, '');
}

function parseAnswer(text: string, route: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new GatewayAnswerError(route, 'it is not JSON');
  }
}

/** The `error` of an error body, or else the start of whatever came. */
function errorText(text: string): string {
  try {
    const body = parseJson(text);
    const error = typeof body === 'object' && body !== null ? Reflect.get(body, 'error') : undefined;
    return cleanText(typeof error === 'string' ? error : text);
  } catch {
    return cleanText(text.slice(0, 1000));
  }
}

/** The network's own word, such as ECONNREFUSED, which fetch hides in the cause. */
function networkCode(error: unknown): string | undefined {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : undefined;
}
