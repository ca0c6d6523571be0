import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Transport } from '@zbc-signer/host';
import { RefusedError, Sessions } from './sessions.js';

const MAX_BODY = 2048;
/** Pause between two prompts for one origin. */
const REFUSED_MS = 10_000;
/**
 * If a page disconnects before the user has answered, the bridge asks no new question for this time, so that
 * a late answer does not count for the next question.
 */
const WITHDRAWN_MS = 3000;
const CODE = /^\d{4}$/;
const NONCE = /^[0-9a-f]{32}$/;
const HEX = /^(?:[0-9a-f]{2})+$/;

/** The details shown to the user before a page gets a key. */
export interface ConsentRequest {
  origin: string;
  /** Four digits that the page shows too. */
  code: string;
}

export interface BridgeOptions {
  device: Transport;
  port: number;
  /** Origins whose pages may ask, in the form in which browsers send them. */
  allowedOrigins: readonly string[];
  /**
   * Asks the user, and resolves with whether the user allows the page. `signal` fires when the page stops
   * waiting.
   */
  askUser(request: ConsentRequest, signal: AbortSignal): Promise<boolean>;
  /** Called if a page of another origin was refused. */
  onForeign(origin: string): void;
}

export interface RunningBridge {
  url: string;
  close(): Promise<void>;
}

type Body = Readonly<Record<string, unknown>>;
type Handler = (origin: string, body: Body, gone: AbortSignal) => object | Promise<object>;

/** Listens on 127.0.0.1; rejects with Node's error if the port is taken (docs/BRIDGE.md#requests). */
export async function startBridge(options: BridgeOptions): Promise<RunningBridge> {
  const handlers = createHandlers(options);
  const server = createServer({ maxHeaderSize: 8192, requestTimeout: 0 }, (request, response) => {
    void answer(request, response, { handlers, options, port: portOf(server) });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    close: async () => {
      const closed = new Promise(resolve => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await options.device.close();
    },
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function createHandlers({ device, askUser }: BridgeOptions): ReadonlyMap<string, Handler> {
  const sessions = new Sessions(device);
  const consent = new Consent(askUser);
  return new Map<string, Handler>([
    ['/find', () => ({ bridge: 'zbc-signer' })],
    [
      '/pair',
      async (origin, body, gone) => {
        await consent.ask({ origin, code: text(body, 'code', CODE) }, gone);
        return sessions.addPairing(origin);
      },
    ],
    [
      '/open',
      (origin, body) =>
        sessions.open(origin, {
          pairing: text(body, 'pairing', HEX),
          nonce: text(body, 'nonce', NONCE),
          code: text(body, 'code', HEX),
        }),
    ],
    [
      '/exchange',
      (origin, body, gone) =>
        sessions.exchange(
          origin,
          {
            session: text(body, 'session', HEX),
            counter: count(body, 'counter'),
            apdu: text(body, 'apdu', HEX),
            code: text(body, 'code', HEX),
          },
          gone,
        ),
    ],
  ]);
}

/**
 * Asks the user about one page at a time. After a refusal, it waits before it asks about the same origin
 * again. After a page has left before the answer, it waits before it asks about any page.
 */
class Consent {
  #isAsking = false;
  #withdrawnAt = Number.NEGATIVE_INFINITY;
  readonly #refusedAt = new Map<string, number>();

  constructor(private readonly askUser: BridgeOptions['askUser']) {}

  async ask(request: ConsentRequest, gone: AbortSignal): Promise<void> {
    if (this.#isAsking) {
      throw tooOftenError(
        'the bridge is already asking about another page',
        'Answer in the terminal of the bridge, or wait a moment.',
      );
    }
    if (since(this.#withdrawnAt) < WITHDRAWN_MS) {
      throw tooOftenError('a page left the bridge before the user answered', 'Wait a moment.');
    }
    if (since(this.#refusedAt.get(request.origin)) < REFUSED_MS) {
      throw tooOftenError('the user refused this page a moment ago', 'Wait a moment.');
    }
    this.#isAsking = true;
    try {
      if (await this.askUser(request, gone)) return;
      this.#refusedAt.set(request.origin, performance.now());
      throw new RefusedError(
        403,
        'DEVICE_NOT_ACCESSIBLE',
        'the user refused this page in the terminal of the bridge',
      );
    } finally {
      this.#isAsking = false;
      if (gone.aborted) this.#withdrawnAt = performance.now();
    }
  }
}

/** Milliseconds since a moment, on the monotonic clock. */
function since(moment = Number.NEGATIVE_INFINITY): number {
  return performance.now() - moment;
}

function tooOftenError(message: string, hint: string): RefusedError {
  return new RefusedError(429, 'DEVICE_NOT_ACCESSIBLE', message, hint);
}

interface Context {
  handlers: ReadonlyMap<string, Handler>;
  options: BridgeOptions;
  port: number;
}

/**
 * A page whose origin is not allowed gets an empty response. Without CORS headers, it cannot read even the
 * status.
 */
async function answer(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const { options, port, handlers } = context;
  const { origin = '', host } = request.headers;
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) return end(response, 403);
  if (!options.allowedOrigins.includes(origin)) {
    if (origin !== '') options.onForeign(origin);
    return end(response, 403);
  }
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('vary', 'origin');
  response.setHeader('cache-control', 'no-store');
  if (request.method === 'OPTIONS') return preflight(request, response);
  const handler = handlers.get(request.url ?? '');
  // Other content types are rejected, because browsers send some of them without a preflight.
  const isJson = request.headers['content-type'] === 'application/json';
  if (request.method !== 'POST' || handler === undefined || !isJson) return end(response, 404);
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  try {
    const body = parse(await readBody(request));
    end(response, 200, await handler(origin, body, gone.signal));
  } catch (error) {
    const { status, code, message, hint } = error instanceof RefusedError ? error : INVALID;
    end(response, status, { code, error: message, ...(hint !== undefined && { hint }) });
  }
}

const INVALID = new RefusedError(400, 'INVALID_INPUT', 'the body of the request is not valid');

function preflight({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-methods', 'POST');
  response.setHeader('access-control-allow-headers', 'content-type');
  if (headers['access-control-request-private-network'] === 'true') {
    response.setHeader('access-control-allow-private-network', 'true');
  }
  end(response, 204);
}

function end(response: ServerResponse, status: number, json?: object): void {
  if (response.destroyed) return;
  response.statusCode = status;
  if (json !== undefined) response.setHeader('content-type', 'application/json');
  response.end(json === undefined ? undefined : JSON.stringify(json));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY) throw INVALID;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(json: string): Body {
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw INVALID;
  return value as Body;
}

function text(body: Body, name: string, pattern: RegExp): string {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (typeof value !== 'string' || !pattern.test(value)) throw INVALID;
  return value;
}

function count(body: Body, name: string): number {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) throw INVALID;
  return value;
}
