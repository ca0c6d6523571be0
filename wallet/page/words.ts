import { type ErrorFacts, ZbcSignerError } from '@zbc-signer/chain';
import type { CheckedNonce, PendingPayment } from '@zbc-signer/host';
import { adviceOf, remedyOf } from '@zbc-signer/host/remedies';
import { element } from './dom.js';

/** An error in plain words, with the remedy. */
type Explanation = readonly [what: string, ...advice: string[]];

const UNSENT = 'Nothing was sent.';
const KEPT = 'It is kept at the top of this page, where you can check and finish it.';

/** Texts for errors whose message in the library is for programs, or whose remedy is for the command line. */
const WORDS = new Map(
  Object.entries<Explanation>({
    USER_REJECTED: ['You rejected it on the device. Nothing was signed and nothing was sent.'],
    ABORTED: ['Cancelled. Nothing was sent.'],
    ZERO_AMOUNT: ['The amount is 0. Nothing was signed.'],
    LOCKED: [
      'Unlock the signer.',
      'It is locked, or has no seed: enter its PIN or your words with its buttons, then connect again.',
    ],
    DEVICE_DISCONNECTED: [
      'The signer was disconnected. Nothing was sent.',
      'Connect it again and start over: nothing is signed again automatically.',
    ],
    REPLY_LOST: [
      "The signer's answer was lost. Nothing was sent.",
      'Even if you approved, nothing left this account. Start over.',
    ],
    GATEWAY_UNREACHABLE: ['The gateway does not answer.', 'Check the connection.'],
    BROADCAST_UNCERTAIN: ['The gateway gave no certain answer: the transaction may have been accepted.'],
    SUBMISSION_INTERRUPTED: ['Interrupted after you approved.'],
    NOT_CONFIRMED: [
      'The transaction was sent, but no block has it yet.',
      'It may still be confirmed: see Activity.',
    ],
    UNSETTLED_PAYMENT: [
      'An earlier payment to this recipient may have been made. This one was not sent.',
      'Check it at the top of this page first. To pay all the same, forget it there.',
    ],
    FEE_TOO_HIGH: [
      'The gateway asks for a fee of more than 0.1 ZBC, the limit of this page. Nothing was signed.',
      'Compare with another gateway; the command line can allow more, with --max-fee.',
    ],
    WRONG_CHAIN: [
      'The gateway has changed to another chain. Nothing was signed.',
      'Reload the page if you expected that: it then works for the new chain.',
    ],
    HASH_MISMATCH: [
      'The gateway reports another transaction than the one you approved: possible tampering.',
      'Do not trust this gateway: check with another one.',
    ],
  }),
);

export function explain(error: unknown): Explanation {
  if (error instanceof ZbcSignerError) {
    const { code, hint, facts, message } = error;
    const words = facts.reason === undefined ? WORDS.get(code) : undefined;
    const [what, advice] = words ?? [sentence(message), remedyOf({ code, hint })];
    const sentences = [advice, fateOf(facts)].filter(words => words !== undefined);
    return sentences.length === 0 ? [what] : [what, sentences.join(' ')];
  }
  if (error instanceof PageError) return [sentence(error.message)];
  return ['Something went wrong in this page.', sentence(String(error))];
}

/** The remedy for an approved transaction that this page or another program may have sent. */
function fateOf(facts: ErrorFacts): string | undefined {
  const { sent, transactionHash } = facts;
  if (sent === 'no') return UNSENT;
  // An error without a hash is about a file that cannot be read, from which nothing is kept.
  return adviceOf(facts, transactionHash === undefined ? UNSENT : KEPT);
}

/** What is true of a payment whose outcome is not known. The chain may accept it `until` a time, by its own clock. */
export function describePending({ isHeld, sent }: PendingPayment, until: string): string {
  const limit = `The chain may accept it until ${until} by its own clock.`;
  if (isHeld) {
    return (
      'This page does not send it by itself. To send it, use its file: under “Sign and verify” in this wallet, ' +
      'with `zbc-signer tx submit FILE`, or in another wallet. If its recipient was paid since, that pays again. ' +
      limit
    );
  }
  const known =
    sent === 'yes'
      ? 'A node has it. Whether a block has it is not known yet.'
      : `Whether it was made is not known yet. ${limit}`;
  return `${known} Sending it again changes nothing if the chain already has it.`;
}

/** An error that the page itself found, in words for its user. */
export class PageError extends Error {
  override readonly name: string = 'PageError';
}

/** The error in a few words. */
export const headline = (error: unknown): string => explain(error)[0].replace(/\.(\s.*)?$/, '');

/** Makes an element with the explanation of an error. */
export function describeError(error: unknown): HTMLElement {
  return element('div', 'bad', ...explain(error).map(text => element('p', '', text)), ...hashOf(error));
}

/** Shows an error, or none, in an element that a screen reader announces, unless it is shown there already. */
export function showError(place: HTMLElement, error: unknown): void {
  const shown = error === undefined ? undefined : describeError(error);
  if (place.textContent !== (shown?.textContent ?? '')) place.replaceChildren(...(shown ? [shown] : []));
}

/** What the check of a signature for hidden data found. */
export function describeCheck(check: CheckedNonce | undefined): string {
  const withheld = check?.withheld ?? 0;
  const missing = withheld === 0 ? '' : ` The device withheld ${withheld} signatures of this account before.`;
  return `The signature was ${check ? '' : 'not '}checked for hidden data.${missing}`;
}

function hashOf(error: unknown): HTMLElement[] {
  const hash = error instanceof ZbcSignerError ? error.facts.transactionHash : undefined;
  return hash === undefined ? [] : [element('p', 'mono', `Transaction ${String(hash)}`)];
}

/** Makes a sentence of a text: with a capital letter at the start and a full stop at the end. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
