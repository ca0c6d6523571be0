import { Items } from '../review/items';
import { countPages } from './paginate';

/** The effects of a button press on a review, far apart, so that no flipped bit turns one into another. */
export const UNDECIDED: u32 = 0x0ff00ff0;
export const APPROVED: u32 = 0x33cc33cc;
export const REJECTED: u32 = 0x55aa55aa;

/** The platform's button numbers (docs/APDU.md#exports). */
export const LEFT = 1;
export const RIGHT = 2;
export const BOTH = 3;

/**
 * The position in a review: a page of item number `item`, or one and two after the last item, the approve
 * and the reject page. It moves one page at a time, so the approve page is reached only through every page
 * before it.
 */
@unmanaged
export class Position {
  item: i32;
  page: i32;
  pages: i32;
  /** Pages from here to the approve page, counted independently; −1 on the reject page. */
  ahead: i32;
  /** The complement of the button that was pressed last. */
  notPressed: i32;

  open(items: Items): void {
    this.ahead = 0;
    for (let i = 0; i < items.count; i++) this.ahead += countPages(items.at(i));
    this.enter(items, 0);
  }

  /** Whether an approval is due according to the fields that `decide` does not read. */
  confirmsApproval(): bool {
    return this.ahead === 0 && this.notPressed === ~BOTH;
  }

  isApprovePage(items: Items): bool {
    return this.item === items.count;
  }

  isRejectPage(items: Items): bool {
    return this.item === items.count + 1;
  }

  /** Moves to the next or the previous page; neither wraps. */
  move(items: Items, button: i32): void {
    if (button === RIGHT) this.forward(items);
    else if (button === LEFT) this.back(items);
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

/** The decision of a press: both buttons, only on the approve or the reject page. */
export function decide(position: Position, items: Items, button: i32): u32 {
  if (button !== BOTH) return UNDECIDED;
  if (position.isApprovePage(items)) return APPROVED;
  return position.isRejectPage(items) ? REJECTED : UNDECIDED;
}
