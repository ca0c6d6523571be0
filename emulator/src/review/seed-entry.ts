import { wordlist } from '@scure/bip39/wordlists/english.js';
import { invalidInputError } from '@zbc-signer/chain';
import type { Button } from '../device/buttons.js';
import { EmulatorError } from '../errors.js';

/** The part of an Emulator that is needed to enter a seed. */
interface KeystoreInHand {
  /** The texts on the screen, from the top. */
  texts(): string[];
  /** Presses and releases a button. */
  press(button: Button): void;
}

/** Secrets that are entered in addition to the words. */
interface SeedSecrets {
  /** Printable ASCII, at most 64 characters. Default: none. */
  passphrase?: string;
  /** Six digits from 1 to 9, for a device with a vault. */
  pin?: string;
}

/** A new seed. */
interface NewSeed extends SeedSecrets {
  /** 50 or 99 rolls (`1` to `6`), or 128 or 256 flips (`1` heads, `0` tails): the seed has 12 or 24 words. */
  record: string;
}

/** The data of a new seed that the device showed. */
interface ShownSeed {
  mnemonic: string;
  /** The random part that the device added, in 64 hexadecimal digits, or `none`. */
  devicePart: string;
  /** 8 hexadecimal digits. */
  fingerprint: string;
}

const BUTTONS: Record<string, Button> = { '<  ': 'left', '<> ': 'both', '>  ': 'right' };
const OPTION = /^(< {2}|<> |> {2})(.*)$/;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const FIRST_CHARACTERS = `${LETTERS}${LETTERS.toUpperCase()}0123456789`;
const OTHER_CHARACTERS = Array.from({ length: 94 }, (_, i) => String.fromCharCode(0x21 + i)).filter(
  character => !FIRST_CHARACTERS.includes(character),
);
const ENTRIES = ['Done', 'Delete', ...FIRST_CHARACTERS, 'space', ...OTHER_CHARACTERS];
const WORD_COUNTS = [12, 15, 18, 21, 24];
/** More presses than any page needs while a seed is entered. */
const MOST_PRESSES = 24;

/**
 * Makes a new seed, as a user does: enters the rolls or flips of `record`, notes the words, and answers every
 * question. Afterwards the signer has the display. Throws INVALID_INPUT, or WRONG_PAGE if the device shows an
 * unexpected page.
 */
export function createSeed(device: KeystoreInHand, { record, passphrase, pin }: NewSeed): ShownSeed {
  const events = { 50: 'left', 99: 'right', 128: 'left', 256: 'right' } as const;
  const size = events[record.length as keyof typeof events];
  const isDice = record.length < 100;
  if (size === undefined || !(isDice ? /^[1-6]+$/ : /^[01]+$/).test(record)) {
    throw invalidInputError('record must be 50 or 99 rolls (1 to 6), or 128 or 256 flips (0 or 1)');
  }
  chooseInMenu(device, 'New seed');
  expectTitle(device, 'Words');
  device.press(size);
  device.press(isDice ? 'left' : 'right');
  const devicePart = readOn(device, "Device's part").join('');
  for (const event of record) {
    if (isDice) roll(device, Number(event));
    else device.press(event === '1' ? 'left' : 'right');
  }
  readOn(device, isDice ? 'Rolls' : 'Flips');
  const words = readOn(device, 'Words').map(line => line.split(' ')[1]!);
  for (let asked = questionOf(device); asked !== undefined; asked = questionOf(device)) {
    pressOption(device, option => option === words[asked! - 1]);
  }
  const fingerprint = finish(device, { passphrase, pin });
  return { mnemonic: words.join(' '), devicePart, fingerprint };
}

/**
 * Enters the words of a seed with the two buttons. Afterwards the signer has the display. Returns the
 * fingerprint that the device showed. Throws INVALID_INPUT, or WRONG_PAGE if the device shows an unexpected
 * page.
 */
export function restoreSeed(device: KeystoreInHand, mnemonic: string, secrets: SeedSecrets = {}): string {
  const words = mnemonic.trim().split(/\s+/);
  if (!WORD_COUNTS.includes(words.length) || words.some(word => !wordlist.includes(word))) {
    throw invalidInputError('the mnemonic must be 12, 15, 18, 21 or 24 words of the English list of BIP-39');
  }
  chooseInMenu(device, 'Restore seed');
  chooseInMenu(device, `${words.length} words`);
  for (const [index, word] of words.entries()) {
    const title = `Word ${index + 1} of ${words.length}`;
    for (let presses = 0; !device.texts().includes('>  Keep'); presses++) {
      expectTitle(device, title, presses);
      pressOption(device, option => isWithin(wordlist, option.split('-'), word));
    }
    device.press('right');
  }
  return finish(device, secrets);
}

/** Unlocks the seed of a vault, and returns its fingerprint. Throws WRONG_PAGE, also after a wrong PIN. */
export function unlockSeed(device: KeystoreInHand, pin: string, passphrase?: string): string {
  chooseInMenu(device, 'Unlock');
  enterPin(device, pin);
  expectTitle(device, 'PIN');
  device.press('right');
  return finish(device, { passphrase, pin: undefined });
}

function finish(
  device: KeystoreInHand,
  { passphrase, pin }: { [Name in keyof SeedSecrets]: string | undefined },
): string {
  expectTitle(device, 'Passphrase');
  if (passphrase === undefined || passphrase === '') device.press('left');
  else enterPassphrase(device, passphrase);
  expectTitle(device, 'Fingerprint');
  const [, fingerprint] = device.texts();
  device.press('right');
  if (pin !== undefined) for (const _ of ['new', 'repeated']) enterPin(device, pin);
  return fingerprint!;
}

function enterPassphrase(device: KeystoreInHand, passphrase: string): void {
  device.press('right');
  for (const character of [...passphrase, 'Done']) {
    const entry = character === ' ' ? 'space' : character;
    if (!ENTRIES.includes(entry)) throw invalidInputError('the passphrase must be printable ASCII');
    const [title] = device.texts();
    for (let presses = 0; device.texts()[0] === title && presses < MOST_PRESSES; presses++) {
      pressOption(device, option => isWithin(ENTRIES, option.split(' to '), entry));
    }
  }
  expectTitle(device, 'Passphrase');
  device.press('right');
  device.press('right');
}

function enterPin(device: KeystoreInHand, pin: string): void {
  if (!/^[1-9]{6}$/.test(pin)) throw invalidInputError('a PIN is six digits from 1 to 9');
  for (const digit of pin) {
    for (let i = 0; i < 2; i++) pressOption(device, option => option.split(' ').includes(digit));
  }
}

function roll(device: KeystoreInHand, face: number): void {
  pressOption(device, option => option.includes(String(face)));
  pressOption(device, option => option === String(face));
}

/** The number of the requested word; undefined if the device requests none. */
function questionOf(device: KeystoreInHand): number | undefined {
  const asked = /^Word (\d+) is$/.exec(device.texts()[0] ?? '');
  return asked ? Number(asked[1]) : undefined;
}

function isWithin(list: readonly string[], [first, last = first]: string[], entry: string): boolean {
  const [from, to, at] = [first!, last!, entry].map(text => list.indexOf(text));
  return from! <= at! && at! <= to!;
}

/**
 * Presses the button of the intended option. A button's option is the last line that begins with its mark.
 */
function pressOption(device: KeystoreInHand, isMeant: (option: string) => boolean): void {
  const lines = device
    .texts()
    .slice(1)
    .flatMap(line => OPTION.exec(line) ?? []);
  const options = new Map<string, string>();
  for (let i = 0; i + 2 < lines.length; i += 3) options.set(lines[i + 1]!, lines[i + 2]!);
  const chosen = [...options].find(([, option]) => isMeant(option));
  if (chosen === undefined) throw wrongPage(device, 'a page with the expected option');
  device.press(BUTTONS[chosen[0]]!);
}

/** Reads the pages of a text to the end; returns its lines. */
function readOn(device: KeystoreInHand, title: string): string[] {
  expectTitle(device, title);
  const lines: string[] = [];
  for (let page = 0; isTitle(device, title) && page < MOST_PRESSES; page++) {
    lines.push(...device.texts().slice(1));
    device.press('right');
  }
  return lines;
}

/** Moves right to a page of the menu, and selects it. */
function chooseInMenu(device: KeystoreInHand, title: string): void {
  for (let presses = 0; !isTitle(device, title); presses++) {
    if (presses === MOST_PRESSES) throw wrongPage(device, `the page "${title}"`);
    device.press('right');
  }
  device.press('both');
}

function expectTitle(device: KeystoreInHand, title: string, presses = 0): void {
  if (!isTitle(device, title) || presses >= MOST_PRESSES) throw wrongPage(device, `the page "${title}"`);
}

function isTitle(device: KeystoreInHand, title: string): boolean {
  const [shown = ''] = device.texts();
  return shown === title || shown.startsWith(`${title} (`);
}

/** The error names only titles, because lines may be words of the seed. */
function wrongPage(device: KeystoreInHand, expected: string): EmulatorError {
  return new EmulatorError('WRONG_PAGE', `the device shows "${device.texts()[0]}" instead of ${expected}`);
}
