import type { IncomingHttpHeaders } from 'node:http';
import { type FixedQuestion, fixedQuestionOf, neverChanges } from '../cache/fixed-question.js';
import type { CacheResult, ImmutableCache, KeptAnswer } from '../cache/immutable-cache.js';
import { entityTagOf, isKnownTag } from '../http/entity-tag.js';
import type { NodeDirectory } from '../nodes/node-directory.js';
import type { Cancellation } from '../upstream/cancellation.js';
import type { NodeConnections } from '../upstream/node-connections.js';
import type { NodeAnswer } from '../upstream/node-request.js';
import type { ChainRouter } from './chain-router.js';
import type { RoutedAnswer } from './combined-outcomes.js';
import { OWN_HEADERS } from './request-headers.js';

const TAKES_JSON = /(?:application\/(?:json|\*)|\*\/\*)\s*(?:[;,]|$)/i;
/**
 * Browsers must revalidate their copies, because a development network may be started again with another
 * history.
 */
const CACHE_CONTROL = 'no-cache';
const NOTHING = Buffer.alloc(0);

interface Parts {
  cache: ImmutableCache;
  router: ChainRouter;
  nodes: NodeDirectory;
  connections: NodeConnections;
}

interface Read {
  path: string;
  headers: IncomingHttpHeaders;
  cancellation: Cancellation;
  seenHeight?: bigint | undefined;
}

/**
 * Serves immutable reads (docs/gateway/routing.md#immutable-responses) from memory. Concurrent reads of one
 * path share one request.
 */
export class FixedReads {
  readonly #parts: Parts;
  readonly #running = new Map<string, Promise<KeptAnswer | undefined>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns the answer from memory, if there is one and the client accepts JSON. */
  recall(path: string, headers: IncomingHttpHeaders): RoutedAnswer | undefined {
    const kept = this.#parts.cache.get(path);
    const isUsable = kept !== undefined && this.#holds(kept) && takesJson(headers);
    return isUsable ? this.#answerFrom(kept, 'hit', headers) : undefined;
  }

  /**
   * Reads from a node and keeps the answer if it is immutable. Returns undefined if the answer can change, or
   * if the client does not accept JSON.
   */
  read(read: Read): Promise<RoutedAnswer> | undefined {
    const question = fixedQuestionOf(read.path);
    return question !== undefined && takesJson(read.headers) ? this.#ask(question, read) : undefined;
  }

  async #ask(question: FixedQuestion, read: Read): Promise<RoutedAnswer> {
    const { path, headers, cancellation, seenHeight } = read;
    const running = this.#running.get(path);
    const kept = running && (await running);
    if (kept !== undefined && this.#holds(kept)) return this.#answerFrom(kept, 'shared', headers);
    this.#parts.cache.count('miss');
    const asked = { method: 'GET', path, headers: OWN_HEADERS } as const;
    const routed = this.#parts.router.read(asked, { cancellation, seenHeight });
    const keeping = routed.then(answer => this.#keep(path, question, answer)).catch(() => undefined);
    if (!this.#running.has(path)) {
      this.#running.set(path, keeping);
      void keeping.then(() => this.#running.delete(path));
    }
    const fresh = await keeping;
    return fresh === undefined ? routed : conditional(fresh, headers);
  }

  /**
   * Keeps the answer if it is immutable. A registered node's answer is not kept, because a false answer would
   * be kept too.
   */
  #keep(path: string, question: FixedQuestion, { node, answer, by }: RoutedAnswer): KeptAnswer | undefined {
    const { nodes, connections, cache } = this.#parts;
    const { status, body, headers } = answer;
    if (node.source === 'registry' || status !== 200) return undefined;
    if (!Buffer.isBuffer(body) || 'content-encoding' in headers) return undefined;
    const genesisHash = nodes.genesisHash();
    const continuity = connections.continuity(node);
    if (genesisHash === undefined || continuity === undefined) return undefined;
    if (!neverChanges(question, body, node.health.height)) return undefined;
    const kept = { answer: keptForm(answer, body), node, by, genesisHash, continuity };
    cache.set(path, kept);
    return kept;
  }

  /** Whether the node that gave the answer is still the same process, and on the routed chain. */
  #holds({ node, genesisHash, continuity }: KeptAnswer): boolean {
    const { nodes, connections } = this.#parts;
    return node.routed && nodes.genesisHash() === genesisHash && connections.continuity(node) === continuity;
  }

  #answerFrom(kept: KeptAnswer, result: CacheResult, headers: IncomingHttpHeaders): RoutedAnswer {
    this.#parts.cache.count(result);
    return conditional(kept, headers);
  }
}

/** Copies the bytes, because the received ones may be part of a much larger buffer. */
function keptForm(answer: NodeAnswer, received: Buffer): KeptAnswer['answer'] {
  const body = Buffer.from(new Uint8Array(received).buffer);
  const headers = { ...answer.headers, etag: entityTagOf(body), 'cache-control': CACHE_CONTROL };
  return { ...answer, body, headers };
}

function takesJson({ accept }: IncomingHttpHeaders): boolean {
  return accept === undefined || TAKES_JSON.test(accept);
}

/** Turns the answer into a 304 if the client already has it. */
function conditional({ node, answer, by }: KeptAnswer, headers: IncomingHttpHeaders): RoutedAnswer {
  const { etag } = answer.headers;
  if (!isKnownTag(headers['if-none-match'], etag!)) return { node, answer, by };
  return { node, by, answer: { ...answer, status: 304, body: NOTHING, contentLength: undefined } };
}
