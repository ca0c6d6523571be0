import {
  accountText,
  type BroadcastState,
  formatJson,
  fromHex,
  invalidInputError,
  parseJson,
  toHex,
} from '@zbc-signer/chain';
import { changeInTurn } from '../device/exchange-queue.js';
import type { TextStore } from '../text-store.js';
import { formatDocument, parseSignedDocument } from './document.js';
import type { SendDraft, TokenDraft } from './draft/draft.js';
import { journalError } from './errors.js';
import { readDraft, readOptions } from './input.js';
import { callJournal, findKept, guardJournal, type PaymentJournal, pendingOf } from './journal/journal.js';
import type { FlowOptions } from './options.js';
import { copyOf, withJson } from './prepared.js';
import { resumePayments } from './resume.js';
import { sendTransaction } from './send.js';
import { broadcastStateOf } from './sent.js';

const FORMAT = 'zbc-signer-payouts';
const VERSION = 1n;

/** A payment to make once, however often `payOut` is called with its order id. */
export interface Payout {
  orderId: string;
  draft: SendDraft | TokenDraft;
}

/** Options of `payOut`. */
export interface PayoutOptions extends Omit<FlowOptions, 'journal' | 'paysAgain' | 'waitsForConfirmation'> {
  /** Must keep payments when the program ends. */
  journal: PaymentJournal;
  /** Keeps which order each payment is for. Only one call of `payOut` may use it at a time. */
  orders: TextStore;
}

/**
 * The state of an order. `paid`: confirmed, by this call or an earlier one. `open`: signed, and possibly on the chain;
 * the next call settles it. `failed`: not paid, because of `error`. `notStarted`: the call ended before.
 */
export interface PayoutResult {
  orderId: string;
  status: 'paid' | 'open' | 'failed' | 'notStarted';
  /** 32 bytes. */
  transactionHash?: Uint8Array | undefined;
  blockHeight?: bigint | undefined;
  error?: unknown;
}

/** What is kept of an order that was signed. */
interface Entry {
  /** What it pays to whom, as text. */
  payment: string;
  /** The hash in hex. */
  hash: string;
  /** The signed transaction, until it is confirmed. */
  document?: string | undefined;
  blockHeight?: bigint | undefined;
}

/**
 * Pays orders one after the other, each in a review of its own, and each at most once. An order that is `open` does not
 * keep the others from being paid, also those to its recipient. Ends with the first order that fails before it is
 * sent, such as one that the user rejects. To continue, call it again with the same journal and record. Throws
 * `INVALID_INPUT` if an id occurs twice or was used for another payment, and `JOURNAL_FAILED` if the record fails.
 */
export async function payOut(payouts: readonly Payout[], given: PayoutOptions): Promise<PayoutResult[]> {
  const { orders, ...rest } = Object(given) as PayoutOptions;
  for (const name of ['paysAgain', 'waitsForConfirmation']) {
    if (name in rest) throw invalidInputError(`unknown option: ${name}`);
  }
  if (!Array.isArray(payouts)) throw invalidInputError('payouts must be a list');
  const options = readOptions(rest, 'gateway', 'signer', 'journal') as Omit<PayoutOptions, 'orders'>;
  const asked = payouts.map(payout => {
    const { orderId, draft } = Object(payout) as Payout;
    return { orderId, draft: readDraft(draft) as Payout['draft'] };
  });
  const record = new OrderRecord(orders);
  checkOrders(asked, await record.read());
  const results: PayoutResult[] = [];
  let isOver = false;
  for (const payout of asked) {
    const { orderId } = payout;
    const result: PayoutResult = isOver
      ? { orderId, status: 'notStarted' }
      : { orderId, ...(await payOrder(payout, record, options)) };
    isOver ||= result.status === 'failed';
    results.push(withJson(result));
  }
  return results;
}

type State = Omit<PayoutResult, 'orderId'>;

async function payOrder(
  { orderId, draft }: Payout,
  record: OrderRecord,
  options: Omit<PayoutOptions, 'orders'>,
): Promise<State> {
  const entry = (await record.read()).get(orderId);
  if (entry !== undefined) {
    const transactionHash = fromHex(entry.hash);
    try {
      const state = await settle(orderId, entry, record, options);
      if (state !== undefined) return state;
    } catch (error) {
      return { status: 'open', transactionHash, error };
    }
  }
  let hash: string | undefined;
  const { journal } = options;
  const noting: PaymentJournal = {
    ...guardJournal(journal),
    // Open payments of other orders are made too.
    hold: async () => undefined,
    signed: async payment => {
      const document = formatDocument(copyOf(payment));
      hash = toHex(payment.transactionHash);
      await record.add(orderId, { payment: paymentOf(draft), hash, document });
      await journal.signed(copyOf(payment));
    },
  };
  try {
    const paysAgain = await isOfOrders(journal, draft, await record.read());
    const outcome = await sendTransaction(draft, { ...options, journal: noting, paysAgain });
    return await notePaid(orderId, record, outcome.transactionHash, outcome.blockHeight);
  } catch (error) {
    const sent: BroadcastState = broadcastStateOf(error);
    if (hash !== undefined && sent === 'no') await record.remove(orderId, hash).catch(() => undefined);
    const isOpen = hash !== undefined && sent !== 'no';
    return isOpen ? { status: 'open', transactionHash: fromHex(hash!), error } : { status: 'failed', error };
  }
}

/** Settles the payment of an order; undefined if it was not made and never will be. */
async function settle(
  orderId: string,
  { hash, document, blockHeight }: Entry,
  record: OrderRecord,
  options: Omit<PayoutOptions, 'orders'>,
): Promise<State | undefined> {
  const transactionHash = fromHex(hash);
  if (document === undefined) return { status: 'paid', transactionHash, blockHeight };
  const payment = parseSignedDocument(document);
  const { journal: whole, signer: _, ...rest } = options;
  // The journal may have settled the payment after the record was written, so it is looked up in any case.
  const { takeOver: __, ...journal } = guardJournal(whole);
  const only: PaymentJournal = {
    ...journal,
    pending: async () => [findKept(await pendingOf(whole), payment) ?? { ...payment, sent: 'maybe' }],
  };
  const [resumed] = await resumePayments(only, rest);
  if (resumed?.status === 'confirmed') return notePaid(orderId, record, transactionHash, resumed.blockHeight);
  if (resumed?.status !== 'expired') return { status: 'open', transactionHash, error: resumed?.error };
  await record.remove(orderId, hash);
  return undefined;
}

async function notePaid(
  orderId: string,
  record: OrderRecord,
  transactionHash: Uint8Array,
  blockHeight: bigint | undefined,
): Promise<State> {
  await record.pay(orderId, blockHeight);
  return { status: 'paid', transactionHash, blockHeight };
}

/** Whether payments to the recipient are open, all of them for other orders. */
async function isOfOrders(
  journal: PaymentJournal,
  { recipient }: Payout['draft'],
  entries: ReadonlyMap<string, Entry>,
): Promise<boolean> {
  const hashes = new Set([...entries.values()].map(({ hash }) => hash));
  const pending = await callJournal(() => pendingOf(journal));
  const open = pending.filter(
    ({ transaction }) => accountText(transaction.recipient) === accountText(recipient),
  );
  return open.length > 0 && open.every(({ transactionHash }) => hashes.has(toHex(transactionHash)));
}

function checkOrders(asked: readonly Payout[], entries: ReadonlyMap<string, Entry>): void {
  const ids = new Set<unknown>();
  for (const { orderId, draft } of asked) {
    if (typeof orderId !== 'string' || orderId === '') throw invalidInputError('orderId must be a text');
    if (!('recipient' in draft)) throw invalidInputError(`order ${orderId} is not a payment`);
    if (ids.has(orderId)) throw invalidInputError(`order ${orderId} occurs twice`);
    ids.add(orderId);
    const entry = entries.get(orderId);
    if (entry !== undefined && entry.payment !== paymentOf(draft)) {
      throw invalidInputError(`order ${orderId} was used for another payment`);
    }
  }
}

/** What a draft pays to whom. Another attempt may have another fee. */
function paymentOf(draft: Payout['draft']): string {
  return formatJson({ ...draft, fee: undefined, decimals: undefined });
}

/** Entries by order id, as text in the caller's store. */
class OrderRecord {
  constructor(private readonly store: TextStore) {
    const { load, store: write } = Object(store) as Partial<TextStore>;
    if (typeof load !== 'function' || typeof write !== 'function') {
      throw invalidInputError('orders must have load() and store(text)');
    }
  }

  async read(): Promise<Map<string, Entry>> {
    return this.#call(async () => {
      const text = await this.store.load();
      if (text === undefined) return new Map();
      const { format, version, orders }: Record<string, unknown> = Object(parseJson(text));
      if (format !== FORMAT || version !== VERSION || !Array.isArray(orders)) {
        throw invalidInputError(`it is not ${FORMAT} of version ${VERSION}`);
      }
      return new Map(orders.map(readEntry));
    });
  }

  /** Keeps a payment before it is sent. Throws if another call has meanwhile kept one for the order. */
  async add(orderId: string, entry: Entry): Promise<void> {
    await this.#change(entries => {
      const other = entries.get(orderId);
      if (other !== undefined && other.hash !== entry.hash) {
        throw invalidInputError(`another call is paying order ${orderId}`);
      }
      entries.set(orderId, entry);
    });
  }

  /** Notes that the payment of an order is confirmed. If this fails, the next call finds it on the chain. */
  async pay(orderId: string, blockHeight: bigint | undefined): Promise<void> {
    const pay = (entries: Map<string, Entry>) => {
      const { document: _, ...entry } = entries.get(orderId)!;
      entries.set(orderId, { ...entry, blockHeight });
    };
    await this.#change(pay).catch(() => undefined);
  }

  /** Forgets a payment that was not made and never will be. */
  async remove(orderId: string, hash: string): Promise<void> {
    await this.#change(entries => {
      if (entries.get(orderId)?.hash === hash) entries.delete(orderId);
    });
  }

  #change(change: (entries: Map<string, Entry>) => void): Promise<void> {
    return changeInTurn(this.store, async () => {
      const entries = await this.read();
      await this.#call(async () => {
        change(entries);
        const orders = [...entries].map(([orderId, entry]) => ({ orderId, ...entry }));
        await this.store.store(`${formatJson({ format: FORMAT, version: VERSION, orders })}\n`);
      });
    });
  }

  async #call<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw journalError(error);
    }
  }
}

function readEntry(json: unknown): [string, Entry] {
  const { orderId, payment, hash, document, blockHeight } = Object(json) as Record<string, unknown>;
  const texts = [orderId, payment, hash, document ?? ''];
  const isHeight = blockHeight === undefined || typeof blockHeight === 'bigint';
  if (!texts.every(text => typeof text === 'string') || !/^[0-9a-f]{64}$/.test(`${hash}`) || !isHeight) {
    throw invalidInputError('an order is malformed');
  }
  return [orderId as string, { payment, hash, document, blockHeight } as Entry];
}
