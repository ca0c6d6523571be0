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

interface Parts {
  /**
   * The output of the noise source until it is used up. If it is undefined, the board has no noise source.
   */
  noise?: Uint8Array | undefined;
  /** Returns 1 if the source gives its next bytes. Any other answer goes to the keystore. Default: always 1. */
  answer?: () => number;
  vault?: FakeVault | undefined;
}

export interface KeystoreOptions extends Parts {
  /** Claimed bits of entropy per byte of noise. Default: 8. */
  claim?: number;
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

/** A module of the keystore on a minimal platform, not yet started. */
export class KeystoreBoard {
  readonly app: KeystoreExports;
  /** Texts of the current screen. */
  texts: string[] = [];
  noiseUsed = 0;
  /** Address of the pixels that were shown last. */
  protected shownAt = 0;
  /** Texts that were drawn for the next screen. */
  protected drawnTexts: string[] = [];

  constructor(
    module: WebAssembly.Module,
    private readonly parts: Parts,
    imports: Record<string, Record<string, unknown>> = {},
  ) {
    const { exports } = new WebAssembly.Instance(module, { hal: this.#hal(), ...imports });
    this.app = exports as unknown as KeystoreExports;
  }

  get memory(): Uint8Array {
    return new Uint8Array(this.app.memory.buffer);
  }

  /** Returns the answer of the noise source. */
  protected giveNoise(out: number, length: number): number {
    const { noise, answer } = this.parts;
    const given = answer?.() ?? 1;
    if (given !== 1) return given;
    if (!noise || this.noiseUsed + length > noise.length) return 0;
    this.memory.set(noise.subarray(this.noiseUsed, this.noiseUsed + length), out >>> 0);
    this.noiseUsed += length;
    return 1;
  }

  #hal(): Record<string, unknown> {
    const { vault } = this.parts;
    const span = (at: number, length: number) => this.memory.subarray(at >>> 0, (at >>> 0) + length);
    const record = (at: number) => span(at, 82);
    const proof = (at: number) => span(at, 32);
    return {
      display: (frame: number) => {
        this.shownAt = frame >>> 0;
        this.texts = this.drawnTexts;
        this.drawnTexts = [];
      },
      text: (at: number, length: number) => {
        this.drawnTexts.push(Buffer.from(span(at, length)).toString('latin1'));
      },
      noise: (out: number, length: number) => this.giveNoise(out, length),
      vault_read: (out: number) => vault?.read(record(out)) ?? 0,
      vault_write: (from: number, oldProof: number, newProof: number) =>
        vault?.write(record(from).slice(), proof(oldProof).slice(), proof(newProof).slice()) ?? 0,
      vault_erase: () => vault?.erase() ?? 0,
      vault_attempts: (out: number) => vault?.attempts(span(out, 4)) ?? 0,
      vault_begin_attempt: () => vault?.beginAttempt() ?? 0,
      vault_stretch: (from: number, out: number) => vault?.stretch(proof(from).slice(), proof(out)) ?? 0,
      vault_clear_attempts: (from: number) => vault?.clearAttempts(proof(from)) ?? 0,
    };
  }
}

/** The shipped module of the keystore on a minimal platform. Tests operate it with presses. */
export class KeystoreDevice extends KeystoreBoard {
  /** Number of slices of `work` after the last press. */
  slices = 0;
  presses = 0;

  constructor(readonly given: KeystoreOptions = {}) {
    super(compiled, given);
    const { noise, claim = 8, vault, options } = given;
    this.app.boot(options ?? (noise ? 1 | (claim << 8) : 0) | (vault ? 2 : 0));
    this.#work();
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
}
