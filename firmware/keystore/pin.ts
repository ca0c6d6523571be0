// Entry of a PIN of six digits (docs/KEYSTORE.md#with-a-vault). Each digit needs two presses: one selects a
// group of three digits, and the other a digit of the group. The order of the digits is shuffled for each
// digit of the PIN, with bytes that are derived from tested noise.
import { wipe } from '../assembly/crypto/wipe';
import { BOTH, LEFT, RIGHT } from '../assembly/screen/flow';
import * as texts from './generated/texts';
import { beginChoice, beginMenu, both, left, put, putCharacter, putNumber, right } from './layout';
import { deriveNoise } from './noise';
import {
  EMPTY,
  go,
  LOCKED,
  MENU_TOP,
  MENU_UNLOCK,
  OPENED,
  PIN_DIGIT,
  PIN_GROUP,
  PIN_TRY,
  PINS_DIFFER,
} from './pages';
import {
  CHANGE_PIN,
  DERIVED_LENGTH,
  DIGITS,
  derived,
  firstPin,
  forgetAll,
  forgetEntry,
  NOISE_KEY_LENGTH,
  noiseKey,
  OPEN,
  order,
  PIN_LENGTH,
  pin,
  state,
  UNLOCK,
} from './state';
import { beginTask, TASK_PIN_NOISE, TASK_STORE, TASK_UNLOCK } from './task';

// Values of `state.entering`: which PIN is being entered.
const NEW_PIN: u32 = 0x0f0f0f0f;
const REPEATED_PIN: u32 = 0x33333333;
const OLD_PIN: u32 = 0x55555555;

const GROUP = 3;
/** The first byte of the input from which the order of a digit is derived; FOR_SALT in vault.ts differs. */
const FOR_ORDER: u8 = 1;
/** Number of wrong attempts after which the vault is erased. */
export const MAX_ATTEMPTS: u32 = 10;

export function beginNewPin(): void {
  wipe(firstPin, PIN_LENGTH);
  beginPin(NEW_PIN);
}

export function beginUnlock(): void {
  state.purpose = UNLOCK;
  beginPin(OLD_PIN);
}

/** Asks for the old PIN, which counts as an attempt, and then for a new PIN. */
export function beginChangePin(): void {
  state.purpose = CHANGE_PIN;
  beginPin(OLD_PIN);
}

export function composeGroup(): void {
  beginTitle();
  left(texts.NOTHING);
  putGroup(0);
  both(texts.NOTHING);
  putGroup(1);
  right(texts.NOTHING);
  putGroup(2);
}

export function pressGroup(button: i32): void {
  state.group = placeOf(button);
  go(PIN_DIGIT);
}

export function composeDigit(): void {
  beginTitle();
  left(texts.NOTHING);
  putNumber(digitAt(GROUP * state.group));
  both(texts.NOTHING);
  putNumber(digitAt(GROUP * state.group + 1));
  right(texts.NOTHING);
  putNumber(digitAt(GROUP * state.group + 2));
}

export function pressDigit(button: i32): void {
  store<u8>(pin + state.digits, <u8>digitAt(GROUP * state.group + placeOf(button)));
  state.digits += 1;
  state.group = 0;
  wipe(order, DIGITS);
  if (state.digits < PIN_LENGTH) {
    askDigit();
    return;
  }
  // The salt of a record is derived from the noise of the repeated PIN.
  if (state.entering !== REPEATED_PIN) wipe(noiseKey, NOISE_KEY_LENGTH);
  if (state.entering === OLD_PIN) go(PIN_TRY);
  else if (state.entering === NEW_PIN) beginRepeat();
  else endRepeat();
}

export function composeTry(): void {
  beginChoice(texts.PIN_TITLE);
  left(texts.AGAIN);
  right(texts.TRY_IT);
}

export function pressTry(button: i32): void {
  if (button === LEFT) beginPin(OLD_PIN);
  else if (button === RIGHT) beginTask(TASK_UNLOCK);
}

export function composeDiffer(): void {
  beginMenu(texts.PINS_DIFFER, 0, 1);
  put(texts.PRESS_BOTH);
}

export function pressDiffer(button: i32): void {
  if (button === BOTH) beginNewPin();
}

export function composeWrong(): void {
  beginMenu(texts.WRONG_PIN, 0, 1);
  putNumber(<i32>(MAX_ATTEMPTS - state.attempts));
  put(state.attempts === MAX_ATTEMPTS - 1 ? texts.TRY_LEFT : texts.TRIES_LEFT);
}

export function pressWrong(button: i32): void {
  if (button !== BOTH) return;
  if (state.opened === OPEN) {
    forgetEntry();
    go(OPENED, MENU_TOP);
    return;
  }
  forgetAll();
  go(LOCKED, MENU_UNLOCK);
}

export function composeErased(): void {
  beginMenu(texts.SEED_ERASED, 0, 1);
  put(texts.PRESS_BOTH);
}

export function pressErased(button: i32): void {
  if (button === BOTH) go(EMPTY, MENU_TOP);
}

/** Shuffles the digits anew, and asks for the next digit. */
export function askDigit(): void {
  for (let i = 0; i < DIGITS; i++) store<u8>(order + i, <u8>(1 + i));
  deriveNoise(FOR_ORDER, <u8>state.digits);
  let used = 0;
  for (let last = DIGITS - 1; last > 0; last--) {
    // Bytes from `bound` on are skipped, because they would make some positions more likely than others.
    const bound = 256 - (256 % (last + 1));
    while (used < DERIVED_LENGTH && <i32>load<u8>(derived + used) >= bound) used++;
    // Fewer than one order in 2^300 needs more bytes.
    if (used === DERIVED_LENGTH) unreachable();
    swap(last, <i32>load<u8>(derived + used) % (last + 1));
    used++;
  }
  wipe(derived, DERIVED_LENGTH);
  go(PIN_GROUP);
}

function swap(a: i32, b: i32): void {
  const digit = load<u8>(order + a);
  store<u8>(order + a, load<u8>(order + b));
  store<u8>(order + b, digit);
}

function beginPin(which: u32): void {
  state.entering = which;
  state.digits = 0;
  wipe(pin, PIN_LENGTH);
  beginTask(TASK_PIN_NOISE);
}

function beginRepeat(): void {
  memory.copy(firstPin, pin, PIN_LENGTH);
  beginPin(REPEATED_PIN);
}

function endRepeat(): void {
  let difference = 0;
  for (let i = 0; i < PIN_LENGTH; i++) difference |= load<u8>(pin + i) ^ load<u8>(firstPin + i);
  wipe(firstPin, PIN_LENGTH);
  if (difference !== 0) {
    wipe(pin, PIN_LENGTH);
    wipe(noiseKey, NOISE_KEY_LENGTH);
    go(PINS_DIFFER);
    return;
  }
  beginTask(TASK_STORE);
}

function beginTitle(): void {
  beginChoice(
    state.entering === NEW_PIN ? texts.NEW_PIN : state.entering === OLD_PIN ? texts.PIN_OF : texts.REPEAT_PIN,
  );
  putNumber(state.digits + 1);
  put(texts.OF);
  putNumber(PIN_LENGTH);
}

function putGroup(group: i32): void {
  for (let i = 0; i < GROUP; i++) {
    if (i > 0) putCharacter(0x20);
    putNumber(digitAt(GROUP * group + i));
  }
}

function digitAt(place: i32): i32 {
  return load<u8>(order + place);
}

function placeOf(button: i32): i32 {
  if (button === LEFT) return 0;
  return button === BOTH ? 1 : 2;
}
