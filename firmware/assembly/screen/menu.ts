import { BOTH, LEFT, RIGHT } from './flow';
import { drawTwoLines } from './page';

/** Pages of the idle menu, and of the settings, each in a row. */
export const MENU_READY = 0;
export const MENU_SETTINGS = 1;
export const MENU_VERSION = 2;
export const MENU_UNKNOWN_CHAINS = 3;
export const MENU_DETAILS = 4;
export const MENU_BACK = 5;

const ROW = 3;

/** The page that a press leads to from `page`. */
export function nextMenuPage(page: i32, button: i32): i32 {
  if (button === RIGHT && hasRight(page)) return page + 1;
  if (button === LEFT && hasLeft(page)) return page - 1;
  if (button === BOTH && page === MENU_SETTINGS) return MENU_UNKNOWN_CHAINS;
  return button === BOTH && page === MENU_BACK ? MENU_READY : page;
}

/** Draws a page of the menu. */
export function drawMenuPage(page: i32, upper: string, lower: string): void {
  drawTwoLines(upper, lower, hasLeft(page), hasRight(page));
}

function hasLeft(page: i32): bool {
  return page % ROW !== 0;
}

function hasRight(page: i32): bool {
  return page % ROW !== ROW - 1;
}
