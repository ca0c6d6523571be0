import { MAX_APDU, REPORT_LENGTH } from '../../protocol/src/limits';
import { dispatch } from './apdu/dispatch';
import { pressInReview } from './apdu/press';
import { giveReport, takeReport } from './apdu/report';
import { wipe } from './crypto/wipe';
import { pressInMenu, showMenu } from './handlers/menu';
import { closeReview, isReviewing } from './handlers/review';
import { loadSettings } from './handlers/settings';
import { forgetAddress } from './review/address';
import { checkSeal, clearCommand, sealState } from './seal';
import { apduBuffer, link, menu, reportBuffer } from './session';
import { NO_CHANNEL } from './transport/link';

/** Set before `boot` by a platform whose loader checked the counter; the menu shows it unless it is 0. */
export function security_counter(counter: u32): void {
  menu.securityCounter = counter;
}

/** Called before `boot` by a platform with a keystore in front of the signer. */
export function allow_quit(): void {
  menu.canQuit = true;
}

/** Starts the app, once, and draws the menu. */
export function boot(): void {
  link.clear();
  loadSettings();
  showMenu();
  sealState();
}

/** The address where a command is written and its reply is read. */
export function buffer(): usize {
  return apduBuffer;
}

/** Answers the `length` bytes in the buffer: the length of the reply, or 0 while the user decides. */
export function command(length: i32): i32 {
  checkSeal();
  link.drop();
  const replied = dispatch(length);
  if (replied === 0) link.pending = NO_CHANNEL;
  link.owner = NO_CHANNEL;
  sealState();
  return replied;
}

/** The address where a report of 64 bytes is written and read. */
export function report_buffer(): usize {
  return reportBuffer;
}

/**
 * Takes the report in the buffer, which came over the link of this number, from 0 to 32767: returns 1 if a
 * reply can be read by `reply_report`, which must happen before the next report. Reports out of order are
 * ignored, and so are those of other commands while one is incomplete.
 */
export function report(from: i32): i32 {
  checkSeal();
  if (link.isCancelled(reportBuffer, from, isReviewing())) {
    drop();
    return 0;
  }
  const replied = takeReport(from);
  sealState();
  return replied ? 1 : 0;
}

/**
 * Writes the next report of the reply to the buffer, on the channel of its command; returns 0 if there is
 * none.
 */
export function reply_report(): i32 {
  checkSeal();
  const given = giveReport();
  sealState();
  return given ? 1 : 0;
}

/**
 * Takes a press of 1 left, 2 right or 3 both: returns the length of the reply if it decided a pending
 * command, otherwise 0.
 */
export function button(pressed: i32): i32 {
  checkSeal();
  let replied = 0;
  if (isReviewing()) replied = pressInReview(pressed);
  else pressInMenu(pressed);
  sealState();
  return replied;
}

/** Drops the unfinished work of a host that is gone. */
export function cancel(): void {
  checkSeal();
  drop();
}

/**
 * Called when display and buttons are the signer's again, or the seed is forgotten: drops all data of a
 * command, and shows the menu.
 */
export function resume(): void {
  checkSeal();
  link.clear();
  clearCommand();
  wipe(apduBuffer, MAX_APDU + 3);
  wipe(reportBuffer, REPORT_LENGTH);
  forgetAddress();
  showMenu();
  sealState();
}

function drop(): void {
  link.clear();
  if (isReviewing()) closeReview();
  else clearCommand();
  sealState();
}
