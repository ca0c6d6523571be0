// Simulated users of a keystore, who read each screen, have a goal, and stop at an unexpected screen.
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { BOTH, LEFT, type Machine, MOST_PRESSES, RIGHT } from './machine.js';

const OPTION = /^(< {2}|<> |> {2})(.*)$/;
const BUTTONS: Record<string, number> = { '<  ': LEFT, '<> ': BOTH, '>  ': RIGHT };

/** A simulated user. `next` returns the next press; undefined if the user stops. */
export interface SimulatedUser {
  next(texts: readonly string[]): number | undefined;
  /** Returns a copy of this user. The copy may continue differently. */
  clone(): SimulatedUser;
}

const menu: Record<string, Record<string, number>> = {
  create: { 'ZBC Signer': RIGHT, 'New seed': BOTH },
  restore: { 'ZBC Signer': RIGHT, 'New seed': RIGHT, 'Restore seed': BOTH, '12 words': BOTH },
  unlock: { 'ZBC Signer': RIGHT, Unlock: BOTH },
};

/** Returns the button of the intended option. */
function choose(texts: readonly string[], isMeant: (option: string) => boolean): number | undefined {
  const chosen = texts.slice(1).find(line => isMeant(OPTION.exec(line)?.[2] ?? ''));
  return chosen === undefined ? undefined : BUTTONS[OPTION.exec(chosen)![1]!];
}

/** Returns the button that chooses a PIN digit, or the group with this digit. */
export function chooseDigit(texts: readonly string[], digit: string): number | undefined {
  return choose(texts, option => option.split(' ').includes(digit));
}

/** Rolls a die for a new seed, and writes down what the device shows. */
export class Roller implements SimulatedUser {
  /** The rolls so far; a faulty device may ask for fewer. */
  rolled = '';
  words: string[] = [];
  #isHalf = false;

  constructor(
    readonly record: string,
    readonly count: number,
  ) {}

  clone(): Roller {
    const clone = Object.assign(new Roller(this.record, this.count), {
      rolled: this.rolled,
      words: [...this.words],
    });
    clone.#isHalf = this.#isHalf;
    return clone;
  }

  next(texts: readonly string[]): number | undefined {
    const [title = '', ...lines] = texts;
    if (lines[0] === '<  12 words') return this.count === 12 ? LEFT : RIGHT;
    if (title === 'Randomness') return LEFT;
    if (title === "Device's part") return RIGHT;
    if (title.startsWith(`Roll ${this.rolled.length + 1} of `)) return this.#roll(texts);
    if (/^Rolls( |$)/.test(title)) return this.rolled.includes(lines.join('')) ? RIGHT : undefined;
    if (/^Words \(\d\/\d\)$/.test(title)) return this.#write(title, lines);
    const asked = /^Word (\d+) is$/.exec(title);
    if (asked) return choose(texts, option => option === this.words[Number(asked[1]) - 1]);
    if (title === 'Passphrase') return LEFT;
    if (title === 'Fingerprint') return RIGHT;
    return menu.create![title];
  }

  #roll(texts: readonly string[]): number | undefined {
    const face = this.record[this.rolled.length];
    const isSecond = texts.includes('<> Undo');
    if (isSecond !== this.#isHalf || face === undefined) return undefined;
    const button = choose(texts, option => option !== 'Undo' && option.includes(face));
    this.#isHalf = !isSecond;
    if (isSecond) this.rolled += face;
    return button;
  }

  #write(title: string, lines: readonly string[]): number | undefined {
    const from = 4 * (Number(title[7]) - 1);
    const words = lines.map(line => line.split(' ')[1]!);
    const isNumbered = lines.every((line, i) => line.startsWith(`${from + i + 1} `));
    if (!isNumbered || from > this.words.length) return undefined;
    this.words.splice(from, words.length, ...words);
    return RIGHT;
  }
}

/** Enters 12 words, and knows their fingerprint. */
export class Restorer implements SimulatedUser {
  kept = 0;

  constructor(
    readonly words: readonly string[],
    readonly fingerprint: string,
  ) {}

  clone(): Restorer {
    return Object.assign(new Restorer(this.words, this.fingerprint), { kept: this.kept });
  }

  next(texts: readonly string[]): number | undefined {
    const [title = '', ...lines] = texts;
    if (title === `Word ${this.kept + 1} of 12`) return this.#choose(texts, lines);
    if (title === 'Passphrase') return this.kept === this.words.length ? LEFT : undefined;
    if (title === 'Fingerprint') return lines[0] === this.fingerprint ? RIGHT : undefined;
    return this.kept === 0 ? menu.restore![title] : undefined;
  }

  #choose(texts: readonly string[], lines: readonly string[]): number | undefined {
    const word = this.words[this.kept]!;
    if (lines.includes('>  Keep')) {
      if (lines[0] !== word) return undefined;
      this.kept += 1;
      return RIGHT;
    }
    const at = wordlist.indexOf(word);
    return choose(texts, option => {
      const [first, last = first] = option.split('-');
      return wordlist.indexOf(first!) <= at && at <= wordlist.indexOf(last!);
    });
  }
}

/** Acts like another user, and also chooses a PIN if the keystore asks for one. */
export class UserWithPin implements SimulatedUser {
  #presses = 0;

  constructor(
    private readonly other: SimulatedUser,
    private readonly pin: string,
  ) {}

  clone(): UserWithPin {
    const clone = new UserWithPin(this.other.clone(), this.pin);
    clone.#presses = this.#presses;
    return clone;
  }

  next(texts: readonly string[]): number | undefined {
    if (!/^(New|Repeat) PIN/.test(texts[0]!)) return this.other.next(texts);
    return chooseDigit(texts, this.pin[Math.floor(this.#presses++ / 2) % 6]!);
  }
}

/** Tries a PIN at a locked keystore, and continues as far as the PIN opens it. */
export class Guesser implements SimulatedUser {
  digits = 0;
  half = false;

  constructor(readonly pin: string) {}

  clone(): Guesser {
    return Object.assign(new Guesser(this.pin), { ...this });
  }

  next(texts: readonly string[]): number | undefined {
    const [title = ''] = texts;
    if (title === `PIN ${this.digits + 1} of 6`) {
      const digit = this.pin[this.digits]!;
      if (this.half) this.digits += 1;
      this.half = !this.half;
      return chooseDigit(texts, digit);
    }
    if (title === 'PIN') return RIGHT;
    if (title === 'Passphrase') return LEFT;
    if (title === 'Fingerprint') return RIGHT;
    return menu.unlock![title];
  }
}

/**
 * Presses what a user presses, until a seed is open or the user stops; `onPress` may press instead. Returns false if
 * the module traps.
 */
export function follow(
  machine: Machine,
  user: SimulatedUser,
  onPress: (button: number, press: () => boolean) => boolean = (_, press) => press(),
): boolean {
  for (let presses = 0; presses < MOST_PRESSES && machine.seed === undefined; presses++) {
    const button = user.next(machine.texts);
    if (button === undefined) return true;
    if (!onPress(button, () => machine.press(button))) return false;
  }
  return true;
}
