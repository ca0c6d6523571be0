import { formatStatusWord, refusalReason } from '@zbc-signer/chain';
import * as commands from '@zbc-signer/protocol/commands';
import * as refusalReasons from '@zbc-signer/protocol/refusal-reasons';
import * as statusWords from '@zbc-signer/protocol/status-words';
import { MENU_PAGES, REVIEW_TITLES } from './screens.js';

/** Elements of the protocol that a test can observe. */
export const KINDS = ['title', 'decision', 'menu page', 'refusal reason', 'status word'] as const;

export type Kind = (typeof KINDS)[number];

/** The outcome of a review. */
export type Verdict = 'approved' | 'rejected' | 'cancelled';

const REVIEWS = new Map<number, string>([
  [commands.INS_GET_PUBLIC_KEY, 'address'],
  [commands.INS_SIGN_TX, 'transaction'],
  [commands.INS_SIGN_MESSAGE, 'message'],
  [commands.INS_REGISTER_CONTACT, 'contact'],
]);
const VERDICTS: readonly Verdict[] = ['approved', 'rejected', 'cancelled'];

const STATUS_NAMES = new Map(Object.entries(statusWords).map(([name, word]) => [word, name]));

/** Every element of the protocol, by name. */
export function knownThings(): Record<Kind, string[]> {
  return {
    title: [...REVIEW_TITLES],
    decision: [...REVIEWS.values()].flatMap(review => VERDICTS.map(verdict => `${review} ${verdict}`)),
    'menu page': MENU_PAGES.map(([title, line]) => nameOfPage(title, line)),
    'refusal reason': Object.values(refusalReasons).map(nameOfReason),
    'status word': Object.values(statusWords).map(nameOfStatus),
  };
}

/** The name of a menu page, from its texts. A line that varies, such as the version, is left out. */
export function nameOfMenuPage([title = '', line]: readonly string[]): string {
  const varies = MENU_PAGES.some(page => page[0] === title && page.length === 1);
  return nameOfPage(title, varies ? undefined : line);
}

/** The title of a page of a review, from its texts. The page number is left out. */
export function nameOfTitle([title = '']: readonly string[]): string {
  return title.replace(/ \(\d+\/\d+\)$/, '');
}

/** The name of a command's review with its outcome. */
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
