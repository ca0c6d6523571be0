import { Items } from '../review/items';
import { countPages } from './paginate';

/**
 * The effects of a button press on a review. They differ in many bits, so that a flipped bit does not turn
 * one into another.
 */
export const UNDECIDED: u32 = 0x0ff00ff0;
export const APPROVED: u32 = 0x33cc33cc;
export const REJECTED: u32 = 0x55aa55aa;

/** The platform's button numbers (docs/APDU.md#exports). */
export const LEFT = 1;
export const RIGHT = 2;
export const BOTH = 3;

/**
 * The position in a review: page `page` of item `item`. If `item` is the number of items, the position is the
 * approve page; if `item` is one more, the position is the reject page. The position moves one page at a
 * time, so the approve page is reached only through all preceding pages.
 */
@unmanaged
export class Position {
  item: i32;
  page: i32;
  pages: i32;
  /**
   * Number of pages to the approve page, counted independently of the other fields. −1 on the reject page.
   */
  ahead: i32;
  /** The complement of the button that was pressed last. */
  notPressed: i32;

  open(items: Items): void {
    this.ahead = 0;
    for (let i = 0; i < items.count; i++) this.ahead += countPages(items.at(i));
    this.enter(items, 0);
  }

  /** Returns whether an approval is correct according to the fields that `decide` does not read. */
  confirmsApproval(): bool {
    return this.ahead === 0 && this.notPressed === ~BOTH;
  }

  isApprovePage(items: Items): bool {
    return this.item === items.count;
  }

  isRejectPage(items: Items): bool {
    return this.item === items.count + 1;
  }

  /** Moves to the next or the previous page. The first and the last page are not connected. */
  move(items: Items, button: i32): void {
    if (button === RIGHT) this.forward(items);
    else if (button === LEFT) this.back(items);
  }

  /** Traps if `page` or `pages` does not fit the item, which only a fault can cause. */
  check(items: Items): void {
    const pages = this.item < items.count ? countPages(items.at(this.item)) : 1;
    if (this.pages !== pages || <u32>this.page >= <u32>pages) unreachable();
  }

  private forward(items: Items): void {
    if (this.ahead >= 0) this.ahead -= 1;
    if (this.page + 1 < this.pages) this.page += 1;
    else if (!this.isRejectPage(items)) this.enter(items, this.item + 1);
  }

  private back(items: Items): void {
    if (this.page === 0 && this.item === 0) return;
    this.ahead += 1;
    if (this.page > 0) {
      this.page -= 1;
    } else {
      this.enter(items, this.item - 1);
      this.page = this.pages - 1;
    }
  }

  private enter(items: Items, item: i32): void {
    this.item = item;
    this.page = 0;
    this.pages = item < items.count ? countPages(items.at(item)) : 1;
  }
}

/** Returns the effect of a press. Only both buttons, on the approve or the reject page, decide a review. */
export function decide(position: Position, items: Items, button: i32): u32 {
  if (button !== BOTH) return UNDECIDED;
  if (position.isApprovePage(items)) return APPROVED;
  return position.isRejectPage(items) ? REJECTED : UNDECIDED;
}
