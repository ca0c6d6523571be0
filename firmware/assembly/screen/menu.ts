import { BOTH, LEFT, RIGHT } from './flow';
import { showNumber, showTwoLines } from './page';

/** Pages of the idle menu and of the settings. */
export const MENU_READY = 0;
export const MENU_SETTINGS = 1;
export const MENU_VERSION = 2;
export const MENU_COUNTER = 3;
export const MENU_QUIT = 4;
export const MENU_UNKNOWN_CHAINS = 5;
export const MENU_DETAILS = 6;
export const MENU_CONTACTS_ONLY = 7;
export const MENU_BACK = 8;

/**
 * Returns the page that follows a press on `page`. `last` is the last page of the idle menu. `hasCounter` is
 * whether the idle menu has the page of the security counter.
 */
export function nextMenuPage(page: i32, button: i32, last: i32, hasCounter: bool): i32 {
  if (button === RIGHT && hasRight(page, last))
    return page === MENU_VERSION && !hasCounter ? MENU_QUIT : page + 1;
  if (button === LEFT && hasLeft(page)) return page === MENU_QUIT && !hasCounter ? MENU_VERSION : page - 1;
  if (button === BOTH && page === MENU_SETTINGS) return MENU_UNKNOWN_CHAINS;
  return button === BOTH && page === MENU_BACK ? MENU_READY : page;
}

/** Draws a page of the menu. */
export function drawMenuPage(page: i32, upper: string, lower: string, last: i32): void {
  showTwoLines(upper, lower, hasLeft(page), hasRight(page, last));
}

/** Draws the page of the security counter. */
export function drawCounterPage(counter: u32, last: i32): void {
  showNumber('Security counter', counter, true, hasRight(MENU_COUNTER, last));
}

function hasLeft(page: i32): bool {
  return page !== MENU_READY && page !== MENU_UNKNOWN_CHAINS;
}

function hasRight(page: i32, last: i32): bool {
  return page !== last && page !== MENU_BACK;
}
