import { Readable } from 'node:stream';
import type { KeptAnswer } from '../cache/answer-cache.js';
import type { GatewayConfig } from '../config/config.js';
import { crossOriginLines } from '../http/cross-origin.js';
import { asksForEvents } from '../http/event-stream.js';
import { type Asked, type Exchange, indexOfName, type ResponseWith } from '../http/exchange.js';
import { varyWith } from '../http/vary.js';
import { clientAddressing, clientNaming } from '../limits/client.js';
import type { ClientWindows } from '../limits/client-windows.js';
import type { RunningRequests } from '../limits/running-requests.js';
import { type AnsweredRequests, CLIENT_HAS_LEFT, withoutQuery } from '../monitoring/answered-requests.js';
import { Cancellation } from '../upstream/cancellation.js';
import type { AnsweredBy, KnownNode } from '../upstream/node-directory.js';
import { codingFor } from './answer-coder.js';
import { type ChainResponse, errorResponse, refusalResponse } from './chain-answer.js';
import { ANSWERED_BY, CHAIN_ROUTE, type ChainReads, HEIGHT, readOfAny, responseFor } from './chain-routes.js';
import type { RoutedAnswer } from './combined-outcomes.js';
import { namesGateway } from './host-name.js';
import { CHAIN_PREFIX } from './request-checks.js';
import { asksToWait, isLoop } from './request-headers.js';
import { isFaultless } from './request-target.js';

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
type QuickAnswer = (exchange: Exchange) => boolean;

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
  return exchange => {
    const { target, headers, host, socket } = exchange;
    if (!target.startsWith(CHAIN_PREFIX) || isLoop(headers)) return false;
    const kept = findPlain(reads, exchange);
    if (kept === undefined && (asksForEvents(headers) || !isFaultless(target))) return false;
    const client = clientOf(exchange);
    if (running.refusal(client, true) !== undefined || windows?.isUsedUp(client)) return false;
    if (!namesGateway(host, config, socket.localAddress ?? '')) return false;
    const lines = [...security];
    const count = windows?.count(client);
    if (count !== undefined) {
      lines.push('ratelimit-limit', String(count.maximum), 'ratelimit-remaining', String(count.remaining));
      lines.push('ratelimit-reset', String(count.resetSeconds));
    }
    if (corsOrigins.length > 0) lines.push(...crossOriginLines(corsOrigins, headers));
    const read = new QuickRead(parts, { exchange, client, ip: addressOf(exchange), lines });
    if (kept === undefined) {
      void read.answer();
    } else {
      read.sendKept(kept);
    }
    return true;
  };
}

/** What is in memory, for a client that takes it as it is. */
function findPlain({ fixedReads }: ChainReads, { target, headers }: Asked): KeptAnswer | undefined {
  if (headers['if-none-match'] !== undefined) return undefined;
  const kept = fixedReads.find(target, headers);
  if (kept === undefined) return undefined;
  return codingFor(kept.answer, headers['accept-encoding']) === undefined ? kept : undefined;
}

interface Counted {
  exchange: Exchange;
  client: string;
  ip: string;
  /** Of the response's head, whatever the answer is. */
  lines: string[];
}

/** One GET that passed the checks and was counted. */
class QuickRead {
  readonly #parts: Parts;
  readonly #counted: Counted;
  readonly #exchange: Exchange;
  readonly #startMs = performance.now();
  readonly #cancellation = new Cancellation();
  #node: KnownNode | null = null;
  #by: AnsweredBy | undefined;
  /** Of the response, once it begins. */
  #status: number | undefined;
  #bytes = 0;
  #stream: Readable | undefined;

  constructor(parts: Parts, counted: Counted) {
    this.#parts = parts;
    this.#counted = counted;
    this.#exchange = counted.exchange;
  }

  /** At once; it runs only as long as the client does not read. */
  sendKept({ node, by, head, answer: { body } }: KeptAnswer): void {
    const { reads, running, slowReaderMs } = this.#parts;
    reads.fixedReads.countHit();
    this.#node = node;
    this.#by = by;
    const response = { status: 200, lines: [...head], body };
    this.#completeHead(response);
    if (this.#exchange.send(response, slowReaderMs)) {
      this.#report(true);
      return;
    }
    running.begin(this.#counted.client, true);
    this.#exchange.onEnd(isWhole => this.#end(isWhole));
  }

  async answer(): Promise<void> {
    const { reads, running } = this.#parts;
    const { target, headers } = this.#exchange;
    running.begin(this.#counted.client, true);
    this.#exchange.onEnd(isWhole => this.#end(isWhole));
    try {
      const read = readOfAny(reads, target, headers, this.#cancellation);
      const routed: RoutedAnswer = read instanceof Promise ? await read : read;
      this.#node = routed.node;
      this.#by = routed.by;
      this.#send(responseFor(reads, routed, headers['accept-encoding']));
    } catch (error) {
      this.#refuse(error);
    }
  }

  #send(response: ChainResponse): void {
    const { status, lines, body } = response;
    if (body instanceof Readable) {
      this.#sendStream({ status, lines, body });
    } else if (!this.#exchange.isOver) {
      this.#completeHead(response);
      this.#exchange.send({ status, lines, body }, this.#parts.slowReaderMs);
    }
  }

  /** The head goes with the first piece, as the node may break off before that. */
  #sendStream(response: ResponseWith<Readable>): void {
    const { body } = response;
    this.#stream = body;
    body.on('error', error => this.#refuse(error));
    if (this.#exchange.isOver) {
      body.destroy();
      return;
    }
    body.once('readable', () => {
      if (this.#exchange.isOver || body.errored !== null) return;
      this.#completeHead(response);
      this.#exchange.stream(response, this.#parts.slowReaderMs);
    });
  }

  #refuse(error: unknown): void {
    if (this.#status !== undefined || this.#exchange.isOver) {
      this.#exchange.breakOff();
    } else {
      this.#send(this.#refusalOf(error));
    }
  }

  #refusalOf(error: unknown): ChainResponse {
    try {
      return refusalResponse(error, this.#parts.retryAfterSeconds);
    } catch {
      this.#parts.onError(error instanceof Error ? error : new Error(String(error)));
      return errorResponse(500, 'Internal error');
    }
  }

  /** Adds what does not follow from the answer alone. */
  #completeHead({ status, lines, body }: ChainResponse): void {
    const { config, reads } = this.#parts;
    this.#status = status;
    this.#bytes = lengthOf(lines, body);
    const height = this.#node === null ? undefined : reads.router.heightOf(this.#node);
    if (height !== undefined) lines.push(HEIGHT, String(height));
    if (this.#by !== undefined) lines.push(ANSWERED_BY, this.#by);
    if (config.corsOrigins.length > 0) addOriginToVary(lines);
    for (const text of this.#counted.lines) lines.push(text);
  }

  #end(isWhole: boolean): void {
    this.#parts.running.end(this.#counted.client, true);
    if (!isWhole) this.#cancellation.cancel();
    this.#stream?.destroy();
    this.#report(isWhole);
  }

  #report(isWhole: boolean): void {
    const { target } = this.#exchange;
    const status = this.#status ?? CLIENT_HAS_LEFT;
    this.#parts.answers.report({
      method: 'GET',
      path: withoutQuery(target),
      route: CHAIN_ROUTE,
      ip: this.#counted.ip,
      node: this.#node,
      status,
      bytes: isWhole ? this.#bytes : 0,
      milliseconds: performance.now() - this.#startMs,
      isTimed: status !== CLIENT_HAS_LEFT && !asksToWait(target),
    });
  }
}

/** In bytes; 0 for a stream of unknown length. */
function lengthOf(lines: readonly string[], body: ChainResponse['body']): number {
  if (Buffer.isBuffer(body)) return body.length;
  const index = indexOfName(lines, 'content-length');
  return index === -1 ? 0 : Number(lines[index + 1]);
}

function addOriginToVary(lines: string[]): void {
  const index = indexOfName(lines, 'vary');
  if (index === -1) {
    lines.push('vary', varyWith(undefined, 'origin'));
  } else {
    lines[index + 1] = varyWith(lines[index + 1], 'origin');
  }
}
