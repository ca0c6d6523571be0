import { BOTH, LEFT, RIGHT } from './flow';
import { drawTwoLines } from './page';

/** Pages of the idle menu (signer-protocol §3). */
export const MENU_READY = 0;
export const MENU_SETTINGS = 1;
export const MENU_VERSION = 2;
export const MENU_UNKNOWN_CHAINS = 3;

/** The page that a press leads to from `page`. The setting is left by either arrow. */
export function nextMenuPage(page: i32, button: i32): i32 {
  if (page === MENU_UNKNOWN_CHAINS) return button === BOTH ? page : MENU_SETTINGS;
  if (button === RIGHT && page < MENU_VERSION) return page + 1;
  if (button === LEFT && page > MENU_READY) return page - 1;
  return button === BOTH && page === MENU_SETTINGS ? MENU_UNKNOWN_CHAINS : page;
}

/** Draws a page of the menu. */
export function drawMenuPage(page: i32, version: string, refusesUnknownChains: bool): void {
  if (page === MENU_READY) drawTwoLines('ZBC Signer', 'is ready', false, true);
  else if (page === MENU_SETTINGS) drawTwoLines('Settings', '', true, true);
  else if (page === MENU_VERSION) drawTwoLines('Version', version, true, false);
  else drawTwoLines('Unknown chains', refusesUnknownChains ? 'refused' : 'allowed', true, true);
}
