import { type ErrorFacts, ZbcSignerError } from '@zbc-signer/chain';
import { adviceOf, remedyOf } from '@zbc-signer/host/remedies';
import { element } from './dom.js';

/** An error in plain words, with the remedy. */
interface Explanation {
  what: string;
  advice?: string | undefined;
}

const UNSENT = 'Nothing was sent.';
const KEPT = 'It is kept at the top of this page, where you can check and finish it.';

/** Texts for errors whose message in the library is for programs, or whose remedy is for the command line. */
const WORDS: ReadonlyMap<string, Explanation> = new Map([
  ['USER_REJECTED', { what: 'You rejected it on the device. Nothing was signed and nothing was sent.' }],
  ['ABORTED', { what: 'Cancelled. Nothing was sent.' }],
  ['ZERO_AMOUNT', { what: 'The amount is 0. Nothing was signed.' }],
  [
    'LOCKED',
    {
      what: 'Unlock the signer.',
      advice:
        'It is locked, or has no seed: enter its PIN or your words with its buttons, then connect again.',
    },
  ],
  [
    'BUSY',
    {
      what: 'The signer is busy: a review is on its screen.',
      advice: 'Approve or reject that on the device first.',
    },
  ],
  [
    'DEVICE_DISCONNECTED',
    {
      what: 'The signer was disconnected. Nothing was sent.',
      advice: 'Connect it again and start over: nothing is signed again automatically.',
    },
  ],
  [
    'REPLY_LOST',
    {
      what: "The signer's answer was lost. Nothing was sent.",
      advice: 'Even if you approved, nothing left this account. Start over.',
    },
  ],
  [
    'GATEWAY_UNREACHABLE',
    {
      what: 'The gateway does not answer.',
      advice: 'Check the connection.',
    },
  ],
  [
    'BROADCAST_UNCERTAIN',
    {
      what: 'The gateway gave no certain answer: the transaction may have been accepted.',
    },
  ],
  [
    'SUBMISSION_INTERRUPTED',
    {
      what: 'Interrupted after you approved.',
    },
  ],
  [
    'NOT_CONFIRMED',
    {
      what: 'The transaction was sent, but no block has it yet.',
      advice: 'It may still be confirmed: see Activity.',
    },
  ],
  [
    'UNSETTLED_PAYMENT',
    {
      what: 'An earlier payment to this recipient may have been made. This one was not sent.',
      advice: 'Check it at the top of this page first. To pay all the same, forget it there.',
    },
  ],
  [
    'FEE_TOO_HIGH',
    {
      what: 'The gateway asks for a fee of more than 0.1 ZBC, the limit of this page. Nothing was signed.',
      advice: 'Compare with another gateway; the command line can allow more, with --max-fee.',
    },
  ],
  [
    'WRONG_CHAIN',
    {
      what: 'The gateway has changed to another chain. Nothing was signed.',
      advice: 'Reload the page if you expected that: it then works for the new chain.',
    },
  ],
  [
    'HASH_MISMATCH',
    {
      what: 'The gateway reports another transaction than the one you approved: possible tampering.',
      advice: 'Do not trust this gateway: check with another one.',
    },
  ],
  [
    'INVALID_SIGNATURE',
    {
      what: 'The signature from the device is not valid. It was discarded.',
      advice: 'Do not use this device if it happens again.',
    },
  ],
  [
    'ADDRESS_MISMATCH',
    { what: 'The address from the device does not belong to its key.', advice: 'Do not use this device.' },
  ],
]);

export function explain(error: unknown): Explanation {
  if (error instanceof ZbcSignerError) {
    const { code, hint, facts, message } = error;
    const known = WORDS.get(code) ?? { what: sentence(message), advice: remedyOf({ code, hint }) };
    const sentences = [known.advice, fateOf(facts)].filter(words => words !== undefined);
    return sentences.length === 0 ? known : { ...known, advice: sentences.join(' ') };
  }
  if (error instanceof PageError) return { what: sentence(error.message) };
  return { what: 'Something went wrong in this page.', advice: sentence(String(error)) };
}

/** The remedy for an approved transaction that this page or another program may have sent. */
function fateOf(facts: ErrorFacts): string | undefined {
  const { sent, transactionHash } = facts;
  if (sent === 'no') return UNSENT;
  // An error without a hash is about a file that cannot be read, from which nothing is kept.
  return adviceOf(facts, transactionHash === undefined ? UNSENT : KEPT);
}

/** An error that the page itself found, in words for its user. */
export class PageError extends Error {
  override readonly name: string = 'PageError';
}

/** The error in a few words. */
export const headline = (error: unknown): string => explain(error).what.replace(/\.(\s.*)?$/, '');

/** Makes an element with the explanation of an error. */
export function describeError(error: unknown): HTMLElement {
  const { what, advice } = explain(error);
  return element(
    'div',
    'bad',
    element('p', '', what),
    ...(advice === undefined ? [] : [element('p', '', advice)]),
    ...hashOf(error),
  );
}

function hashOf(error: unknown): HTMLElement[] {
  const hash = error instanceof ZbcSignerError ? error.facts.transactionHash : undefined;
  return hash === undefined ? [] : [element('p', 'mono', `Transaction ${String(hash)}`)];
}

/** Makes a sentence of a text: with a capital letter at the start and a full stop at the end. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
