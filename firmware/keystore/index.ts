// The keystore: a separate module in which the user creates, enters and forgets a seed (docs/KEYSTORE.md). It
// has the display and the buttons until a seed is open. No export accepts bytes from a host, and the seed is
// the only secret that an export returns.
import { BOTH, LEFT } from '../assembly/screen/flow';
import { pressOnPage, showPage } from './device';
import { closeAll, isOpen, returnToMenu } from './menu';
import { EMPTY, go, LOCKED, MENU_TOP, VAULT_FAILED } from './pages';
import { board, checkSeal, OPEN, sealState, seedBytes, state } from './state';
import { beginTask, TASK_NONE, TASK_START } from './task';
import { workSlice } from './work';

const HAS_NOISE = 1;
const HAS_VAULT = 2;
/** Set if display and buttons are a panel at the other end of a UART. Such a board is only for test seeds. */
const IS_TEST = 4;
const CLAIM_AT = 8;
const CLAIM_MASK = 15;
const MAX_CLAIM = 8;
const IDLE_LIMIT = 1800;

/**
 * Starts the keystore. Called once. The bits of `options` describe the board:
 * - bit 0: the board has a source of noise
 * - bit 1: the board has a vault
 * - bit 2: display and buttons are at the other end of a UART
 * - bits 8 to 11: the entropy of a raw byte of noise, 1 to 8 bits
 */
export function boot(options: i32): void {
  const claim = (options >> CLAIM_AT) & CLAIM_MASK;
  board.hasNoise = (options & HAS_NOISE) !== 0;
  board.hasVault = (options & HAS_VAULT) !== 0;
  board.isTest = (options & IS_TEST) !== 0;
  board.claimedBits = claim;
  if (board.hasVault && !board.hasNoise) unreachable();
  if (board.hasNoise && (claim === 0 || claim > MAX_CLAIM)) unreachable();
  if (board.hasVault) beginTask(TASK_START);
  else go(EMPTY, MENU_TOP);
  showPage();
  sealState();
}

/** Handles a button press: 1 is left, 2 is right, 3 is both. Called only while `in_front` returns 1. */
export function button(pressed: i32): void {
  checkSeal();
  if (in_front() === 0 || state.task !== TASK_NONE || pressed < LEFT || pressed > BOTH) return;
  pressOnPage(pressed, ~pressed);
  if (!state.isBehind) showPage();
  sealState();
}

/** Runs a slice of a long computation. Returns 1 if more slices remain. */
export function work(): i32 {
  checkSeal();
  if (state.task === TASK_NONE) return 0;
  const more = workSlice();
  showPage();
  sealState();
  return more ? 1 : 0;
}

/**
 * Called every second with the time since the last button press in the keystore or the signer. After half an
 * hour, the seed and everything that was entered are forgotten.
 */
export function idle(seconds: i32): void {
  checkSeal();
  if (seconds < IDLE_LIMIT || (state.opened === OPEN && state.neverLocks)) return;
  // On these pages, and while the vault is being read, nothing is open or entered. Only a restart ends the
  // page of a vault that has failed, because that vault may hold a seed.
  if (state.page === EMPTY || state.page === LOCKED || state.page === VAULT_FAILED) return;
  if (state.task === TASK_START) return;
  // An interrupted call of the vault may have stored or erased the record.
  const readsAgain = board.hasVault && state.task !== TASK_NONE;
  closeAll();
  if (readsAgain) beginTask(TASK_START);
  showPage();
  sealState();
}

/** Returns 1 if no seed is open for the signer, otherwise 0. */
export function locked(): i32 {
  checkSeal();
  return isOpen() ? 0 : 1;
}

/** Returns the address of the 64-byte seed, or 0 if no seed is open for the signer. */
export function seed(): usize {
  checkSeal();
  return isOpen() ? seedBytes : 0;
}

/** Shows the menu of the open seed. Called when the user leaves the signer. */
export function open_menu(): void {
  checkSeal();
  returnToMenu();
  showPage();
  sealState();
}

/** Returns 1 if the keystore needs the display and the buttons, and 0 if the signer may have them. */
export function in_front(): i32 {
  return state.isBehind && state.opened === OPEN ? 0 : 1;
}
