// entries MODULE: checks each of the 2,048 words at each place of each phrase, on the page that shows it and
// while it is entered; each character of a passphrase at each place; and each PIN. --control MODULE…: checks
// modules with a planted fault, each of which must be found.
import { readFileSync } from 'node:fs';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { compileModule } from '#emulator/device/webassembly.js';
import { runProofs, UnprovenClaim } from '../control.js';
import { readPage } from '../read-back/page.js';
import { exportFunction } from '../wasm/exports.js';
import { functionIndex } from '../wasm/module.js';
import { CREATE, type Field, fieldAt, type Layout, PAGES, readKeystore, widthOf } from './layout.js';
import { BOTH, LEFT, Machine, RIGHT } from './machine.js';

const RESTORE = 0x5a5a5a5a;
const BUTTONS = [LEFT, BOTH, RIGHT];
const LIST = 2048;
const LAST_PRESSES: Record<number, number> = { 12: 5, 15: 4, 18: 4, 21: 3, 24: 2 };
const SPACE = 32;
const PRINTABLE = 95;

interface Inside {
  showPage(): void;
  pressOnPage(button: number, complement: number): void;
}

/**
 * Gives a proof access to the state of the keystore's module, and to its functions `showPage` and
 * `pressOnPage`.
 */
class Entries {
  readonly layout: Layout;
  readonly #machine: Machine;
  readonly #inside: Inside;
  readonly #view: DataView;

  constructor(path: string) {
    const { module, layout } = readKeystore(path);
    this.layout = layout;
    let wasm: Uint8Array = readFileSync(path);
    for (const name of ['showPage', 'pressOnPage'])
      wasm = exportFunction(wasm, name, functionIndex(module, `device/${name}`));
    this.#machine = new Machine(compileModule(wasm), undefined);
    this.#inside = this.#machine.app as unknown as Inside;
    this.#view = new DataView(this.#machine.app.memory.buffer);
    this.#machine.boot(0);
  }

  set(fields: Partial<Record<Field, number>>): void {
    for (const [field, value] of Object.entries(fields) as [Field, number][]) {
      const at = fieldAt(this.layout, field);
      if (widthOf(field) === 1) this.#view.setUint8(at, value);
      else this.#view.setUint32(at, value, true);
    }
  }

  get(field: Field): number {
    return this.#view.getUint32(fieldAt(this.layout, field), true);
  }

  putWords(words: readonly number[]): void {
    for (const [i, word] of words.entries()) this.#view.setUint16(this.layout.words + 2 * i, word, true);
  }

  wordAt(index: number): number {
    return this.#view.getUint16(this.layout.words + 2 * index, true);
  }

  putPassphrase(bytes: Uint8Array): void {
    this.#machine.memory.set(bytes, this.layout.passphrase);
  }

  press(button: number): void {
    this.#inside.pressOnPage(button, ~button);
  }

  /** Returns the lines of a page, read from its pixels. */
  read(title: string): string[] {
    this.#inside.showPage();
    const page = readPage(this.#machine.frame, title);
    if (page?.title !== title) throw new UnprovenClaim(`the title is ${page?.title}, not ${title}`);
    return page.lines.map(({ text }) => text);
  }
}

/** Compares each word at each place of 12 and of 24 words, on the pages of a new seed. */
function showWords(entries: Entries): string {
  let screens = 0;
  for (const count of [12, 24])
    for (let first = 0; first < LIST; first++) {
      const words = Array.from({ length: count }, (_, i) => (first + 83 * i) % LIST);
      entries.set({ page: PAGES.words, purpose: CREATE, count });
      entries.putWords(words);
      // Each pass has other words on its pages, and all passes together show each word at each place.
      for (let index = 0; index < count / 4; index++) {
        entries.set({ index });
        const found = entries.read(`Words (${index + 1}/${count / 4})`);
        const wanted = words
          .slice(4 * index, 4 * index + 4)
          .map((word, i) => `${4 * index + i + 1} ${wordlist[word]}`);
        if (found.join() !== wanted.join())
          throw new UnprovenClaim(`the page shows ${found.join()}, not ${wanted.join()}`);
        screens++;
      }
    }
  return `each of 2,048 words is right at each place of 12 and 24 words, read from the pixels of ${screens} screens`;
}

/**
 * Enters every word of a list by choosing thirds of the list. Each word must be reached once, after the same
 * number of presses.
 */
function enterWords(entries: Entries): string {
  let presses = 0;
  let words = 0;
  for (const count of [12, 15, 18, 21, 24])
    for (let word = 0; word < count; word++) {
      const isLast = word === count - 1;
      const size = isLast ? LIST >> (count / 3) : LIST;
      const depth = isLast ? LAST_PRESSES[count]! : 7;
      const found = new Set<number>();
      const visit = (from: number, left: number, pressed: number): void => {
        for (const button of BUTTONS) {
          entries.set({
            page: PAGES.range,
            purpose: RESTORE,
            count,
            word,
            from,
            size: left,
            presses: pressed,
          });
          entries.press(button);
          presses++;
          if (entries.get('presses') === pressed) continue;
          if (entries.get('page') === PAGES.keep) {
            if (pressed + 1 !== depth)
              throw new UnprovenClaim(`a word is reached after ${pressed + 1} presses, not ${depth}`);
            if (!isLast && entries.wordAt(word) !== entries.get('from'))
              throw new UnprovenClaim('the kept word is not the chosen word');
            found.add(entries.wordAt(word));
          } else visit(entries.get('from'), entries.get('size'), pressed + 1);
        }
      };
      visit(0, size, 0);
      if (found.size !== size)
        throw new UnprovenClaim(`${found.size} of ${size} words are reached at word ${word + 1} of ${count}`);
      words += size;
    }
  return `${words} words at 90 places of five phrases, each reached on exactly one path, and all with the same number of presses; ${presses} presses`;
}

/** Compares the pixels of the word that is kept, and of thirds of the list. */
function keepWords(entries: Entries): string {
  entries.set({ purpose: RESTORE, count: 24 });
  for (let word = 0; word < LIST; word++) {
    const place = word % 23;
    entries.set({ page: PAGES.keep, word: place });
    entries.putWords(Array.from({ length: place + 1 }, () => word));
    const found = entries.read(`Word ${place + 1} of 24`)[0];
    if (found !== wordlist[word]) throw new UnprovenClaim(`the page keeps ${found}, not ${wordlist[word]}`);
    const rest = Math.min(3, LIST - word);
    if (rest < 3) continue;
    entries.set({ page: PAGES.range, from: word, size: 3, presses: 6 });
    const ranges = entries.read(`Word ${place + 1} of 24`).map(line => line.slice(3));
    if (ranges.join() !== wordlist.slice(word, word + 3).join())
      throw new UnprovenClaim(`the page offers ${ranges.join()}`);
  }
  return 'each word is right where it is chosen and where it is kept, by its pixels';
}

/** Shows passphrases of each length, which have each printable character at each of 64 places. */
function showPassphrases(entries: Entries): string {
  let screens = 0;
  for (let length = 1; length <= 64; length++)
    for (let first = 0; first < PRINTABLE; first++) {
      const bytes = Uint8Array.from({ length }, (_, i) => SPACE + ((first + 7 * i) % PRINTABLE));
      entries.set({ page: PAGES.passphraseShown, index: 0, length });
      entries.putPassphrase(bytes);
      const wanted = Buffer.from(bytes).toString('latin1');
      const found = entries.read('Passphrase').join('');
      if (found !== wanted) throw new UnprovenClaim(`the page shows ${found}, not ${wanted}`);
      screens++;
    }
  return `each character is right at each place of a passphrase of each length, read from the pixels of ${screens} screens`;
}

const PROOFS = [enterWords, keepWords, showPassphrases, showWords];

await runProofs(path => PROOFS.map(proof => () => proof(new Entries(path))));
