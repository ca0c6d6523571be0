import { formatStatusWord, refusalReason } from '@zbc-signer/chain';
import * as commands from '@zbc-signer/protocol/commands';
import * as refusalReasons from '@zbc-signer/protocol/refusal-reasons';
import * as statusWords from '@zbc-signer/protocol/status-words';
import { MENU_PAGES, REVIEW_TITLES } from '../generated/screens.js';

/** What of the protocol a test can see. */
export const KINDS = ['title', 'decision', 'menu page', 'refusal reason', 'status word'] as const;

export type Kind = (typeof KINDS)[number];

/** How a review can end. */
export type Verdict = 'approved' | 'rejected' | 'cancelled';

const REVIEWS = new Map<number, string>([
  [commands.INS_GET_PUBLIC_KEY, 'address'],
  [commands.INS_SIGN_TX, 'transaction'],
  [commands.INS_SIGN_MESSAGE, 'message'],
]);
const VERDICTS: readonly Verdict[] = ['approved', 'rejected', 'cancelled'];

const STATUS_NAMES = new Map(Object.entries(statusWords).map(([name, word]) => [word, name]));

/** Everything that the protocol knows, by its name. */
export function knownThings(): Record<Kind, string[]> {
  return {
    title: [...REVIEW_TITLES],
    decision: [...REVIEWS.values()].flatMap(review => VERDICTS.map(verdict => `${review} ${verdict}`)),
    'menu page': MENU_PAGES.map(([title, line]) => nameOfPage(title, line)),
    'refusal reason': Object.values(refusalReasons).map(nameOfReason),
    'status word': Object.values(statusWords).map(nameOfStatus),
  };
}

/** The name of a page of the menu by its texts: a line that varies is not part of it. */
export function nameOfMenuPage([title = '', line]: readonly string[]): string {
  const varies = MENU_PAGES.some(page => page[0] === title && page.length === 1);
  return nameOfPage(title, varies ? undefined : line);
}

/** The title of a page of a review by its texts, without the number of the page. */
export function nameOfTitle([title = '']: readonly string[]): string {
  return title.replace(/ \(\d+\/\d+\)$/, '');
}

/** How a review of a command ended. */
export function nameOfDecision(ins: number, verdict: Verdict): string {
  return `${REVIEWS.get(ins) ?? `command ${ins}`} ${verdict}`;
}

/** A status word in hex, with its name. */
export function nameOfStatus(word: number): string {
  return `${formatStatusWord(word)} ${STATUS_NAMES.get(word) ?? 'unknown'}`;
}

function nameOfReason(number: number): string {
  return refusalReason(number) ?? `reason-${number}`;
}

function nameOfPage(title: string, line: string | undefined): string {
  return line === undefined || line === '' ? title : `${title}: ${line}`;
}
