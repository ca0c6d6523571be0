import { addressOf, nodeKey } from '../base/node-address.js';
import { keyPrefix, type SharedRedis } from '../base/redis.js';
import { within } from '../base/within.js';
import { claimOf, type FixedQuestion, isBound, isSettled } from '../cache/fixed-question.js';
import type { NodeConnections } from '../upstream/node-connections.js';
import type { KnownNode, NodeDirectory } from '../upstream/node-directory.js';
import { COLLECTED_BYTES } from '../upstream/node-request.js';
import { type Anchors, anchorOf } from './anchors.js';

const MAX_WAIT_MS = 250;
const KEPT_SECONDS = 7 * 86_400;
/** `anchor height`, `anchor hash` and `ip:port` of the node that gave it, then the body. */
const ENTRY = /^(\d{1,18}) ([0-9a-f]{64}) ([\d.]{7,15}:\d{1,5})\n/;
const MAX_HEAD_BYTES = 18 + 1 + 64 + 1 + 21 + 1;
const MAX_ENTRY_BYTES = MAX_HEAD_BYTES + COLLECTED_BYTES;

interface Parts {
  redis: SharedRedis;
  gatewayHost: string;
  nodes: NodeDirectory;
  connections: NodeConnections;
  anchors: Anchors;
}

/** A body, and the node that gave it. */
interface SharedAnswer {
  body: Buffer;
  node: KnownNode;
  genesisHash: string;
  continuity: object;
}

/**
 * Answers that never change in Redis, for all gateways of one name. Each is kept with the node that gave it
 * and the hash of a block that is not below it, and used only while that node is routed to, so that a lie
 * ends with its node, and has that very block: its history up to there is the same.
 */
export class SharedAnswers {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Undefined too if Redis or the node takes too long. */
  recall(question: FixedQuestion, path: string): Promise<SharedAnswer | undefined> {
    return within(MAX_WAIT_MS, this.#recall(question, path), () => undefined);
  }

  async #recall(question: FixedQuestion, path: string): Promise<SharedAnswer | undefined> {
    const { nodes, connections, redis } = this.#parts;
    const genesisHash = nodes.genesisHash();
    if (genesisHash === undefined) return undefined;
    const key = this.#key(genesisHash, path);
    const value = await this.#run(() => redis.client.getrangeBuffer(key, 0, MAX_ENTRY_BYTES));
    const entry = value && readEntry(value, question);
    const node = entry && nodes.find(addressOf(entry.giver));
    if (entry === undefined || node === undefined || !node.routed) return undefined;
    if (!isSettled(entry.claim, node.health.height)) return undefined;
    const hash = await this.#parts.anchors.hashOf(node, entry.anchor);
    const continuity = connections.continuity(node);
    if (hash !== entry.hash || continuity === undefined) return undefined;
    return { body: entry.body, node, genesisHash, continuity };
  }

  /** Keeps a body that a node has just given, if that node has a later anchor. */
  async keep(
    question: FixedQuestion,
    path: string,
    { body, node, genesisHash }: SharedAnswer,
  ): Promise<void> {
    const claim = claimOf(question, body);
    if (claim?.height === undefined || !isBound(claim)) return;
    const anchor = anchorOf(claim.height);
    const hash = await this.#parts.anchors.hashOf(node, anchor);
    if (hash === undefined) return;
    const value = Buffer.concat([Buffer.from(`${anchor} ${hash} ${nodeKey(node)}\n`), body]);
    const { client } = this.#parts.redis;
    await this.#run(() => client.set(this.#key(genesisHash, path), value, 'EX', KEPT_SECONDS));
  }

  #key(genesisHash: string, path: string): string {
    return `${keyPrefix(this.#parts.gatewayHost)}answer:${genesisHash}:${path}`;
  }

  /** Undefined without Redis, which is left alone for a while after a failure. */
  async #run<T>(command: () => Promise<T>): Promise<T | undefined> {
    const { redis } = this.#parts;
    if (!redis.isUsable()) return undefined;
    try {
      const result = await within(MAX_WAIT_MS, command(), giveUp);
      redis.worked();
      return result;
    } catch (error) {
      // Somebody else's value under this key is no outage.
      if (!(error instanceof Error && error.message.startsWith('WRONGTYPE'))) redis.failed(error);
      return undefined;
    }
  }
}

/** Anyone with access to Redis may have written it. */
function readEntry(value: Buffer, question: FixedQuestion) {
  const head = value.subarray(0, MAX_HEAD_BYTES).toString('latin1');
  const [line, height, hash, giver] = ENTRY.exec(head) ?? [];
  if (line === undefined || value.length > MAX_ENTRY_BYTES) return undefined;
  const body = value.subarray(line.length);
  const claim = claimOf(question, body);
  if (claim?.height === undefined || !isBound(claim)) return undefined;
  const anchor = anchorOf(claim.height);
  return BigInt(height!) === anchor ? { anchor, hash: hash!, giver: giver!, claim, body } : undefined;
}

function giveUp(): never {
  throw new Error('Redis did not answer in time');
}
