import { accountFromHex, formatAccount } from '@zbc-signer/chain';
import { type AccountMovement, GatewayClient } from '@zbc-signer/host';
import { stringify } from 'lossless-json';
import { u32, u64 } from '../crypto/little-endian.js';
import { sha3 } from '../crypto/sha3.js';
import { type Draft, type Fields, i64, NO_ACCOUNT, signDraft, Wallet } from './wallet.js';

export const BLOCKS = 14;
export const START = 1_800_000_000n;
export const GENESIS = Buffer.alloc(32, 7);
export const AMBER = 7n;
export const OPENING = 1_000_000_000n;
export const wallets = [1, 2, 3, 4].map(Wallet.numbered);
export const addressOf = ({ hex }: Wallet) => formatAccount(accountFromHex(hex));

/** Park and Miller's minimal standard generator. */
export class Dice {
  constructor(private state: number) {}
  below(limit: number): number {
    this.state = (this.state * 48_271) % 2_147_483_647;
    return this.state % limit;
  }
  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }
}

interface Escrowed {
  hash: string;
  from: string;
  to: string;
  tokenId: bigint;
  amount: bigint;
  approver: Wallet;
  commission: bigint;
  timeout: bigint;
  /** The height of the block that decides it. */
  decidedAt?: number;
}

/** A random chain by the rules of docs/gateway/devnet.md#fees-and-escrows, with the balances after each block. */
export class History {
  readonly dice: Dice;
  readonly blocks: Fields[] = [];
  readonly balances: Map<string, bigint>[] = [];
  readonly movements: Fields[] = [];
  readonly outcomes = new Set<string>();
  readonly #now = new Map<string, bigint>();
  readonly #open = new Map<string, Escrowed>();
  #count = 0;

  constructor(seed: number) {
    this.dice = new Dice(seed);
    for (const { hex } of wallets) for (const token of [0n, AMBER]) this.#move(hex, token, OPENING);
    this.#block(START, []);
    for (let height = 1; height < BLOCKS; height++) {
      const time = START + BigInt(height * 60 + this.dice.below(30));
      const plans = Array.from({ length: this.dice.below(4) }, () => this.#plan(time));
      this.#block(time, plans);
    }
  }

  #plan(time: bigint): Fields {
    const { dice } = this;
    const decidable = [...this.#open.values()].filter(({ decidedAt }) => decidedAt === undefined);
    if (decidable.length > 0 && dice.below(3) === 0) return this.#decide(dice.pick(decidable), time);
    const [from, to, approver] = [dice.pick(wallets), dice.pick(wallets), dice.pick(wallets)];
    const tokenId = dice.pick([0n, AMBER]);
    const amount = BigInt(dice.below(5) * dice.below(1_000));
    const escrow = {
      approver: approver.account,
      commission: BigInt(dice.below(3) * dice.below(100)),
      timeout: time + BigInt(1 + dice.below(240)),
    };
    const isHeld = dice.below(2) === 0;
    const signed = this.#sign(from, time, {
      type: tokenId === 0n ? 1n : 11n,
      recipient: to.account,
      body: tokenId === 0n ? u64(amount) : Buffer.concat([i64(tokenId), i64(amount)]),
      ...(isHeld && { escrow }),
    });
    this.#move(from.hex, tokenId, -amount);
    if (!isHeld) this.#move(to.hex, tokenId, amount);
    else {
      this.#move(from.hex, 0n, -escrow.commission);
      const hash = signed.transaction_hash as string;
      this.#open.set(hash, { ...escrow, hash, from: from.hex, to: to.hex, tokenId, amount, approver });
    }
    return signed;
  }

  /** A decision may be confirmed after the timeout, if it was accepted before. */
  #decide(escrowed: Escrowed, time: bigint): Fields {
    const approval = this.dice.below(2);
    const body = Buffer.concat([u32(approval), Buffer.from(escrowed.hash, 'hex')]);
    const signed = this.#sign(escrowed.approver, time, { type: 4n, recipient: NO_ACCOUNT, body });
    this.#settle(escrowed, approval === 0 ? 'approved' : 'rejected');
    return signed;
  }

  #settle({ hash, from, to, tokenId, amount, approver, commission }: Escrowed, outcome: string): void {
    const isApproved = outcome === 'approved';
    for (const [account, token, sum] of [
      [isApproved ? to : from, tokenId, amount],
      [isApproved ? approver.hex : from, 0n, commission],
    ] as const) {
      this.#move(account, token, sum);
      const block_height = BigInt(this.blocks.length);
      const movement = {
        address: account,
        token_id: token,
        amount: sum,
        block_height,
        transaction_hash: hash,
      };
      this.movements.unshift({ kind: isApproved ? 'unlock' : 'refund', ...movement });
    }
    this.#open.delete(hash);
    this.outcomes.add(outcome);
  }

  #sign(
    from: Wallet,
    timestamp: bigint,
    rest: Pick<Draft, 'type' | 'recipient' | 'body' | 'escrow'>,
  ): Fields {
    const fee = BigInt(1 + this.dice.below(50));
    const message = Buffer.from(`${this.#count++}`);
    const draft = { version: 1n, timestamp, fee, sender: from.account, message, ...rest };
    const { fields, hash } = signDraft(draft, from, GENESIS);
    this.#move(from.hex, 0n, -fee);
    return { ...fields, transaction_hash: hash, block_height: BigInt(this.blocks.length) };
  }

  #move(account: string, tokenId: bigint, by: bigint): void {
    const key = `${account}/${tokenId}`;
    this.#now.set(key, (this.#now.get(key) ?? 0n) + by);
  }

  #block(timestamp: bigint, transactions: Fields[]): void {
    const due = [...this.#open.values()].filter(({ timeout }) => timeout < timestamp);
    for (const each of due) this.#settle(each, 'expired');
    const previous_block_hash = (this.blocks.at(-1)?.block_hash as string) ?? '00'.repeat(32);
    const expired_escrows = due.map(({ hash }) => hash);
    const height = BigInt(this.blocks.length);
    const block = { height, previous_block_hash, timestamp, transactions, expired_escrows };
    this.blocks.push({ ...block, block_hash: sha3(Buffer.from(stringify(block)!)).toString('hex') });
    this.balances.push(new Map(this.#now));
  }
}

/** A gateway in front of the history, which returns at most `most` blocks, as `change` changes them. */
export function clientOf(
  history: History,
  url = 'http://gateway.test',
  most = BLOCKS,
  change: (blocks: Fields[]) => unknown = blocks => blocks,
): GatewayClient {
  const answer = (url: URL): unknown => {
    const from = Number(url.searchParams.get('from'));
    const limit = Math.min(Number(url.searchParams.get('limit')), most);
    if (url.pathname.endsWith('/status')) return { height: BigInt(history.blocks.length - 1) };
    if (url.pathname.endsWith('/blocks')) return { blocks: change(history.blocks.slice(from, from + limit)) };
    if (url.pathname.endsWith('/latest')) return { movements: history.movements };
    return history.blocks
      .flatMap(({ transactions }) => transactions as Fields[])
      .find(({ transaction_hash }) => url.pathname.endsWith(`${transaction_hash}`));
  };
  return new GatewayClient(url, {
    fetch: async url => new Response(stringify(answer(new URL(`${url}`)))),
  });
}

export function sumOf(rows: readonly AccountMovement[], tokenId: bigint): bigint {
  return rows.reduce(
    (sum, row) => sum + (row.tokenId === tokenId ? row.amount! : 0n) - (tokenId === 0n ? row.fee : 0n),
    0n,
  );
}
