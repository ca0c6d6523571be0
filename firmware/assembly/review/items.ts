/** Capacity of the list of items. The largest review, an ApprovalEscrow with details, has 25 items. */
const MAX_ITEMS: i32 = 26;
/**
 * Capacity in characters for all formatted values of a review, which have at most 913 characters in total.
 */
const ARENA: i32 = 40 * MAX_ITEMS;

/**
 * An item of a review: a title, and a value of ASCII characters. Formatted values are in the arena of
 * `Items`. The value of a text that is shown unchanged is in the upload buffer.
 */
@unmanaged
export class Item {
  title: string;
  value: usize;
  length: i32;
  /** Whether to draw the value in large type. */
  large: bool;
  /** Whether to draw the value in inverse video. */
  inverse: bool;
}

/**
 * The items of a review. All items are formed before the first one is shown. If an item does not fit,
 * `overflowed` is set, and the review is not shown.
 */
@unmanaged
export class Items {
  count: i32;
  used: i32;
  overflowed: bool;

  clear(): void {
    this.count = 0;
    this.used = 0;
    this.overflowed = false;
  }

  at(index: i32): Item {
    return changetype<Item>(changetype<usize>(this) + offsetof<Items>() + index * offsetof<Item>());
  }

  /** Adds an item whose value is the text at `value`, which is not copied. */
  refer(title: string, value: usize, length: i32): void {
    if (this.count === MAX_ITEMS) {
      this.overflowed = true;
      return;
    }
    const item = this.at(this.count);
    item.title = title;
    item.value = value;
    item.length = length;
    item.large = false;
    item.inverse = false;
    this.count += 1;
  }

  /** Adds an item with an empty value. Characters that are put next are appended to this value. */
  begin(title: string): void {
    this.refer(title, this.arena() + this.used, 0);
  }

  /** Marks the last item to be drawn in large type. */
  enlarge(): void {
    this.at(this.count - 1).large = true;
  }

  /** Marks the last item to be drawn in inverse video. */
  invert(): void {
    this.at(this.count - 1).inverse = true;
  }

  /** Appends a character to the value of the last item. */
  put(character: u32): void {
    if (this.used === ARENA) {
      this.overflowed = true;
      return;
    }
    store<u8>(this.arena() + this.used, character);
    this.used += 1;
    this.at(this.count - 1).length += 1;
  }

  private arena(): usize {
    return changetype<usize>(this) + offsetof<Items>() + MAX_ITEMS * offsetof<Item>();
  }
}

/** Number of bytes of static memory for a list of items. */
export const ITEMS_SIZE: i32 = <i32>(offsetof<Items>() + MAX_ITEMS * offsetof<Item>() + ARENA);
