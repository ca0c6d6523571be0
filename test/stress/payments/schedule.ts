import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, toHex, ZbcSignerError } from '@zbc-signer/chain';
import {
  type Clock,
  type FlowEvent,
  type FlowOptions,
  formatDocument,
  GatewayClient,
  type MemoryJournal,
  parseSignedDocument,
  type SignedTransaction,
  sendTransaction,
  submitTransaction,
  TransactionType,
} from '@zbc-signer/host';
import { SoftwareSigner } from '@zbc-signer/host/software-signer';
import type { Random } from '#devnet/chaos/add-chaos.js';

/** The library's report of a payment. */
export interface Report {
  /** Undefined if the payment was not approved. */
  hash: string | undefined;
  /** The outcome is `duplicate` if the chain has another payment with the same bytes. */
  outcome: 'sent' | 'no' | 'maybe' | 'duplicate' | 'not approved';
  /** Code of the last error; undefined for a success. */
  code: string | undefined;
}

/** One payer of the schedules. */
export interface Payer {
  privateKey: Uint8Array;
  recipient: Account;
  /** Shared by all schedules, so that later payments never reuse the bytes of an unsent one. */
  journal: MemoryJournal;
}

const PARALLEL = 3;
/** Codes of errors while the gateway restarts, before anything is signed. */
const GATEWAY_GONE = ['GATEWAY_UNREACHABLE', 'GATEWAY_BUSY'];
const MAX_SENDS = 50;
const AGAIN_MS = 100;
/** Number of a payment's events after which a user may leave. */
const MAX_EVENTS = 12;
const MAX_START_MS = 800;
const MAX_BROADCAST = 3;
/** Factor by which the library's pauses are shortened. */
const HASTE = 15;
const CONFIRMATION_TIMEOUT_MS = 10_000;

/** A clock whose pauses are shorter. Its time is that of the computer, which the node uses too. */
const HASTY_CLOCK: Clock = {
  now: () => Date.now(),
  sleep: async (durationMs, signal) => {
    await sleep(durationMs / HASTE, undefined, { signal }).catch(cause => {
      throw new ZbcSignerError('ABORTED', 'cancelled', { cause });
    });
  },
};

/** Runs a payer's parallel payments, some of them equal, with random decisions, aborts and retries. */
export async function runSchedule(url: string, payer: Payer, random: Random): Promise<Report[]> {
  const payments = Array.from({ length: PARALLEL }, () => new Payment(url, payer, random));
  return Promise.all(payments.map(payment => payment.run()));
}

class Payment {
  readonly #amount: bigint;
  readonly #rejects: boolean;
  readonly #hesitatesMs: number;
  readonly #startsAfterMs: number;
  /** The event after which a user leaves; 0 if the user stays. */
  readonly #abortAfter: number;
  /** The broadcast before which a user leaves; 0 if the user stays. */
  readonly #abortAt: number;
  readonly #retries: number;
  readonly #waits: boolean;
  /** The document before each broadcast, which a careful program keeps. */
  #kept: string | undefined;
  #approved: SignedTransaction | undefined;
  #hash: string | undefined;

  constructor(
    private readonly url: string,
    private readonly payer: Payer,
    random: Random,
  ) {
    this.#amount = random.next() < 0.7 ? 1n : 2n;
    this.#rejects = random.next() < 0.1;
    this.#hesitatesMs = random.next() < 0.5 ? 0 : random.next() * 20;
    this.#startsAfterMs = random.next() * MAX_START_MS;
    this.#abortAfter = random.next() < 0.2 ? Math.ceil(random.next() * MAX_EVENTS) : 0;
    this.#abortAt = random.next() < 0.3 ? Math.ceil(random.next() * MAX_BROADCAST) : 0;
    this.#retries = Math.floor(random.next() * 3);
    this.#waits = random.next() < 0.6;
  }

  async run(): Promise<Report> {
    await sleep(this.#startsAfterMs);
    let report = await this.#send();
    for (let again = 0; again < MAX_SENDS && GATEWAY_GONE.includes(`${report.code}`); again += 1) {
      if (report.outcome !== 'not approved') break;
      await sleep(AGAIN_MS);
      report = await this.#send();
    }
    for (let retry = 0; retry < this.#retries && this.#mayRetry(report); retry += 1) {
      const signed = this.#resumed(report.outcome === 'no' ? 'no' : 'maybe');
      report = await this.#report(options => submitTransaction(signed, options));
    }
    return report;
  }

  #send(): Promise<Report> {
    const draft = { type: TransactionType.SendZbc, recipient: this.payer.recipient, amount: this.#amount };
    return this.#report(options => sendTransaction(draft, options));
  }

  #mayRetry({ outcome }: Report): boolean {
    return (outcome === 'no' || outcome === 'maybe') && this.#approved !== undefined;
  }

  /** Resumes as after a crash: from the kept document, or from the signed transaction if nothing was sent. */
  #resumed(sent: SignedTransaction['sent']): SignedTransaction {
    if (this.#kept !== undefined && sent === 'maybe') return parseSignedDocument(this.#kept);
    return parseSignedDocument(formatDocument({ ...this.#approved!, sent }));
  }

  async #report(run: (options: FlowOptions) => Promise<unknown>): Promise<Report> {
    try {
      await run(this.#options());
      return { hash: this.#hash, outcome: 'sent', code: undefined };
    } catch (error) {
      return this.#describe(error);
    }
  }

  #describe(error: unknown): Report {
    if (!(error instanceof ZbcSignerError)) throw error;
    const { code, facts } = error;
    if (this.#hash === undefined) return { hash: undefined, outcome: 'not approved', code };
    if (facts.transactionHash !== this.#hash)
      throw new Error(`the error ${code} does not name the transaction ${this.#hash}`);
    if (code === 'DUPLICATE_TRANSACTION') return { hash: this.#hash, outcome: 'duplicate', code };
    return { hash: this.#hash, outcome: outcomeOf(facts.sent), code };
  }

  #options(): FlowOptions {
    const leave = new AbortController();
    let [events, broadcasts] = [0, 0];
    const key = new SoftwareSigner(this.payer.privateKey);
    return {
      gateway: new GatewayClient(this.url),
      signer: {
        getPublicKey: () => key.getPublicKey(),
        signTransaction: async request => {
          await sleep(this.#hesitatesMs);
          if (this.#rejects) throw new ZbcSignerError('USER_REJECTED', 'rejected');
          return key.signTransaction(request);
        },
      },
      journal: this.payer.journal,
      // All payments have the same recipient, so each of them may look like a repetition.
      paysAgain: true,
      clock: HASTY_CLOCK,
      confirmationTimeoutMs: CONFIRMATION_TIMEOUT_MS,
      waitsForConfirmation: this.#waits,
      onProgress: event => {
        if (++events === this.#abortAfter) leave.abort();
        if (event.step === 'submitting' && ++broadcasts === this.#abortAt) {
          setTimeout(() => leave.abort(), this.#hesitatesMs);
        }
        this.#watch(event);
      },
      signal: leave.signal,
    };
  }

  #watch(event: FlowEvent): void {
    if (event.step === 'signed') this.#hash = toHex(event.transactionHash);
    if (event.step !== 'submitting') return;
    this.#approved = event.signed;
    this.#kept = formatDocument(event.signed);
    // An error in a page's callback must have no effect.
    throw new Error('a bug in the callback');
  }
}

function outcomeOf(sent: unknown): Report['outcome'] {
  if (sent === 'yes') return 'sent';
  if (sent === 'no' || sent === 'maybe') return sent;
  throw new Error(`an error after the approval has an unexpected value of sent: ${sent}`);
}
