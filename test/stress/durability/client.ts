import { setTimeout as pause } from 'node:timers/promises';
import type { Numbers } from '../../../testkit/chain/numbers.js';
import type { Signed, Wallet } from '../../../testkit/chain/wallet.js';
import { signPayment } from '../../../testkit/devnet/payment.js';
import { ask } from './ask.js';

const MAX_PAUSE_MS = 100;
/** Maximum pause after a missing answer. */
const MAX_RETRY_PAUSE_MS = 250;
/** Percentage of payments without a 202 that are sent again. */
const SENT_AGAIN_AT_ONCE = 85;

/** A payment to the recipient, with the outcome of its broadcast. */
export interface Payment {
  signed: Signed;
  amount: bigint;
  /** Whether a 202 was received. */
  taken: boolean;
}

/** Pays the recipient repeatedly; all clients together never use an amount twice. */
export class Client {
  readonly payments: Payment[] = [];
  /** Number of broadcasts by status; 0 means no answer. */
  readonly statuses = new Map<number, number>();

  constructor(
    readonly wallet: Wallet,
    private readonly recipient: Wallet,
    private readonly nextAmount: () => bigint,
    private readonly numbers: Numbers,
  ) {}

  /** Pays until the signal is aborted. Sends most payments without a 202 again, with the same bytes. */
  async run(gatewayUrl: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const payment = this.#pay();
      this.payments.push(payment);
      await this.broadcast(gatewayUrl, payment);
      while (!payment.taken && this.numbers(100) < SENT_AGAIN_AT_ONCE && !signal.aborted) {
        await pause(this.numbers(MAX_RETRY_PAUSE_MS));
        await this.broadcast(gatewayUrl, payment);
      }
      await pause(this.numbers(MAX_PAUSE_MS));
    }
  }

  /** Throws if a kill cannot be the reason for the answer. */
  async broadcast(url: string, payment: Payment): Promise<void> {
    const { fields, hash } = payment.signed;
    const { status, body } = await ask(`${url}/api/v1/transactions`, fields);
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status === 202) {
      if (body.transaction_hash !== hash) throw new Error(`${hash} was accepted as ${body.transaction_hash}`);
      payment.taken = true;
    } else if (![0, 502, 503, 504].includes(status)) {
      throw new Error(`${hash} was answered with ${status}: ${body.error}`);
    }
  }

  #pay(): Payment {
    const amount = this.nextAmount();
    return { signed: signPayment(this.wallet, this.recipient, amount), amount, taken: false };
  }
}
