import { toHex } from '@zbc-signer/chain';
import {
  type AccountMovement,
  formatCsv,
  formatUtc,
  type GatewayLists,
  isDetermined,
} from '@zbc-signer/host';
import { nameOf } from '../accounts.js';
import { type Entry, entryOf, movementsOf, readLists } from '../activity.js';
import type { ActivityReader } from '../activity-reader.js';
import { assetMark, element, find, foldedFacts, input, onClick, part } from '../dom.js';
import { saveFile } from '../files.js';
import { formatMoment, shorten, shortId } from '../format.js';
import { shownAccount } from '../state.js';
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
  #lists: GatewayLists | undefined;
  /** What was shown since Activity was opened, by the movement as text. */
  #shown = new Map<string, Shown>();
  #drawnAt = 0;

  constructor(
    private readonly wallet: Wallet,
    private readonly activity: ActivityReader,
  ) {
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
    await this.activity.read(() => {
      if (Date.now() - this.#drawnAt < DRAWN_EVERY_MS) return;
      this.#drawnAt = Date.now();
      void this.#draw();
    });
    await this.#draw();
  }

  /**
   * Lists the latest entries, from the gateway and from this browser's storage. Only Activity reads blocks.
   */
  async openLatest(list: 'latest' | 'received'): Promise<void> {
    await fillList(list, async () => {
      await Promise.all([this.#readNewest(), this.activity.load()]);
      const shown = this.#listed().filter(({ entry }) => entry.isIn || list === 'latest');
      return shown.slice(0, LATEST).map(each => this.#describe(each, LATEST_STYLE));
    });
  }

  async #readNewest(): Promise<void> {
    this.#lists = await readLists(this.activity, this.wallet.gateway);
    this.#shown = new Map();
  }

  #listed(): Shown[] {
    const address = shownAccount(this.wallet.state)?.address ?? '';
    const repeated = new Map<string, number>();
    return movementsOf(this.wallet.state, this.activity.span, this.#lists).map(movement => {
      const key = keyOf(movement);
      const count = (repeated.get(key) ?? 0) + 1;
      repeated.set(key, count);
      const shown = this.#shown.get(`${key} ${count}`) ?? {
        movement,
        entry: entryOf(this.wallet.state, movement, address),
      };
      this.#shown.set(`${key} ${count}`, shown);
      return shown;
    });
  }

  async #draw(): Promise<void> {
    const sought = input('activity-search').value.trim().toLowerCase();
    const isSought = (shown: Shown) => sought === '' || this.#textOf(shown).toLowerCase().includes(sought);
    const listed = this.#listed();
    await fillList('activity', async () => this.#byDay(listed.filter(isSought)));
    this.#drawProgress(listed.map(({ movement }) => movement));
  }

  /** Shows which blocks were read, and whether they determine all movements. */
  #drawProgress(movements: readonly AccountMovement[]): void {
    const { progress, error, span } = this.activity;
    const bar = find('activity-progress', HTMLProgressElement);
    bar.hidden = progress === undefined || progress.from === 0n || error !== undefined;
    const state = part('activity-state');
    state.replaceChildren(
      progress === undefined
        ? 'Only the newest 100 transactions of the chain were searched.'
        : progress.from === 0n
          ? 'Every block of the chain was read.'
          : `Every block from ${progress.from} on was read.`,
    );
    if (progress !== undefined && span !== undefined) {
      const isKnown = isDetermined(span, movements);
      state.append(
        ' ',
        isKnown
          ? "Payments, fees and escrows are complete. Of the chain's rewards, only the newest 100 movements were searched."
          : 'The blocks do not determine every movement, so the list may be incomplete.',
      );
    }
    if (error !== undefined) state.append(' ', describeError(error));
    if (progress === undefined) return;
    bar.max = Number(progress.newest);
    bar.value = Number(progress.newest - progress.from);
  }

  #byDay(listed: Shown[]): HTMLElement[] {
    let last = '';
    return listed.flatMap(shown => {
      const day = dayOf(shown.movement);
      const heading = day === last ? [] : [element('li', 'day hint', day)];
      last = day;
      shown.drawn ??= this.#describe(shown, { timeStyle: 'short' });
      return [...heading, shown.drawn];
    });
  }

  #describe({ entry, movement }: Shown, style: Intl.DateTimeFormatOptions): HTMLElement {
    const { what, amount = '', token, isIn, details } = entry;
    const { counterparty: other, timestamp, tokenId } = movement;
    const isFrom = isIn || movement.transaction?.sender === other;
    const told = [
      ...(other === undefined ? [] : [isFrom ? `from ${this.#nameOf(other)}` : `to ${this.#nameOf(other)}`]),
      ...(timestamp === undefined ? [] : [formatMoment(timestamp, style)]),
      ...(token === undefined ? [] : [`token ${shortId(tokenId)}`]),
    ];
    const hint = element('span', 'hint', told.join(' · '));
    if (timestamp !== undefined) hint.title = formatUtc(timestamp);
    const shown = element(
      'div',
      'entry',
      assetMark(tokenId, token === undefined ? 'ZBC' : amount.replace(/.* /, '')),
      element('strong', '', what),
      element('span', isIn ? 'value in' : 'value', amount),
      hint,
    );
    const whole = token === undefined ? details : [['Token', `${tokenId}`] as const, ...details];
    return element('li', '', foldedFacts(whole, shown));
  }

  /** The text of an entry that a search compares. */
  #textOf({ entry, movement: { counterparty = '' } }: Shown): string {
    const { what, amount, token, details } = entry;
    const name = counterparty === '' ? '' : this.#nameOf(counterparty);
    return [what, amount, token, name, counterparty, ...details.flat()].join(' ');
  }

  #save(): void {
    const movements = this.#listed().map(({ movement }) => movement);
    saveFile('activity.csv', formatCsv(movements.reverse(), this.wallet.state.tokens), 'text/csv');
  }

  #nameOf(address: string): string {
    return nameOf(this.wallet, address) ?? shorten(address);
  }
}

/** A movement as the page shows it. */
interface Shown {
  movement: AccountMovement;
  entry: Entry;
  drawn?: HTMLElement;
}

/** What distinguishes a movement from others, and from its own earlier status. */
function keyOf({ transactionHash, kind, tokenId, amount, status, height }: AccountMovement): string {
  return [transactionHash && toHex(transactionHash), kind, tokenId, amount, status, height].join(' ');
}

function dayOf({ height, timestamp }: AccountMovement): string {
  return height === undefined || timestamp === undefined
    ? 'Not in a block yet'
    : formatMoment(timestamp, { dateStyle: 'full' });
}
