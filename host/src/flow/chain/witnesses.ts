import { formatJson, fromHex, invalidInputError, toHex } from '@zbc-signer/chain';
import { type Clock, elapsedMs, SYSTEM_CLOCK } from '../../clock.js';
import { GatewayError } from '../../errors.js';
import type {
  Block,
  BlockTransaction,
  GatewayClient,
  Movement,
  RequestOptions,
} from '../../gateway/index.js';
import { type Asked, askEach, type RetryingReader } from './retry.js';

/** Time limit of one question to several gateways. */
const ANSWER_MS = 15_000;
/** The time limit is halved for each question that a gateway did not answer, down to this one. */
const LEAST_ANSWER_MS = 1000;
/** Number of questions after which a silent gateway gets the whole time again. */
const SILENT_QUESTIONS = 12;

/** The gateways to ask for blocks. */
export interface WitnessOptions {
  /** Gateways of one chain, with different operators if no single one is to be trusted. */
  gateways: readonly GatewayClient[];
  /** The number of gateways that must report a block alike. Default: more than half. */
  quorum?: number | undefined;
  /** An abort rejects with AbortedError. */
  signal?: AbortSignal | undefined;
  /** Default: the system's clock. */
  clock?: Clock | undefined;
}

/** A gateway that reported another block at `height` than the quorum, or did not answer. */
export interface Dissent {
  /** The gateway's URL. */
  url: string;
  height: bigint;
  /** Undefined if the gateway answered. */
  error: GatewayError | undefined;
}

type Ask<T> = (gateway: GatewayClient, options: RequestOptions) => Promise<T>;

/** Several gateways, of which a quorum must report the same. */
export class Witnesses {
  readonly #gateways: readonly GatewayClient[];
  readonly #quorum: number;
  readonly #reader: RetryingReader;
  /** How many questions in succession a gateway did not answer. */
  readonly #unanswered = new Map<GatewayClient, number>();

  /** Throws `INVALID_INPUT` for no gateway, a gateway that is named twice, or a quorum that cannot be reached. */
  constructor({ gateways, quorum, signal, clock = SYSTEM_CLOCK }: WitnessOptions) {
    this.#gateways = [...gateways];
    this.#quorum = quorum ?? Math.floor(gateways.length / 2) + 1;
    this.#reader = { clock, request: { signal }, report: () => undefined };
    checkWitnesses(this.#gateways, this.#quorum);
  }

  /** The height that a quorum has reached. Throws if too few gateways answer. */
  async newest(): Promise<bigint> {
    const asked = await this.#askQuorum((gateway, options) => gateway.blockchainStatus(options));
    const heights = asked.flatMap(each => ('answer' in each ? [each.answer.height] : []));
    return heights.sort((one, other) => (one < other ? 1 : -1))[this.#quorum - 1]!;
  }

  /**
   * The consecutive blocks from a height on that a quorum reports alike, none if they disagree about the first,
   * and the gateways that report otherwise. Throws if too few gateways answer.
   */
  async blocks(from: bigint, limit: number): Promise<{ blocks: Block[]; dissent: Dissent[] }> {
    const asked = await this.#askQuorum((gateway, options) => gateway.blocks(from, limit, options));
    const dissent: Dissent[] = asked.flatMap(each =>
      'error' in each ? [{ url: each.gateway.url, height: from, error: each.error }] : [],
    );
    const blocks: Block[] = [];
    for (let height = from; ; height += 1n) {
      const { agreed, others } = this.#agree(asked, answer => answer[blocks.length], digestOf);
      dissent.push(...others.map(({ url }) => ({ url, height, error: undefined })));
      if (agreed === undefined) return { blocks, dissent };
      const transactions = agreed.transactions.map(each => ({ ...withoutState(each), blockHeight: height }));
      blocks.push({ ...agreed, transactions });
    }
  }

  /**
   * The transaction with a hash in hex that a quorum reports at the same height; undefined if none does. Throws if too
   * few gateways answer.
   */
  async transaction(hash: string): Promise<BlockTransaction | undefined> {
    const asked = await this.#askQuorum((gateway, options) => gateway.transaction(fromHex(hash), options));
    const placed = (one: BlockTransaction) => formatJson([one.blockHeight, contentOf(one)]);
    const { agreed } = this.#agree(asked, answer => answer, placed);
    return agreed && { ...withoutState(agreed), blockHeight: agreed.blockHeight };
  }

  /**
   * Reads the newest movements that each gateway lists, at most `limit`. Returns a function for what a quorum's lists
   * have alike; it returns undefined if there is no such quorum.
   */
  async movements(limit: number): Promise<<Part>(pick: (list: Movement[]) => Part) => Part | undefined> {
    const asked = await this.#ask((gateway, options) => gateway.movements(limit, options));
    return pick => this.#agree(asked, pick, formatJson).agreed;
  }

  /**
   * The value of the answers that a quorum reports, unless another quorum reports another one, and the gateways that
   * report others.
   */
  #agree<Answer, Value>(
    asked: readonly Asked<Answer>[],
    pick: (answer: Answer) => Value | undefined,
    digest: (value: Value) => string,
  ): { agreed?: Value; others: GatewayClient[] } {
    const reports = new Map<string, { value: Value; gateways: GatewayClient[] }>();
    for (const each of asked) {
      const value = 'answer' in each ? pick(each.answer) : undefined;
      if (value === undefined) continue;
      const key = digest(value);
      const gateways = reports.get(key)?.gateways ?? [];
      reports.set(key, { value, gateways: [...gateways, each.gateway] });
    }
    const all = [...reports.values()];
    const [agreed, ...rivals] = all.filter(({ gateways }) => gateways.length >= this.#quorum);
    const isAgreed = agreed !== undefined && rivals.length === 0;
    const others = all.filter(each => all.length > 1 && !(isAgreed && each === agreed));
    return { ...(isAgreed && { agreed: agreed.value }), others: others.flatMap(({ gateways }) => gateways) };
  }

  async #askQuorum<T>(ask: Ask<T>): Promise<Asked<T>[]> {
    const asked = await this.#ask(ask);
    const failed = asked.filter(each => 'error' in each);
    if (asked.length - failed.length < this.#quorum) throw failed[0]!.error;
    return asked;
  }

  async #ask<T>(ask: Ask<T>): Promise<Asked<T>[]> {
    const isAlone = this.#gateways.length === 1;
    const nowMs = elapsedMs(this.#reader.clock);
    const asked = await Promise.all(
      this.#gateways.map(gateway => {
        const halvings = (this.#unanswered.get(gateway) ?? 0) % SILENT_QUESTIONS;
        const deadlineMs = nowMs + Math.max(ANSWER_MS / 2 ** halvings, LEAST_ANSWER_MS);
        return askEach({ ...this.#reader, ...(!isAlone && { deadlineMs }) }, [gateway], ask);
      }),
    );
    return asked.flat().map(each => {
      const before = this.#unanswered.get(each.gateway) ?? 0;
      this.#unanswered.set(each.gateway, 'error' in each ? before + 1 : 0);
      return each;
    });
  }
}

/** What a block has, without what a gateway adds to it. */
export function digestOf({ height, hash, previousHash, timestamp, transactions, expired }: Block): string {
  const contents = transactions.map(contentOf);
  return formatJson([height, hash, previousHash, timestamp, contents, expired?.map(toHex).sort()]);
}

/** What a transaction is: its hash, if that is the hash of its fields, otherwise its fields. */
function contentOf(transaction: BlockTransaction): unknown {
  if (transaction.isVerified) return transaction.hash;
  return withoutState(transaction);
}

/** The transaction without what a gateway says of its state, on which gateways need not agree. */
function withoutState(transaction: BlockTransaction): BlockTransaction {
  return { ...transaction, blockHeight: undefined, stage: undefined, escrowState: undefined };
}

/** Throws `INVALID_INPUT` if a gateway is named twice, because it would confirm itself, or for a bad quorum. */
export function checkWitnesses(gateways: readonly Pick<GatewayClient, 'urls'>[], quorum: number): void {
  const urls = gateways.flatMap(({ urls }) => urls ?? []);
  const twice = urls.find((url, at) => urls.indexOf(url) < at);
  if (twice !== undefined) {
    throw invalidInputError(`gateways must differ from each other: ${twice} is named twice`);
  }
  const count = gateways.length;
  if (!Number.isInteger(quorum) || quorum < 1 || quorum > count) {
    throw invalidInputError(`quorum must be from 1 to the number of gateways, ${count}`);
  }
}

/** No quorum of the gateways reports the same block. */
export function disagreementError(height: bigint, dissent: readonly Dissent[]): GatewayError {
  const urls = [...new Set(dissent.map(({ url }) => url))].join(' and ');
  const reports = urls === '' ? 'too few of them have it' : `${urls} report different blocks`;
  return new GatewayError('GATEWAYS_DISAGREE', `the gateways do not agree on block ${height}: ${reports}`, {
    facts: { blockHeight: `${height}` },
  });
}
