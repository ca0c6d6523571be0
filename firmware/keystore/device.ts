// The table of pages: the functions that compose each page, and those that handle a press on it.
import { composeWaiting, paint, painted, show } from './layout';
import {
  composeBackup,
  composeEmpty,
  composeForget,
  composeLocked,
  composeOpened,
  pressBackup,
  pressEmpty,
  pressFingerprint,
  pressForget,
  pressLocked,
  pressOpened,
} from './menu';
import {
  composeDevicePart,
  composeDiscard,
  composeEvent,
  composeNotRandom,
  composeRandomness,
  composeRecord,
  composeWordCount,
  composeWords,
  pressDevicePart,
  pressDiscard,
  pressEvent,
  pressNotRandom,
  pressRandomness,
  pressRecord,
  pressWordCount,
  pressWords,
} from './new-seed';
import {
  BACKUP_OTHER,
  BACKUP_RIGHT,
  CHARACTER,
  COUNTS,
  DEVICE_PART,
  DISCARD,
  EMPTY,
  ERASED,
  EVENT,
  FINGERPRINT,
  FORGET,
  KEEP,
  LOCKED,
  NOISE_FAILED,
  NOT_RANDOM,
  OPENED,
  PASSPHRASE,
  PASSPHRASE_SHOWN,
  PASSPHRASE_USE,
  PIN_DIGIT,
  PIN_GROUP,
  PIN_TRY,
  PINS_DIFFER,
  QUESTION,
  RANDOMNESS,
  RANGE,
  RECORDED,
  VAULT_FAILED,
  WAIT,
  WORD_COUNT,
  WORDS,
  WRONG_PIN,
  WRONG_WORD,
} from './pages';
import {
  composeCharacter,
  composeFingerprint,
  composePassphrase,
  composePassphraseShown,
  composePassphraseUse,
  pressCharacter,
  pressPassphrase,
  pressPassphraseShown,
  pressPassphraseUse,
} from './passphrase';
import {
  composeDiffer,
  composeDigit,
  composeErased,
  composeGroup,
  composeTry,
  composeWrong,
  pressDiffer,
  pressDigit,
  pressErased,
  pressGroup,
  pressTry,
  pressWrong,
} from './pin';
import { composeQuestion, composeWrongWord, pressQuestion, pressWrongWord } from './question';
import { composeCounts, composeKeep, composeRange, pressCounts, pressKeep, pressRange } from './restore';
import { state } from './state';
import { composeNoiseFailed, composeVaultFailed, pressNoiseFailed } from './work';

/** Draws the page twice, and shows it only if both drawings are equal, so that a fault cannot alter it. */
export function showPage(): void {
  compose(state.page);
  paint(true);
  const drawn = painted();
  compose(state.page);
  paint(false);
  if (painted() !== drawn) unreachable();
  show();
}

function compose(page: u32): void {
  if (page === WAIT) composeWaiting(state.step, state.steps);
  else if (page === EMPTY) composeEmpty();
  else if (page === LOCKED) composeLocked();
  else if (page === OPENED) composeOpened();
  else if (page === FORGET) composeForget();
  else if (page === BACKUP_RIGHT) composeBackup();
  else if (page === BACKUP_OTHER) composeBackup();
  else if (page === WORD_COUNT) composeWordCount();
  else if (page === RANDOMNESS) composeRandomness();
  else if (page === DEVICE_PART) composeDevicePart();
  else if (page === EVENT) composeEvent();
  else if (page === RECORDED) composeRecord();
  else if (page === NOT_RANDOM) composeNotRandom();
  else if (page === WORDS) composeWords();
  else if (page === DISCARD) composeDiscard();
  else if (page === QUESTION) composeQuestion();
  else if (page === WRONG_WORD) composeWrongWord();
  else if (page === COUNTS) composeCounts();
  else if (page === RANGE) composeRange();
  else if (page === KEEP) composeKeep();
  else if (page === PASSPHRASE) composePassphrase();
  else if (page === CHARACTER) composeCharacter();
  else if (page === PASSPHRASE_SHOWN) composePassphraseShown();
  else if (page === PASSPHRASE_USE) composePassphraseUse();
  else if (page === FINGERPRINT) composeFingerprint();
  else if (page === PIN_GROUP) composeGroup();
  else if (page === PIN_DIGIT) composeDigit();
  else if (page === PIN_TRY) composeTry();
  else if (page === PINS_DIFFER) composeDiffer();
  else if (page === WRONG_PIN) composeWrong();
  else if (page === ERASED) composeErased();
  else if (page === NOISE_FAILED) composeNoiseFailed();
  else if (page === VAULT_FAILED) composeVaultFailed();
  else unreachable();
}

/**
 * Handles a button press. `complement` is the complement of `button`, with which a page can detect a fault.
 */
export function pressOnPage(button: i32, complement: i32): void {
  const page = state.page;
  if (page === EMPTY) pressEmpty(button);
  else if (page === LOCKED) pressLocked(button);
  else if (page === OPENED) pressOpened(button);
  else if (page === FORGET) pressForget(button);
  else if (page === BACKUP_RIGHT) pressBackup(button);
  else if (page === BACKUP_OTHER) pressBackup(button);
  else if (page === WORD_COUNT) pressWordCount(button);
  else if (page === RANDOMNESS) pressRandomness(button);
  else if (page === DEVICE_PART) pressDevicePart(button);
  else if (page === EVENT) pressEvent(button);
  else if (page === RECORDED) pressRecord(button);
  else if (page === NOT_RANDOM) pressNotRandom(button);
  else if (page === WORDS) pressWords(button);
  else if (page === DISCARD) pressDiscard(button);
  else if (page === QUESTION) pressQuestion(button, complement);
  else if (page === WRONG_WORD) pressWrongWord(button);
  else if (page === COUNTS) pressCounts(button);
  else if (page === RANGE) pressRange(button);
  else if (page === KEEP) pressKeep(button);
  else if (page === PASSPHRASE) pressPassphrase(button);
  else if (page === CHARACTER) pressCharacter(button);
  else if (page === PASSPHRASE_SHOWN) pressPassphraseShown(button);
  else if (page === PASSPHRASE_USE) pressPassphraseUse(button);
  else if (page === FINGERPRINT) pressFingerprint(button);
  else if (page === PIN_GROUP) pressGroup(button);
  else if (page === PIN_DIGIT) pressDigit(button);
  else if (page === PIN_TRY) pressTry(button);
  else if (page === PINS_DIFFER) pressDiffer(button);
  else if (page === WRONG_PIN) pressWrong(button);
  else if (page === ERASED) pressErased(button);
  else if (page === NOISE_FAILED) pressNoiseFailed(button);
  else if (page !== VAULT_FAILED) unreachable();
}
