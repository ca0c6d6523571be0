import { parseJson } from '@zbc-signer/chain';
import { Pool } from 'undici';
import type { MirroredRules } from './archival-chain.js';
import { FollowError } from './follow-error.js';
import { type FollowedBlock, parseFollowedBlock, parseHash } from './followed-block.js';

/** Maximum size of a response; the largest block in JSON is smaller. */
const MAX_ANSWER_BYTES = 16_777_216;
/**
 * Maximum number of JSON values in a response, above the number in a block of the smallest transactions. Each
 * value uses a hundred bytes of memory or more.
 */
const MAX_VALUES = 500_000;
const SEPARATORS: ReadonlySet<number | undefined> = new Set(Buffer.from(',[{'));
const CONNECT_MS = 5_000;
/** Time limit for a response, in addition to `wait_ms`. */
const ANSWER_MS = 10_000;
const MAX_TAG_LENGTH = 64;

/** `genesisHash` is lower-case hex. */
interface FollowedInfo {
  genesisHash: string;
  height: bigint;
  mirrored: MirroredRules;
}

/** Client of the followed node. Every method throws FollowError, or the reason of the abort. */
export class FollowedNode {
  readonly #pool: Pool;
  readonly #signal: AbortSignal;

  constructor(origin: string, signal: AbortSignal) {
    this.#pool = new Pool(origin, { connections: 1, connect: { timeout: CONNECT_MS } });
    this.#signal = signal;
  }

  async info(): Promise<FollowedInfo> {
    const info = Object(await this.#get('/api/v1/node/info'));
    const { genesis_hash, height, signing_version, signing_tag } = info as Record<string, unknown>;
    if (typeof genesis_hash !== 'string' || typeof height !== 'bigint') {
      throw new FollowError('the followed node does not report its genesis hash and height');
    }
    return {
      genesisHash: parseHash(genesis_hash.replace(/^0x/i, '')),
      height,
      mirrored: readMirrored(signing_version, signing_tag),
    };
  }

  /**
   * Returns at most `limit` blocks from a height upwards; an empty list if the first one does not exist
   * within `waitMs`.
   */
  async blocks(from: bigint, limit: number, waitMs: number): Promise<FollowedBlock[]> {
    const answer = await this.#get(`/api/v1/blocks?from=${from}&limit=${limit}&wait_ms=${waitMs}`, waitMs);
    const blocks: unknown = Reflect.get(Object(answer), 'blocks');
    if (!Array.isArray(blocks)) throw new FollowError('the followed node sent no list of blocks');
    return blocks.map(parseFollowedBlock);
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #get(path: string, waitMs = 0): Promise<unknown> {
    const { statusCode, body } = await this.#request(path, waitMs);
    // A body that is destroyed before it is read emits an error.
    body.on('error', () => {});
    if (statusCode !== 200) {
      body.destroy();
      throw new FollowError(`the followed node answered ${statusCode} to ${path}`);
    }
    const text = await readAtMost(body).catch(error => {
      throw this.#explain(error);
    });
    try {
      return parseJson(text);
    } catch {
      throw new FollowError('the followed node sent invalid JSON');
    }
  }

  async #request(path: string, waitMs: number) {
    try {
      return await this.#pool.request({
        path,
        method: 'GET',
        headers: { accept: 'application/json' },
        headersTimeout: waitMs + ANSWER_MS,
        bodyTimeout: ANSWER_MS,
        signal: this.#signal,
      });
    } catch (error) {
      throw this.#explain(error);
    }
  }

  #explain(error: unknown): unknown {
    if (this.#signal.aborted || error instanceof FollowError) return error;
    const code = String(Reflect.get(Object(error), 'code') ?? 'no answer');
    return new FollowError(`the followed node does not answer (${code})`);
  }
}

async function readAtMost(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) {
      throw new FollowError(`the followed node sent more than ${MAX_ANSWER_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (countSeparators(bytes) > MAX_VALUES) {
    throw new FollowError(`the followed node sent more than ${MAX_VALUES} values`);
  }
  return bytes.toString('utf8');
}

/** Counts separators. Their number is at least the number of values in the JSON, minus one. */
function countSeparators(json: Buffer): number {
  let count = 0;
  for (let at = 0; at < json.length; at += 1) if (SEPARATORS.has(json[at])) count += 1;
  return count;
}

function readMirrored(version: unknown, tag: unknown): MirroredRules {
  const isTag = typeof tag === 'string' && tag.length <= MAX_TAG_LENGTH;
  if ((version !== undefined && typeof version !== 'bigint') || (tag !== undefined && !isTag)) {
    throw new FollowError('the followed node reports unrecognised signing rules');
  }
  return {
    ...(version !== undefined && { signing_version: version }),
    ...(tag !== undefined && { signing_tag: tag as string }),
  } as MirroredRules;
}
