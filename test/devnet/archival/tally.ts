// Computes balances from the actions of a test, without the code under test.
import { Wallet } from '../../../testkit/chain/wallet.js';
import { sha3 } from '../../../testkit/crypto/sha3.js';
import { HERON } from '../../../testkit/devnet/payment.js';

const SUPPLIES: [tokenId: bigint, supply: bigint][] = [
  [0n, 100_000_000_000_000_000n],
  [1n, 1_000_000_000_000_000_000n],
  [2n, 1_000_000_000n],
  [HERON, 21_000_000_000n],
];
export const TREASURY = new Wallet(sha3(Buffer.from('ZBC development network treasury'))).hex;
const FEE = 2_500_000n;
const GRANT: [tokenId: bigint, amount: bigint][] = [
  [0n, 10_000_000_000n],
  [1n, 2_500_000_000n],
  [2n, 10n],
  [HERON, 5_000n],
];

export interface Sum {
  balance: bigint;
  held: bigint;
}

interface PlannedTransfer {
  hash: string;
  from: string;
  to: string;
  tokenId: bigint;
  amount: bigint;
  escrow?: { approver: string; commission: bigint; timeout: bigint };
}

/** An open escrow. `decided` is set after a decision, which keeps the escrow from expiring. */
export interface OpenEscrow extends PlannedTransfer {
  escrow: NonNullable<PlannedTransfer['escrow']>;
  decided: boolean;
}

interface Movement {
  kind: string;
  account_hex: string;
  token_id: bigint;
  amount: bigint;
  block_height: bigint;
  transaction_hash?: string;
}

export type PlannedEvent = PlannedTransfer | { decision: 'approve' | 'reject'; escrow: string; from: string };

export class Tally {
  readonly #balances = new Map<string, Sum>();
  readonly open = new Map<string, OpenEscrow>();
  readonly movements: Movement[] = [];
  /** Balances by height. */
  readonly history: ReadonlyMap<string, Sum>[] = [];

  constructor() {
    for (const [tokenId, supply] of SUPPLIES) this.#change(TREASURY, tokenId, supply, 0n);
    this.#keep();
  }

  get height(): bigint {
    return BigInt(this.history.length - 1);
  }

  grant(to: string, timestamp: bigint): void {
    const transfers = GRANT.map(([tokenId, amount]) => ({ hash: '', from: TREASURY, to, tokenId, amount }));
    this.block(timestamp, transfers);
  }

  block(timestamp: bigint, confirmed: readonly PlannedEvent[]): void {
    for (const planned of confirmed) {
      this.#change(planned.from, 0n, -FEE, 0n);
      if ('decision' in planned) {
        this.#settle(planned.escrow, planned.decision === 'approve');
      } else {
        this.#transfer(planned);
      }
    }
    // Escrows expire in the order of their timeouts; equal timeouts are ordered by hash.
    const waiting = [...this.open.values()].sort((one, other) =>
      one.escrow.timeout === other.escrow.timeout
        ? one.hash < other.hash
          ? -1
          : 1
        : Number(one.escrow.timeout - other.escrow.timeout),
    );
    for (const { hash, escrow, decided } of waiting) {
      if (!decided && escrow.timeout < timestamp) this.#settle(hash, false);
    }
    const fees = BigInt(confirmed.length) * FEE;
    if (fees > 0n) {
      this.#change(TREASURY, 0n, fees, 0n);
      this.#move('reward', TREASURY, 0n, fees);
    }
    this.#keep();
  }

  #transfer(planned: PlannedTransfer): void {
    const { hash, from, to, tokenId, amount, escrow } = planned;
    if (escrow === undefined) {
      this.#change(from, tokenId, -amount, 0n);
      this.#change(to, tokenId, amount, 0n);
      return;
    }
    this.#change(from, tokenId, -amount, amount);
    this.#change(from, 0n, -escrow.commission, escrow.commission);
    this.open.set(hash, { ...planned, escrow, decided: false });
  }

  #settle(hash: string, approved: boolean): void {
    const { from, to, tokenId, amount, escrow } = this.open.get(hash)!;
    this.open.delete(hash);
    this.#change(from, tokenId, 0n, -amount);
    this.#change(from, 0n, 0n, -escrow.commission);
    const kind = approved ? 'unlock' : 'refund';
    for (const [account, token, sum] of [
      [approved ? to : from, tokenId, amount],
      [approved ? escrow.approver : from, 0n, escrow.commission],
    ] as const) {
      this.#change(account, token, sum, 0n);
      this.#move(kind, account, token, sum, hash);
    }
  }

  #move(kind: string, account_hex: string, token_id: bigint, amount: bigint, transaction_hash?: string) {
    const block_height = BigInt(this.history.length);
    const movement = { kind, account_hex, token_id, amount, block_height };
    this.movements.push({ ...movement, ...(transaction_hash !== undefined && { transaction_hash }) });
  }

  #change(account: string, tokenId: bigint, balance: bigint, held: bigint): void {
    for (const [id, by] of [
      [0n, { balance: 0n, held: 0n }],
      [tokenId, { balance, held }],
    ] as const) {
      const key = `${account}/${id}`;
      const before = this.#balances.get(key) ?? { balance: 0n, held: 0n };
      this.#balances.set(key, { balance: before.balance + by.balance, held: before.held + by.held });
    }
  }

  #keep(): void {
    this.history.push(new Map(this.#balances));
  }
}
