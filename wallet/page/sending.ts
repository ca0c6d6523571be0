import { formatCoinAmount, type ReviewItem, toHex, ZbcSignerError } from '@zbc-signer/chain';
import {
  broadcastStateOf,
  type Draft,
  type FlowEvent,
  formatDocument,
  type SignedTransaction,
  type TransactionOutcome,
} from '@zbc-signer/host';
import { copyText, element, factList, makeButton } from './dom.js';
import { InputError } from './fields.js';
import { saveFile } from './files.js';
import { formatShare } from './format.js';
import { type SendOptions, send, signForLater, submit } from './payments.js';
import { COMPARE, runTask, SIGNED, type TaskView } from './task.js';
import type { Wallet } from './wallet.js';
import { describeCheck, explain } from './words.js';

/** The library's error codes for an invalid amount. */
const AMOUNT_FAULTS = ['ZERO_AMOUNT', 'INSUFFICIENT_BALANCE'];
const STEPS = [COMPARE, SIGNED, 'Sent', 'In a block'];
/** The steps of a transaction that was signed before. */
const LATER_STEPS = STEPS.slice(2);

/**
 * Lets the user review a draft on the device, then sends it. A dialog shows the progress. If the amount is
 * invalid and nothing was sent, throws InputError for `amountField`.
 */
export function sendDraft(
  wallet: Wallet,
  title: string,
  draft: Draft,
  amountField?: string,
  act: typeof send = send,
): Promise<boolean> {
  return runTask(title, STEPS, async view => {
    try {
      return await settle(view, STEPS, options => act(wallet, draft, { ...options, title }));
    } catch (error) {
      throw atField(error, amountField);
    }
  });
}

/** Sends a transaction that was signed before. A dialog shows the progress. */
export function sendSigned(wallet: Wallet, signed: SignedTransaction): Promise<boolean> {
  const title = 'Send a signed transaction';
  return runTask(title, LATER_STEPS, view => {
    view.commit('Sending');
    return settle(view, LATER_STEPS, options => submit(wallet, signed, { ...options, title }), signed.review);
  });
}

/**
 * Lets the user review and sign a draft on the device, and saves it as a file for `sendSigned`, here or
 * elsewhere.
 */
export function signDraft(
  wallet: Wallet,
  title: string,
  draft: Draft,
  amountField: string,
): Promise<boolean> {
  return runTask(title, STEPS.slice(0, 2), async view => {
    const onProgress = (event: FlowEvent) => {
      if (event.step === 'signed') showSigned(view, 'Signed', 'Signed.');
      else showProgress(view, STEPS.slice(0, 2), event);
    };
    try {
      const signed = await signForLater(wallet, draft, { title, signal: view.signal, onProgress });
      saveSigned(signed);
      return 'Signed. The browser saves it as a file. Nothing was sent.';
    } catch (error) {
      throw atField(error, amountField);
    }
  });
}

/**
 * Lets the browser save the document for `sendSigned`. The page cannot know whether the user has saved it.
 */
export function saveSigned(signed: SignedTransaction): void {
  saveFile(`${toHex(signed.transactionHash).slice(0, 8)}.json`, formatDocument(signed));
}

async function settle(
  view: TaskView,
  steps: readonly string[],
  work: (options: Pick<SendOptions, 'signal' | 'onProgress'>) => Promise<TransactionOutcome>,
  known: readonly ReviewItem[] = [],
): Promise<HTMLElement> {
  let items = known;
  let check = '';
  const onProgress = (event: FlowEvent) => {
    if (event.step === 'review') items = event.items;
    if (event.step === 'signed') check = describeCheck(event.antiExfil);
    showProgress(view, steps, event);
  };
  const outcome = await work({ signal: view.signal, onProgress });
  view.reach(steps.length);
  return describeOutcome(outcome, items, check);
}

/** Turns an error about the amount into an InputError for the field, if there is a field. */
function atField(error: unknown, field: string | undefined): unknown {
  return field !== undefined && isAmountFault(error) ? new InputError(field, explain(error)[0]) : error;
}

function isAmountFault(error: unknown): boolean {
  return (
    error instanceof ZbcSignerError && AMOUNT_FAULTS.includes(error.code) && broadcastStateOf(error) === 'no'
  );
}

function describeOutcome(
  { status, blockHeight, transactionHash }: TransactionOutcome,
  items: readonly ReviewItem[],
  check: string,
): HTMLElement {
  const hash = toHex(transactionHash);
  const facts = factList([...items, ['Transaction', hash]]);
  const copied = element('p', '');
  const copy = makeButton('Copy the hash', '', async () => {
    copied.textContent = await copyText(hash, facts.lastElementChild!);
  });
  const words = status === 'confirmed' ? confirmedIn(blockHeight) : 'Sent.';
  return element('div', '', element('p', '', words), element('p', '', check), facts, copy, copied);
}

function showSigned(view: TaskView, state: string, words: string): void {
  view.commit(state);
  view.reach(1, 'Compared');
  view.reach(2);
  view.say(words);
}

function showProgress(view: TaskView, steps: readonly string[], event: FlowEvent): void {
  if (event.step === 'fee') view.note(warnOfFee(event));
  if (event.step === 'review') view.review(event.items);
  if (event.step === 'signed') showSigned(view, 'Sending', 'Approved. Sending…');
  if (event.step === 'broadcast') {
    view.reach(steps.length - 1);
    view.say('Sent. Waiting for a block…');
  }
  if (event.step === 'retry') view.say('The gateway did not answer. Trying again…');
}

function confirmedIn(blockHeight: bigint | undefined): string {
  return blockHeight === undefined ? 'Confirmed.' : `Confirmed in block ${blockHeight}.`;
}

/** The warning about a fee that is a high share of the amount; otherwise empty. */
function warnOfFee({ fee, highShare }: Extract<FlowEvent, { step: 'fee' }>): string {
  if (highShare === undefined) return '';
  return `The fee is ${formatCoinAmount(fee)}, ${formatShare(highShare)} of the amount. Reject it on the device if that is too much.`;
}
