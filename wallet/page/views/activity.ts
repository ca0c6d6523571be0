import { Entries, type Entry, formatEntries, readNewest, signedAmount } from '../activity.js';
import { element, find, foldedFacts, input, onClick, part } from '../dom.js';
import { saveFile } from '../files.js';
import { formatMoment, formatUtc, shorten } from '../format.js';
import { t } from '../language.js';
import type { Wallet } from '../wallet.js';
import { describeError } from '../words.js';
import { fillList } from './listing.js';

/** Number of entries in a short list. */
const LATEST = 5;
/** Time between two redraws of the list while blocks are read. */
const DRAWN_EVERY_MS = 500;
const LATEST_STYLE = { dateStyle: 'medium', timeStyle: 'short' } as const;

/**
 * The account's entries. Activity lists all by day, Home the latest, and Receive the latest that were
 * received.
 */
export class ActivityView {
  #formed: Entries | undefined;
  /** The elements that were made since Activity was opened, by entry. */
  #drawn = new WeakMap<Entry, HTMLElement>();
  #drawnAt = 0;

  constructor(private readonly wallet: Wallet) {
    input('activity-search').addEventListener('input', () => void this.#draw());
    onClick('activity-save', () => this.#save());
  }

  /** Reads the entries when the user opens Activity. */
  async open(): Promise<void> {
    try {
      await this.#readNewest();
    } catch (error) {
      await fillList('activity', () => Promise.reject(error));
      return;
    }
    await this.#draw();
    await this.wallet.activity.read(() => {
      if (Date.now() - this.#drawnAt < DRAWN_EVERY_MS) return;
      this.#drawnAt = Date.now();
      void this.#draw();
    });
    // Reading the activity has updated the state of each escrow, because an escrow may have been decided after its
    // block was made.
    this.#formed = this.#formed?.anew();
    await this.#draw();
  }

  /**
   * Lists the latest entries, from the gateway and from this browser's storage. Only Activity reads blocks.
   */
  async openLatest(list: 'latest' | 'received'): Promise<void> {
    await fillList(list, async () => {
      await Promise.all([this.#readNewest(), this.wallet.activity.load()]);
      const entries = this.#entries().filter(({ isIn }) => isIn || list === 'latest');
      return entries.slice(0, LATEST).map(entry => this.#describe(entry, LATEST_STYLE));
    });
  }

  async #readNewest(): Promise<void> {
    this.#formed = new Entries(this.wallet, await readNewest(this.wallet));
    this.#drawn = new WeakMap();
  }

  #entries(): Entry[] {
    const { account } = this.wallet;
    return account === undefined ? [] : (this.#formed?.of(account) ?? []);
  }

  async #draw(): Promise<void> {
    const sought = input('activity-search').value.trim().toLowerCase();
    const isSought = (entry: Entry) => sought === '' || this.#textOf(entry).toLowerCase().includes(sought);
    await fillList('activity', async () => this.#byDay(this.#entries().filter(isSought)));
    this.#drawProgress();
  }

  /** Shows the block from which on the list is complete. */
  #drawProgress(): void {
    const { progress, error } = this.wallet.activity;
    const bar = find('activity-progress', HTMLProgressElement);
    bar.hidden = progress === undefined || progress.from === 0n || error !== undefined;
    const state = part('activity-state');
    state.replaceChildren(
      progress === undefined
        ? t`Only the newest 100 transactions of the chain were searched.`
        : progress.from === 0n
          ? t`Complete: every block of the chain was read.`
          : t`Complete from block ${progress.from} on.`,
    );
    if (error !== undefined) state.append(' ', describeError(error));
    if (progress === undefined) return;
    bar.max = Number(progress.newest);
    bar.value = Number(progress.newest - progress.from);
  }

  #byDay(entries: Entry[]): HTMLElement[] {
    let last = '';
    return entries.flatMap(entry => {
      const day = dayOf(entry);
      const heading = day === last ? [] : [element('li', 'day', day)];
      last = day;
      return [...heading, this.#drawOnce(entry)];
    });
  }

  #drawOnce(entry: Entry): HTMLElement {
    const item = this.#drawn.get(entry) ?? this.#describe(entry, { timeStyle: 'short' });
    this.#drawn.set(entry, item);
    return item;
  }

  #describe(entry: Entry, style: Intl.DateTimeFormatOptions): HTMLElement {
    const { what, other, token, isIn, timestamp, details } = entry;
    const told = [
      ...(other === undefined ? [] : [isIn ? t`from ${this.#nameOf(other)}` : t`to ${this.#nameOf(other)}`]),
      ...(timestamp === undefined ? [] : [formatMoment(timestamp, style)]),
      ...(token === undefined ? [] : [token]),
    ];
    const hint = element('span', 'hint', told.join(' · '));
    if (timestamp !== undefined) hint.title = formatUtc(timestamp);
    const shown = element(
      'div',
      'entry',
      element('strong', '', what),
      element('span', isIn ? 'value in' : 'value', signedAmount(entry)),
      hint,
    );
    return element('li', '', foldedFacts(details, shown));
  }

  /** The text of an entry that a search compares. */
  #textOf(entry: Entry): string {
    const name = entry.other === undefined ? '' : this.#nameOf(entry.other);
    return [entry.what, signedAmount(entry), entry.token, name, entry.other, ...entry.details.flat()].join(
      ' ',
    );
  }

  #save(): void {
    const text = formatEntries(this.#entries(), address => this.wallet.nameOf(address));
    saveFile('activity.csv', text, 'text/csv');
  }

  #nameOf(address: string): string {
    return this.wallet.nameOf(address) ?? shorten(address);
  }
}

function dayOf({ timestamp }: Entry): string {
  return timestamp === undefined ? t`Not in a block yet` : formatMoment(timestamp, { dateStyle: 'full' });
}
