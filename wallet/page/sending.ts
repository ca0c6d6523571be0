import { formatCoinAmount, toHex, ZbcSignerError } from '@zbc-signer/chain';
import { type Draft, type FlowEvent, sentOf, type TransactionOutcome } from '@zbc-signer/host';
import { element } from './dom.js';
import { InputError } from './fields.js';
import { runTask, type TaskView } from './task.js';
import type { Wallet } from './wallet.js';
import { explain } from './words.js';

/** What the library finds wrong with an amount. */
const AMOUNT_FAULTS = ['ZERO_AMOUNT', 'INSUFFICIENT_BALANCE'];

/**
 * Has a draft reviewed on the device and sends it, in the dialog. Throws InputError for the field that holds the
 * amount if it is wrong, and nothing was sent.
 */
export function sendDraft(
  wallet: Wallet,
  title: string,
  draft: Draft,
  amountField?: string,
): Promise<boolean> {
  return runTask(title, async view => {
    const { signal } = view;
    const onProgress = (event: FlowEvent) => showProgress(view, event);
    try {
      return describeOutcome(await wallet.send(draft, { title, signal, onProgress }));
    } catch (error) {
      if (amountField === undefined || !isAmountFault(error)) throw error;
      throw new InputError(amountField, explain(error).what);
    }
  });
}

function isAmountFault(error: unknown): boolean {
  return error instanceof ZbcSignerError && AMOUNT_FAULTS.includes(error.code) && sentOf(error) === 'no';
}

function describeOutcome({ status, blockHeight, transactionHash }: TransactionOutcome): HTMLElement {
  const block = blockHeight === undefined ? '' : ` in block ${blockHeight}`;
  return element(
    'div',
    '',
    element('p', '', `${status === 'confirmed' ? 'Confirmed' : 'Sent'}${block}.`),
    element('p', 'mono', `Transaction ${toHex(transactionHash)}`),
  );
}

function showProgress(view: TaskView, event: FlowEvent): void {
  if (event.step === 'fee') view.note(describeFee(event));
  if (event.step === 'review') view.review(event.items);
  if (event.step === 'signed') view.commit();
  const words = describeStep(event);
  if (words !== undefined) view.say(words);
}

/** With a warning where the fee is a high share of the amount. */
function describeFee({ fee, highShare }: Extract<FlowEvent, { step: 'fee' }>): string {
  const coins = `Fee: ${formatCoinAmount(fee)}`;
  if (highShare === undefined) return `${coins}.`;
  return `${coins}, which is ${Math.round(highShare * 100)} % of the amount. Reject it on the device if that is too much.`;
}

function describeStep(event: FlowEvent): string | undefined {
  switch (event.step) {
    case 'signed':
      return 'Approved. Sending…';
    case 'broadcast':
      return 'Sent. Waiting for a block…';
    case 'stage':
      return event.stage === 'confirmed' ? 'Confirmed.' : `Sent (${event.stage}). Waiting for a block…`;
    case 'retry':
      return 'The gateway did not answer. Trying again…';
    default:
      return undefined;
  }
}
