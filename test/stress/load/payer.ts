import { setTimeout as pause } from 'node:timers/promises';
import { parse, stringify } from 'lossless-json';
import { Wallet } from '../../../testkit/chain/wallet.js';
import { FEE, GRANT_ATOMS, signPayment } from '../../../testkit/devnet/payment.js';
import type { KnownChainData } from './known-chain-data.js';
import type { Outcomes } from './outcomes.js';
import type { RequestKind } from './request-kinds.js';
import type { Traffic } from './traffic.js';

/** Half of the payments that one grant of the faucet covers. */
const PAYMENTS_A_GRANT = GRANT_ATOMS / FEE / 2n;
const PATIENCE_MS = 30_000;
const POLL_MS = 500;

const GRANT: RequestKind = { method: 'POST', path: '/faucet', status: 200 };
const BROADCAST: RequestKind = { method: 'POST', path: '/api/v1/transactions', status: 202 };
const ARCHIVAL_INFO: RequestKind = { path: '/api/v1/node/info', status: 200, host: 'archival' };

type Fields = { [name: string]: unknown };

export const PAYERS = Array.from({ length: 8 }, (_, at) => Wallet.numbered(at + 1));
export const RECIPIENT = Wallet.numbered(99);

/** Pays, and follows each payment until the archival node has it. */
export class Payer {
  #payments = 0n;
  #confirmed = 0;

  constructor(
    private readonly traffic: Traffic,
    private readonly known: KnownChainData,
    private readonly outcomes: Outcomes,
  ) {}

  describe(): string[] {
    return [`${this.#confirmed} of ${this.#payments} payments were confirmed and found on the archival node`];
  }

  async pay(dueMs: number): Promise<void> {
    const amount = (this.#payments += 1n);
    const wallet = PAYERS[Number(amount) % PAYERS.length]!;
    const isDry = ((amount - 1n) / BigInt(PAYERS.length)) % PAYMENTS_A_GRANT === 0n;
    if (isDry) await this.#ask(GRANT, dueMs, { address: wallet.hex });
    const { fields, hash } = signPayment(wallet, RECIPIENT, amount);
    const answer = await this.#ask(BROADCAST, isDry ? performance.now() : dueMs, fields);
    if (answer === undefined) return;
    if (answer.transaction_hash !== hash || answer.duplicate !== false) {
      this.outcomes.failed(BROADCAST.path, `${hash} was accepted as ${stringify(answer)}`);
      return;
    }
    await this.#follow(hash);
  }

  async #follow(hash: string): Promise<void> {
    const path = `/api/v1/transactions/${hash}`;
    const status: RequestKind = { path: `${path}/status`, status: 200 };
    const { block_height: height } = await this.#pollUntil(status, ({ status }) => status === 'confirmed');
    if (typeof height !== 'bigint') return;
    await this.#pollUntil(ARCHIVAL_INFO, info => (info.height as bigint) >= height);
    const archived = await this.#ask({ path, status: 200, host: 'archival' });
    if (archived === undefined) return;
    this.known.learn(hash, height);
    this.#confirmed += 1;
  }

  /**
   * Polls until the expected answer arrives. If it does not arrive in time, records a failure and returns an
   * empty answer.
   */
  async #pollUntil(kind: RequestKind, isWanted: (answer: Fields) => boolean): Promise<Fields> {
    const deadlineMs = performance.now() + PATIENCE_MS;
    while (performance.now() < deadlineMs) {
      const answer = await this.#ask(kind);
      if (answer === undefined) return {};
      if (isWanted(answer)) return answer;
      await pause(POLL_MS);
    }
    this.outcomes.failed(kind.path, `no expected answer within ${PATIENCE_MS} ms`);
    return {};
  }

  async #ask(kind: RequestKind, dueMs = performance.now(), document?: unknown): Promise<Fields | undefined> {
    const text = await this.traffic.ask(kind, dueMs, stringify(document));
    return text === undefined ? undefined : (parse(text, undefined, BigInt) as Fields);
  }
}
