// The pages, and functions that change the page. The values of any two pages differ in several bits, so that
// a flipped bit does not turn one into another. device.ts has the table of the functions for each page.
import { BOTH, LEFT, RIGHT } from '../assembly/screen/flow';
import { state } from './state';

// Menus of a board without an open seed
export const EMPTY: u32 = 0x01010101;
export const LOCKED: u32 = 0x02020202;

// The keystore's menu while the seed is open
export const OPENED: u32 = 0x03030303;
export const FORGET: u32 = 0x04040404;
export const BACKUP_RIGHT: u32 = 0x05050505;
export const BACKUP_OTHER: u32 = 0x06060606;

// Creation of a new seed
export const WORD_COUNT: u32 = 0x07070707;
export const RANDOMNESS: u32 = 0x08080808;
export const DEVICE_PART: u32 = 0x09090909;
export const EVENT: u32 = 0x0a0a0a0a;
export const RECORDED: u32 = 0x0b0b0b0b;
export const NOT_RANDOM: u32 = 0x0c0c0c0c;
export const WORDS: u32 = 0x0d0d0d0d;
export const DISCARD: u32 = 0x0e0e0e0e;
export const QUESTION: u32 = 0x0f0f0f0f;
export const WRONG_WORD: u32 = 0x10101010;

// Entry of words
export const COUNTS: u32 = 0x11111111;
export const RANGE: u32 = 0x12121212;
export const KEEP: u32 = 0x13131313;

// Entry of a passphrase, and the fingerprint of the resulting seed
export const PASSPHRASE: u32 = 0x14141414;
export const CHARACTER: u32 = 0x15151515;
export const PASSPHRASE_SHOWN: u32 = 0x16161616;
export const PASSPHRASE_USE: u32 = 0x17171717;
export const FINGERPRINT: u32 = 0x18181818;

// Entry of a PIN
export const PIN_GROUP: u32 = 0x19191919;
export const PIN_DIGIT: u32 = 0x1a1a1a1a;
export const PIN_TRY: u32 = 0x1b1b1b1b;
export const PINS_DIFFER: u32 = 0x1c1c1c1c;
export const WRONG_PIN: u32 = 0x1d1d1d1d;
export const ERASED: u32 = 0x1e1e1e1e;

// Computations, and failures of the board
export const WAIT: u32 = 0x1f1f1f1f;
export const NOISE_FAILED: u32 = 0x20202020;
export const VAULT_FAILED: u32 = 0x21212121;

// Indexes of menu entries to which other files return.
export const MENU_TOP = 0;
export const MENU_NEW = 1;
export const MENU_RESTORE = 2;
export const MENU_UNLOCK = 1;
export const MENU_CHECK_BACKUP = 1;

/** The effects of a press on a reading, as moveInReading returns them. */
export const STAYS = 0;
export const GOES_ON = 1;
export const GOES_BACK = 2;

/** Selects the page to show. `index` is the page number within a menu or a reading. */
export function go(page: u32, index: i32 = 0): void {
  state.page = page;
  state.index = index;
}

/**
 * Moves within a menu of `count` pages. Returns whether both buttons were pressed, which selects the entry.
 */
export function choosesInMenu(button: i32, count: i32): bool {
  if (button === LEFT && state.index > 0) state.index -= 1;
  else if (button === RIGHT && state.index + 1 < count) state.index += 1;
  return button === BOTH;
}

/** Moves within a reading of `count` pages. Returns GOES_BACK or GOES_ON if the press leaves the reading. */
export function moveInReading(button: i32, count: i32): i32 {
  if (button === BOTH) return STAYS;
  if (button === LEFT && state.index === 0) return GOES_BACK;
  if (button === RIGHT && state.index + 1 === count) return GOES_ON;
  state.index += button === RIGHT ? 1 : -1;
  return STAYS;
}

/** Returns the number of pages for this many lines. */
export function pagesOf(lines: i32): i32 {
  return (lines + 3) / 4;
}
