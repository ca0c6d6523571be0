import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { compileModule } from '#emulator/device/webassembly.js';
import { root } from '../repository/repository.js';
import { exportGlobals, globalsOf } from './exported-globals.js';
import type { FakeVault } from './fake-vault.js';

export interface KeystoreExports {
  readonly memory: WebAssembly.Memory;
  boot(options: number): void;
  button(pressed: number): void;
  work(): number;
  idle(seconds: number): void;
  locked(): number;
  seed(): number;
  open_menu(): void;
  in_front(): number;
}

export interface KeystoreOptions {
  /**
   * The output of the noise source until it is used up. If it is undefined, the board has no noise source.
   */
  noise?: Uint8Array;
  /** If it is true, the noise source never has its bytes. */
  isSilent?: boolean;
  /** Claimed bits of entropy per byte of noise. Default: 8. */
  claim?: number;
  vault?: FakeVault;
  /** Argument of `boot`. The default follows from the other fields. */
  options?: number;
}

const compiled = compileModule(exportGlobals(readFileSync(join(root, 'dist/firmware/zbc-keystore.wasm'))));

/** More slices than any computation needs. */
const MOST_SLICES = 10_000;
const BUTTONS: Record<string, number> = { l: 1, r: 2, b: 3 };
/** The characters of a passphrase, in the order of docs/KEYSTORE.md#passphrase. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const FIRST = `${LETTERS}${LETTERS.toUpperCase()}0123456789`;
const ENTRIES = [
  'Done',
  'Delete',
  ...FIRST,
  ' ',
  ...printable().filter(character => !FIRST.includes(character)),
];

function printable(): string[] {
  return Array.from({ length: 94 }, (_, i) => String.fromCharCode(0x21 + i));
}

/**
 * Returns the presses `l`, `b` and `r` that select entry `index` of a list. There are at least `least`
 * presses.
 */
export function thirds(length: number, index: number, least = 0): string {
  let presses = '';
  let from = 0;
  let size = length;
  while (size > 1 || presses.length < least) {
    const sizes =
      size === 2 ? [1, 0, 1] : [Math.ceil(size / 3), Math.floor((size + 1) / 3), Math.floor(size / 3)];
    const starts = size === 1 ? [0, 0, 1] : [0, sizes[0]!, sizes[0]! + sizes[1]!];
    const part = size === 1 ? 1 : [2, 1, 0].find(i => sizes[i]! > 0 && index - from >= starts[i]!)!;
    from += starts[part]!;
    size = size === 1 ? 1 : sizes[part]!;
    presses += 'lbr'[part];
  }
  return presses;
}

/** The shipped module of the keystore on a minimal platform. Tests operate it with presses. */
export class KeystoreDevice {
  readonly app: KeystoreExports;
  /** Texts of the current screen. */
  texts: string[] = [];
  /** Number of slices of `work` after the last press. */
  slices = 0;
  presses = 0;
  #drawn: string[] = [];
  #noiseUsed = 0;

  constructor(readonly given: KeystoreOptions = {}) {
    const { noise, claim = 8, vault, options } = given;
    this.app = new WebAssembly.Instance(compiled, { hal: this.#hal() }).exports as unknown as KeystoreExports;
    this.app.boot(options ?? (noise ? 1 | (claim << 8) : 0) | (vault ? 2 : 0));
    this.#work();
  }

  get memory(): Uint8Array {
    return new Uint8Array(this.app.memory.buffer);
  }

  /** The values of the module's globals, in the order of the module. */
  get globals(): (number | bigint)[] {
    return globalsOf(this.app).map(({ value }) => value);
  }

  /** The open seed in hex; undefined if no seed is open. */
  get seed(): string | undefined {
    const at = this.app.seed();
    return at === 0 ? undefined : Buffer.from(this.memory.subarray(at, at + 64)).toString('hex');
  }

  /**
   * Presses the buttons `l`, `r` and `b` in order, and runs the work after each press. Returns the texts on
   * the screen.
   */
  press(buttons: string): string[] {
    for (const button of buttons) {
      this.app.button(BUTTONS[button]!);
      this.presses += 1;
      this.#work();
    }
    return this.texts;
  }

  /** Pages to the right while the title begins with `title`. Returns the lines of these pages. */
  read(title: string): string[] {
    const lines: string[] = [];
    while (this.texts[0]!.startsWith(title)) {
      lines.push(...this.texts.slice(1));
      this.press('r');
    }
    return lines;
  }

  /**
   * Enters words. It begins at the choice of the number of words, and ends at the question for a passphrase.
   */
  enterWords(mnemonic: string): void {
    const words = mnemonic.split(' ');
    const menu = { 12: 'b', 24: 'rb', 15: 'rrb', 18: 'rrrb', 21: 'rrrrb' }[words.length]!;
    this.press(menu);
    for (const word of words.slice(0, -1)) this.press(`${thirds(2048, wordlist.indexOf(word))}r`);
    const checksumWidth = words.length / 3;
    const last = wordlist.indexOf(words.at(-1)!) >> checksumWidth;
    const least = { 12: 5, 15: 4, 18: 4, 21: 3, 24: 2 }[words.length]!;
    this.press(`${thirds(2048 >> checksumWidth, last, least)}r`);
  }

  /** Answers the question for a passphrase, and ends at the fingerprint. */
  enterPassphrase(passphrase: string): void {
    if (passphrase === '') {
      this.press('l');
      return;
    }
    this.press('r');
    for (const character of passphrase) this.type(character);
    this.type('Done');
    this.press('rr');
  }

  type(entry: string): void {
    this.press(thirds(ENTRIES.length, ENTRIES.indexOf(entry)));
  }

  /** Enters a digit of a PIN, which needs two presses. The page with the groups of digits must be shown. */
  pressDigit(digit: string): void {
    this.press('lbr'[this.texts.slice(1).findIndex(line => line.slice(3).includes(digit))]!);
  }

  /** Answers every question of the check of a new seed correctly. */
  answerAll(words: readonly string[]): void {
    for (;;) {
      const asked = /^Word (\d+) is$/.exec(this.texts[0]!);
      if (!asked) return;
      const options = this.texts.slice(1).map(line => line.slice(3));
      this.press('lbr'[options.indexOf(words[Number(asked[1]) - 1]!)]!);
    }
  }

  #work(): void {
    this.slices = 0;
    while (this.app.work() === 1 && !this.given.vault?.isStuck) {
      this.slices += 1;
      if (this.slices > MOST_SLICES) throw new Error('a computation does not end');
    }
  }

  #hal(): Record<string, unknown> {
    const { noise, isSilent, vault } = this.given;
    const memory = () => this.memory;
    return {
      display: () => {
        this.texts = this.#drawn;
        this.#drawn = [];
      },
      text: (at: number, length: number) => {
        this.#drawn.push(Buffer.from(memory().subarray(at, at + length)).toString('latin1'));
      },
      noise: (out: number, length: number) => {
        if (isSilent) return 2;
        if (!noise || this.#noiseUsed + length > noise.length) return 0;
        memory().set(noise.subarray(this.#noiseUsed, this.#noiseUsed + length), out);
        this.#noiseUsed += length;
        return 1;
      },
      vault_read: (out: number) => vault?.read(memory().subarray(out, out + 82)) ?? 0,
      vault_write: (record: number, oldProof: number, newProof: number) =>
        vault?.write(
          memory().slice(record, record + 82),
          memory().slice(oldProof, oldProof + 32),
          memory().slice(newProof, newProof + 32),
        ) ?? 0,
      vault_erase: () => vault?.erase() ?? 0,
      vault_attempts: (out: number) => vault?.attempts(memory().subarray(out, out + 4)) ?? 0,
      vault_begin_attempt: () => vault?.beginAttempt() ?? 0,
      vault_stretch: (from: number, out: number) =>
        vault?.stretch(memory().slice(from, from + 32), memory().subarray(out, out + 32)) ?? 0,
      vault_clear_attempts: (proof: number) => vault?.clearAttempts(memory().slice(proof, proof + 32)) ?? 0,
    };
  }
}
