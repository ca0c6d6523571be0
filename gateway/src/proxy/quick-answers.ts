import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { KeptAnswer } from '../cache/answer-cache.js';
import type { GatewayConfig } from '../config/config.js';
import { crossOriginLines } from '../http/cross-origin.js';
import { asksForEvents } from '../http/event-stream.js';
import { varyWith } from '../http/vary.js';
import { clientAddressing, clientNaming } from '../limits/client.js';
import type { ClientWindows } from '../limits/client-windows.js';
import type { RunningRequests } from '../limits/running-requests.js';
import { type AnsweredRequests, CLIENT_HAS_LEFT, withoutQuery } from '../monitoring/answered-requests.js';
import { Cancellation } from '../upstream/cancellation.js';
import type { KnownNode } from '../upstream/node-directory.js';
import { codingFor } from './answer-coder.js';
import { type ChainResponse, errorResponse, refusalResponse } from './chain-answer.js';
import { asksToWait } from './chain-router.js';
import { CHAIN_ROUTE, type ChainReads, HEIGHT, readOfAny, responseFor } from './chain-routes.js';
import type { RoutedAnswer } from './read-answers.js';
import { asksGateway, CHAIN_PREFIX } from './request-checks.js';
import { isFaultless } from './request-target.js';

/** Of a body that is copied into one text with the head. */
const SHORT_BYTES = 4096;

interface Parts {
  config: GatewayConfig;
  reads: ChainReads;
  /** What counts all requests of a client; undefined without that limit. */
  windows: ClientWindows | undefined;
  running: RunningRequests;
  answers: AnsweredRequests;
  /** The Retry-After of a 503. */
  retryAfterSeconds: number;
  /** After which a response that its client does not read is given up. */
  slowReaderMs: number;
  onError(error: Error): void;
}

/** Answers a request, or leaves it to the app. */
type QuickAnswer = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Answers a GET of a chain route before the app, which takes twice the time for the same answer. What would
 * be refused, and what asks for a node by name or for events, is left to the app.
 */
export function createQuickAnswers(parts: Parts): QuickAnswer {
  const { config, reads, windows, running } = parts;
  const clientOf = clientNaming(config.trustedProxies);
  const addressOf = clientAddressing(config.trustedProxies);
  const { hstsSeconds, corsOrigins } = config;
  const security = hstsSeconds === 0 ? [] : ['strict-transport-security', `max-age=${hstsSeconds}`];
  return (request, response) => {
    const { method, url = '', headers } = request;
    if (method !== 'GET' || !url.startsWith(CHAIN_PREFIX) || response.socket === null) return false;
    const kept = findPlain(reads, url, headers);
    if (kept === undefined && (asksForEvents(headers) || !isFaultless(url))) return false;
    const client = clientOf(request);
    if (running.refusal(client, true) !== undefined || windows?.isUsedUp(client)) return false;
    if (!asksGateway(request, config)) return false;
    const lines = [...security];
    const count = windows?.count(client);
    if (count !== undefined) {
      lines.push('ratelimit-limit', String(count.maximum), 'ratelimit-remaining', String(count.remaining));
      lines.push('ratelimit-reset', String(count.resetSeconds));
    }
    if (corsOrigins.length > 0) lines.push(...crossOriginLines(corsOrigins, headers));
    const read = new QuickRead(parts, { request, response, client, ip: addressOf(request), lines });
    if (kept === undefined) {
      void read.answer();
    } else {
      read.sendKept(kept);
    }
    return true;
  };
}

/** What is in memory, for a client that takes it as it is. */
function findPlain(
  { fixedReads }: ChainReads,
  url: string,
  headers: IncomingMessage['headers'],
): KeptAnswer | undefined {
  if (headers['if-none-match'] !== undefined) return undefined;
  const kept = fixedReads.find(url, headers);
  if (kept === undefined) return undefined;
  return codingFor(kept.answer, headers['accept-encoding']) === undefined ? kept : undefined;
}

interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
  client: string;
  ip: string;
  /** Of the response's head, whatever the answer is. */
  lines: string[];
}

/** One GET that passed the checks and was counted. */
class QuickRead {
  readonly #parts: Parts;
  readonly #asked: Asked;
  readonly #url: string;
  readonly #startMs = performance.now();
  readonly #cancellation = new Cancellation();
  #node: KnownNode | null = null;
  #bytes = 0;
  #stream: Readable | undefined;

  constructor(parts: Parts, asked: Asked) {
    this.#parts = parts;
    this.#asked = asked;
    this.#url = asked.request.url!;
  }

  /** At once; it runs only as long as the client does not read. */
  sendKept({ node, head, answer: { body } }: KeptAnswer): void {
    const { reads, running, slowReaderMs } = this.#parts;
    const { request, response, client } = this.#asked;
    reads.fixedReads.countHit();
    this.#node = node;
    this.#writeHead({ status: 200, lines: [...head], body });
    endWith(response, body);
    if (request.socket.writableLength === 0) {
      this.#report(true);
      return;
    }
    running.begin(client, true);
    response.setTimeout(slowReaderMs);
    response.on('close', () => this.#end());
  }

  async answer(): Promise<void> {
    const { reads, running } = this.#parts;
    const { request, response, client } = this.#asked;
    running.begin(client, true);
    response.on('close', () => this.#end());
    try {
      const { headers } = request;
      const read = readOfAny(reads, this.#url, headers, this.#cancellation);
      const routed: RoutedAnswer = read instanceof Promise ? await read : read;
      this.#node = routed.node;
      this.#send(responseFor(reads, routed, headers['accept-encoding']));
    } catch (error) {
      this.#refuse(error);
    }
  }

  #send(answer: ChainResponse): void {
    const { request, response } = this.#asked;
    const { body } = answer;
    if (body instanceof Readable) {
      this.#sendStream(answer, body);
    } else if (!response.destroyed) {
      this.#writeHead(answer);
      endWith(response, body);
      if (request.socket.writableLength > 0) response.setTimeout(this.#parts.slowReaderMs);
    }
  }

  /** The head goes with the first piece, as the node may break off before that. */
  #sendStream(answer: ChainResponse, body: Readable): void {
    const { response } = this.#asked;
    this.#stream = body;
    body.on('error', error => this.#refuse(error));
    if (response.destroyed) {
      body.destroy();
      return;
    }
    body.once('readable', () => {
      if (response.destroyed || body.errored !== null) return;
      this.#writeHead(answer);
      response.setTimeout(this.#parts.slowReaderMs);
      body.pipe(response);
    });
  }

  #refuse(error: unknown): void {
    const { response } = this.#asked;
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    this.#send(this.#refusalOf(error));
  }

  #refusalOf(error: unknown): ChainResponse {
    try {
      return refusalResponse(error, this.#parts.retryAfterSeconds);
    } catch {
      this.#parts.onError(error instanceof Error ? error : new Error(String(error)));
      return errorResponse(500, 'Internal error');
    }
  }

  /** Takes the lines for itself. */
  #writeHead({ status, lines, body }: ChainResponse): void {
    const { config, reads } = this.#parts;
    const { response, lines: further } = this.#asked;
    this.#bytes = lengthOf(lines, body);
    const height = this.#node === null ? undefined : reads.router.heightOf(this.#node);
    if (height !== undefined) lines.push(HEIGHT, String(height));
    if (config.corsOrigins.length > 0) addOriginToVary(lines);
    for (const text of further) lines.push(text);
    response.writeHead(status, lines);
  }

  #end(): void {
    const { running } = this.#parts;
    const { response, client } = this.#asked;
    running.end(client, true);
    if (!response.writableFinished) this.#cancellation.cancel();
    this.#stream?.destroy();
    this.#report(response.writableFinished);
  }

  #report(isWhole: boolean): void {
    const { response, ip } = this.#asked;
    const status = response.headersSent ? response.statusCode : CLIENT_HAS_LEFT;
    this.#parts.answers.report({
      method: 'GET',
      path: withoutQuery(this.#url),
      route: CHAIN_ROUTE,
      ip,
      node: this.#node,
      status,
      bytes: isWhole ? this.#bytes : 0,
      milliseconds: performance.now() - this.#startMs,
      isTimed: status !== CLIENT_HAS_LEFT && !asksToWait(this.#url),
    });
  }
}

/** A short body goes as text of its bytes, which Node writes together with the head. */
function endWith(response: ServerResponse, body: Buffer | string | undefined): void {
  if (Buffer.isBuffer(body) && body.length <= SHORT_BYTES) {
    response.end(body.toString('latin1'), 'latin1');
  } else {
    response.end(body);
  }
}

/** In bytes; 0 for a stream of unknown length. */
function lengthOf(lines: readonly string[], body: ChainResponse['body']): number {
  if (Buffer.isBuffer(body)) return body.length;
  const index = indexOfName(lines, 'content-length');
  return index === -1 ? 0 : Number(lines[index + 1]);
}

/** Not that of a value: a node may send any. */
function indexOfName(lines: readonly string[], name: string): number {
  for (let index = 0; index < lines.length; index += 2) if (lines[index] === name) return index;
  return -1;
}

function addOriginToVary(lines: string[]): void {
  const index = indexOfName(lines, 'vary');
  if (index === -1) {
    lines.push('vary', varyWith(undefined, 'origin'));
  } else {
    lines[index + 1] = varyWith(lines[index + 1], 'origin');
  }
}
