import { dispatch } from './apdu/dispatch';
import { pressInReview } from './handlers/decide';
import { pressInMenu, showMenu } from './handlers/menu';
import { closeReview } from './handlers/review';
import { loadSettings } from './handlers/settings';
import { apduBuffer, session, upload } from './session';

/** Starts the app, once, and draws the menu. */
export function boot(): void {
  loadSettings();
  showMenu();
}

/** Where a command is written and its reply is read. */
export function buffer(): usize {
  return apduBuffer;
}

/** Answers the `length` bytes in the buffer: the length of the reply, or 0 while the user is deciding. */
export function command(length: i32): i32 {
  return dispatch(length);
}

/** Takes a press of 1 left, 2 right or 3 both: the length of the reply when it decided a pending command, else 0. */
export function button(pressed: i32): i32 {
  if (session.reviewing !== 0) return pressInReview(pressed);
  pressInMenu(pressed);
  return 0;
}

/** The host went away: what it had begun is dropped. */
export function cancel(): void {
  upload.drop();
  if (session.reviewing !== 0) closeReview();
}
