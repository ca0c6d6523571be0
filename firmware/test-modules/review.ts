// A module only for tests. It forms reviews with more items than any transaction has, to test an overflow.
import { openReview, REVIEW_TRANSACTION } from '../assembly/handlers/review';
import { apduBuffer, items } from '../assembly/session';

export function buffer(): usize {
  return apduBuffer;
}

export function clear(): void {
  items.clear();
}

/** Adds an item with a value of `length` characters. */
export function add(length: i32): void {
  items.begin('Item');
  for (let i = 0; i < length; i++) items.put(0x61);
}

/** Opens a review of the items. Returns 0, or the length of the refusal if the items did not fit. */
export function open(): i32 {
  return openReview(REVIEW_TRANSACTION, 'Sign transaction', 'Reject transaction');
}
