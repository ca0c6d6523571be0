import { BOTH, LEFT, RIGHT } from './flow';
import { showNumber, showTwoLines } from './page';

/** Pages of the idle menu, and of the settings, each in a row. */
export const MENU_READY = 0;
export const MENU_SETTINGS = 1;
export const MENU_VERSION = 2;
export const MENU_COUNTER = 3;
export const MENU_UNKNOWN_CHAINS = 4;
export const MENU_DETAILS = 5;
export const MENU_BACK = 6;

/** The page that a press leads to from `page`; `last` is the last of the idle menu. */
export function nextMenuPage(page: i32, button: i32, last: i32): i32 {
  if (button === RIGHT && hasRight(page, last)) return page + 1;
  if (button === LEFT && hasLeft(page)) return page - 1;
  if (button === BOTH && page === MENU_SETTINGS) return MENU_UNKNOWN_CHAINS;
  return button === BOTH && page === MENU_BACK ? MENU_READY : page;
}

/** Draws a page of the menu. */
export function drawMenuPage(page: i32, upper: string, lower: string, last: i32): void {
  showTwoLines(upper, lower, hasLeft(page), hasRight(page, last));
}

/** Draws the last page of the idle menu of a platform with a loader. */
export function drawCounterPage(counter: u32): void {
  showNumber('Security counter', counter, true, false);
}

function hasLeft(page: i32): bool {
  return page !== MENU_READY && page !== MENU_UNKNOWN_CHAINS;
}

function hasRight(page: i32, last: i32): bool {
  return page !== last && page !== MENU_BACK;
}
