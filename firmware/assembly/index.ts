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
import { apduBuffer, incomingBytes, link, menu, reportBuffer } from './session';
import { channelOf, INCOMING_BYTES, NO_CHANNEL } from './transport/link';

/**
 * Sets the security counter, which the menu shows unless it is 0. A platform whose loader checked the counter
 * calls this function before `boot`.
 */
export function security_counter(counter: u32): void {
  menu.securityCounter = counter;
}

/**
 * Called before `boot` by a platform with a keystore. The menu then has a page that leads to the keystore.
 */
export function allow_quit(): void {
  menu.canQuit = true;
}

/** Starts the app and draws the menu. Call it once. */
export function boot(): void {
  link.clear();
  loadSettings();
  showMenu();
  sealState();
}

/** Returns the address where a command is written and its reply is read. */
export function buffer(): usize {
  return apduBuffer;
}

/**
 * Answers the command of `length` bytes in the buffer. Returns the length of the reply, or 0 while the user
 * decides.
 */
export function command(length: i32): i32 {
  checkSeal();
  link.replyLength = 0;
  const replied = dispatch(length, NO_CHANNEL);
  if (replied === 0) link.pending = NO_CHANNEL;
  sealState();
  return replied;
}

/** Returns the address where a report of 64 bytes is written and read. */
export function report_buffer(): usize {
  return reportBuffer;
}

/**
 * Accepts the report in the buffer. `from` is the number of the link over which it arrived, 0 to 32767.
 * Returns 1 if a reply is ready. The caller must then read the reply with `reply_report` before the next
 * report. A report whose command is not complete, because a report before it is missing, is answered
 * BAD_STATE.
 */
export function report(from: i32): i32 {
  checkSeal();
  if (link.isCancelled(reportBuffer, channelOf(reportBuffer, from), isReviewing())) {
    drop();
    return 0;
  }
  const replied = takeReport(from);
  sealState();
  return replied ? 1 : 0;
}

/**
 * Writes the next report of the reply to the buffer, on the channel of its command. Returns 0 after the last
 * report.
 */
export function reply_report(): i32 {
  checkSeal();
  const given = giveReport();
  sealState();
  return given ? 1 : 0;
}

/**
 * Handles a button press: 1 is left, 2 is right, 3 is both. Returns the length of the reply if the press
 * decided a pending command, otherwise 0.
 */
export function button(pressed: i32): i32 {
  checkSeal();
  let replied = 0;
  if (isReviewing()) replied = pressInReview(pressed);
  else pressInMenu(pressed);
  sealState();
  return replied;
}

/** Drops the unfinished command of a host that has disconnected. */
export function cancel(): void {
  checkSeal();
  link.clear();
  drop();
}

/**
 * Drops all data of a command and shows the menu. The platform calls it when the keystore returns the display
 * and the buttons to the signer, and when the seed is forgotten.
 */
export function resume(): void {
  checkSeal();
  link.clear();
  clearCommand();
  wipe(apduBuffer, MAX_APDU + 3);
  wipe(reportBuffer, REPORT_LENGTH);
  wipe(incomingBytes, 2 * INCOMING_BYTES);
  forgetAddress();
  showMenu();
  sealState();
}

function drop(): void {
  link.pending = NO_CHANNEL;
  link.owner = NO_CHANNEL;
  if (isReviewing()) closeReview();
  else clearCommand();
  sealState();
}
