import { type Entry, readActivity } from '../activity.js';
import { element, foldedFacts } from '../dom.js';
import { formatMoment, shorten } from '../format.js';
import { t } from '../language.js';
import type { Wallet } from '../wallet.js';
import { fillList } from './listing.js';

/** On Home. */
const LATEST = 5;

/** The account's entries: all that are known, by day, and the latest on Home. */
export class ActivityView {
  constructor(private readonly wallet: Wallet) {}

  /** Asks the gateway when the place is opened. */
  async open(): Promise<void> {
    await this.#fill('activity', entries => this.#byDay(entries));
  }

  async openLatest(): Promise<void> {
    const style = { dateStyle: 'medium', timeStyle: 'short' } as const;
    await this.#fill('latest', entries =>
      entries.slice(0, LATEST).map(entry => this.#describe(entry, style)),
    );
  }

  async #fill(list: string, describe: (entries: Entry[]) => HTMLElement[]): Promise<void> {
    const { account } = this.wallet;
    if (account === undefined) return;
    await fillList(list, async () => describe(await readActivity(this.wallet, account)));
  }

  #byDay(entries: Entry[]): HTMLElement[] {
    let last = '';
    return entries.flatMap(entry => {
      const day = dayOf(entry);
      const heading = day === last ? [] : [element('li', 'day', day)];
      last = day;
      return [...heading, this.#describe(entry, { timeStyle: 'short' })];
    });
  }

  #describe(entry: Entry, style: Intl.DateTimeFormatOptions): HTMLElement {
    const { what, other, amount, token, isIn, timestamp, details } = entry;
    const told = [
      ...(other === undefined ? [] : [isIn ? t`from ${this.#nameOf(other)}` : t`to ${this.#nameOf(other)}`]),
      ...(timestamp === undefined ? [] : [formatMoment(timestamp, style)]),
      ...(token === undefined ? [] : [token]),
    ];
    const shown = element(
      'div',
      'entry',
      element('strong', '', what),
      element(
        'span',
        isIn ? 'value in' : 'value',
        amount === undefined ? '' : `${isIn ? '+' : '−'}${amount}`,
      ),
      element('span', 'hint', told.join(' · ')),
    );
    return element('li', '', foldedFacts(details, shown));
  }

  #nameOf(address: string): string {
    return this.wallet.nameOf(address) ?? shorten(address);
  }
}

function dayOf({ timestamp }: Entry): string {
  return timestamp === undefined ? t`Not in a block yet` : formatMoment(timestamp, { dateStyle: 'full' });
}
