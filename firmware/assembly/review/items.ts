/** The capacity; the largest review, of an ApprovalEscrow with details, has 25 items. */
const MAX_ITEMS: i32 = 26;
/** The capacity for all formatted values, which are at most 913 characters together. */
const ARENA: i32 = 40 * MAX_ITEMS;

/**
 * An item of a review: a title and a value of ASCII characters, in the arena or, for text that is shown
 * unchanged, in the upload.
 */
@unmanaged
export class Item {
  title: string;
  value: usize;
  length: i32;
  /** Whether to draw it in large type. */
  large: bool;
  /** Whether to draw it in inverse video. */
  inverse: bool;
}

/**
 * The items of a review, all formed before the first is shown. `overflowed` is set if one did not fit, so
 * that an incomplete review is never shown.
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

  /** Adds an item whose value is text that stays in place. */
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

  /** Adds an item with an empty value; text put next becomes its value. */
  begin(title: string): void {
    this.refer(title, this.arena() + this.used, 0);
  }

  /** Makes the last item large. */
  enlarge(): void {
    this.at(this.count - 1).large = true;
  }

  /** Draws the last item in inverse video. */
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

/** Bytes of static memory for a list of items. */
export const ITEMS_SIZE: i32 = <i32>(offsetof<Items>() + MAX_ITEMS * offsetof<Item>() + ARENA);
