// The menus for the three states: no seed, a locked seed, and an open seed
// (docs/KEYSTORE.md#while-a-seed-is-open).
import { FIRMWARE_VERSION } from '../../protocol/src/commands';
import { wipe } from '../assembly/crypto/wipe';
import { BOTH, LEFT } from '../assembly/screen/flow';
import * as texts from './generated/texts';
import { beginChoice, beginMenu, both, left, put, putString } from './layout';
import {
  BACKUP_OTHER,
  BACKUP_RIGHT,
  choosesInMenu,
  EMPTY,
  FINGERPRINT,
  FORGET,
  GOES_BACK,
  GOES_ON,
  go,
  LOCKED,
  MENU_CHECK_BACKUP,
  MENU_NEW,
  MENU_RESTORE,
  MENU_TOP,
  MENU_UNLOCK,
  moveInReading,
  OPENED,
  PASSPHRASE,
  WORD_COUNT,
} from './pages';
import { putFingerprint, takeStretchedSeed } from './passphrase';
import { beginChangePin, beginNewPin, beginUnlock } from './pin';
import { beginRestore } from './restore';
import {
  board,
  CHECK_BACKUP,
  CLOSED,
  CREATE,
  forgetAll,
  forgetEntry,
  freshSeed,
  OPEN,
  RESTORE,
  seedBytes,
  state,
  UNLOCK,
} from './state';
import { beginTask, TASK_ERASE } from './task';

const EMPTY_ENTRIES = 4;
const LOCKED_ENTRIES = 3;
const SEED = 64;

// Entries of the menu of an open seed. A board without a vault has no entries ENTRY_LOCK and ENTRY_PIN.
const ENTRY_OPEN = 0;
const ENTRY_CHECK = 1;
const ENTRY_FINGERPRINT = 2;
const ENTRY_IDLE = 3;
const ENTRY_LOCK = 4;
const ENTRY_PIN = 5;
const ENTRY_FORGET = 6;
const ENTRY_VERSION = 7;
const ENTRIES = 8;
const VAULT_ENTRIES = 2;

/**
 * Forgets the open seed and everything that was entered, and shows the menu for no seed or for a locked seed.
 */
export function closeAll(): void {
  forgetAll();
  go(board.hasRecord ? LOCKED : EMPTY, MENU_TOP);
}

export function composeEmpty(): void {
  beginMenu(emptyName(state.index), state.index, EMPTY_ENTRIES);
  if (state.index === MENU_TOP) put(texts.HAS_NO_SEED);
  else if (state.index === EMPTY_ENTRIES - 1) putVersion();
  else put(texts.PRESS_BOTH);
}

export function pressEmpty(button: i32): void {
  if (!choosesInMenu(button, EMPTY_ENTRIES)) return;
  if (state.index === MENU_NEW) go(WORD_COUNT);
  else if (state.index === MENU_RESTORE) beginRestore(RESTORE);
}

export function composeLocked(): void {
  beginMenu(lockedName(state.index), state.index, LOCKED_ENTRIES);
  if (state.index === MENU_TOP) put(texts.IS_LOCKED);
  else if (state.index === MENU_UNLOCK) put(texts.PRESS_BOTH);
  else putVersion();
}

export function pressLocked(button: i32): void {
  if (choosesInMenu(button, LOCKED_ENTRIES) && state.index === MENU_UNLOCK) beginUnlock();
}

export function composeOpened(): void {
  const entry = entryAt(state.index);
  beginMenu(entryName(entry), state.index, openEntries());
  if (entry === ENTRY_OPEN) put(texts.IS_OPEN);
  else if (entry === ENTRY_FINGERPRINT) putFingerprint(seedBytes);
  else if (entry === ENTRY_IDLE) put(state.neverLocks ? texts.NEVER : texts.AFTER_30_MIN);
  else if (entry === ENTRY_VERSION) putVersion();
  else put(texts.PRESS_BOTH);
}

export function pressOpened(button: i32): void {
  if (!choosesInMenu(button, openEntries())) return;
  const entry = entryAt(state.index);
  if (entry === ENTRY_OPEN) state.isBehind = true;
  else if (entry === ENTRY_CHECK) beginRestore(CHECK_BACKUP);
  else if (entry === ENTRY_IDLE) state.neverLocks = !state.neverLocks;
  else if (entry === ENTRY_LOCK) closeAll();
  else if (entry === ENTRY_PIN) beginChangePin();
  else if (entry === ENTRY_FORGET) go(FORGET);
}

export function composeForget(): void {
  beginChoice(texts.FORGET_SEED);
  left(texts.KEEP_IT);
  both(texts.FORGET_IT);
}

export function pressForget(button: i32): void {
  if (button === LEFT) {
    go(OPENED, openEntries() - 2);
  } else if (button === BOTH) {
    closeAll();
    if (board.hasVault) beginTask(TASK_ERASE);
  }
}

export function composeBackup(): void {
  beginMenu(texts.BACKUP, 0, 1);
  put(state.page === BACKUP_RIGHT ? texts.IS_RIGHT : texts.IS_ANOTHER);
}

export function pressBackup(button: i32): void {
  if (button === BOTH) go(OPENED, MENU_CHECK_BACKUP);
}

/**
 * Called when the seed of words and passphrase is computed. If the user checks a backup, the seed is compared
 * with the open seed. Otherwise its fingerprint is shown for confirmation.
 */
export function endStretch(): void {
  takeStretchedSeed();
  if (state.purpose !== CHECK_BACKUP) {
    go(FINGERPRINT);
    return;
  }
  let difference: u64 = 0;
  for (let i = 0; i < SEED; i += 8) difference |= load<u64>(freshSeed + i) ^ load<u64>(seedBytes + i);
  forgetEntry();
  go(difference === 0 ? BACKUP_RIGHT : BACKUP_OTHER);
}

export function pressFingerprint(button: i32): void {
  const moved = moveInReading(button, 1);
  if (moved === GOES_BACK) {
    wipe(freshSeed, SEED);
    go(PASSPHRASE);
  } else if (moved === GOES_ON) {
    if (board.hasVault && state.purpose !== UNLOCK) beginNewPin();
    else openSeed();
  }
}

/**
 * Makes the computed seed the open seed, and forgets everything else that was entered. No other function
 * opens a seed.
 */
export function openSeed(): void {
  const purpose = state.purpose;
  if (purpose !== CREATE && purpose !== RESTORE && purpose !== UNLOCK) unreachable();
  if (purpose === CREATE && state.word !== state.count) unreachable();
  if (purpose === RESTORE && state.word !== state.count - 1) unreachable();
  if (purpose === UNLOCK && state.unlocked !== OPEN) unreachable();
  memory.copy(seedBytes, freshSeed, SEED);
  forgetEntry();
  state.opened = OPEN;
  state.isBehind = true;
  go(OPENED, MENU_TOP);
}

/** Shows the menu of the open seed, if a seed is open. */
export function returnToMenu(): void {
  if (state.opened !== OPEN) return;
  state.isBehind = false;
  go(OPENED, MENU_TOP);
}

/** Returns whether the signer may have the seed now. */
export function isOpen(): bool {
  if (state.opened !== OPEN && state.opened !== CLOSED) unreachable();
  return state.opened === OPEN && state.isBehind;
}

function openEntries(): i32 {
  return board.hasVault ? ENTRIES : ENTRIES - VAULT_ENTRIES;
}

function entryAt(index: i32): i32 {
  return board.hasVault || index < ENTRY_LOCK ? index : index + VAULT_ENTRIES;
}

function entryName(entry: i32): u32 {
  if (entry === ENTRY_OPEN) return texts.ZBC_SIGNER;
  if (entry === ENTRY_CHECK) return texts.CHECK_BACKUP;
  if (entry === ENTRY_FINGERPRINT) return texts.FINGERPRINT;
  if (entry === ENTRY_IDLE) return texts.IDLE_LOCK;
  if (entry === ENTRY_LOCK) return texts.LOCK;
  if (entry === ENTRY_PIN) return texts.CHANGE_PIN;
  return entry === ENTRY_FORGET ? texts.FORGET_SEED : texts.VERSION;
}

function emptyName(index: i32): u32 {
  if (index === MENU_TOP) return texts.ZBC_SIGNER;
  if (index === MENU_NEW) return texts.NEW_SEED;
  return index === MENU_RESTORE ? texts.RESTORE_SEED : texts.VERSION;
}

function lockedName(index: i32): u32 {
  if (index === MENU_TOP) return texts.ZBC_SIGNER;
  return index === MENU_UNLOCK ? texts.UNLOCK : texts.VERSION;
}

function putVersion(): void {
  putString(FIRMWARE_VERSION);
  if (board.isTest) put(texts.TEST_BOARD);
}
