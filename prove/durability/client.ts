import { setTimeout as pause } from 'node:timers/promises';
import type { Numbers } from '../../testkit/chain/numbers.js';
import type { Signed, Wallet } from '../../testkit/chain/wallet.js';
import { signPayment } from '../../testkit/devnet/payment.js';
import { ask } from './ask.js';

const MAX_PAUSE_MS = 100;
/** After an answer that is none. */
const MAX_RETRY_PAUSE_MS = 250;
/** In a hundred, of payments that were not taken. */
const SENT_AGAIN_AT_ONCE = 85;

/** A payment to the one recipient, with what became of its broadcast. */
export interface Payment {
  signed: Signed;
  amount: bigint;
  /** Whether a 202 came. */
  taken: boolean;
}

/** Pays the recipient again and again; an amount is never used twice by all clients together. */
export class Client {
  readonly payments: Payment[] = [];
  /** How many broadcasts ended with each status; 0 is no answer. */
  readonly statuses = new Map<number, number>();

  constructor(
    readonly wallet: Wallet,
    private readonly recipient: Wallet,
    private readonly nextAmount: () => bigint,
    private readonly numbers: Numbers,
  ) {}

  /** Until the signal; what was not taken is now and then sent again, the same bytes. */
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

  /** Throws for an answer that no kill explains. */
  async broadcast(url: string, payment: Payment): Promise<void> {
    const { fields, hash } = payment.signed;
    const { status, body } = await ask(`${url}/api/v1/transactions`, fields);
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status === 202) {
      if (body.transaction_hash !== hash) throw new Error(`${hash} was taken as ${body.transaction_hash}`);
      payment.taken = true;
    } else if (![0, 502, 503, 504].includes(status)) {
      throw new Error(`${hash} was answered ${status}: ${body.error}`);
    }
  }

  #pay(): Payment {
    const amount = this.nextAmount();
    return { signed: signPayment(this.wallet, this.recipient, amount), amount, taken: false };
  }
}
