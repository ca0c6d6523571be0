import { FRAME_LENGTH, SETTINGS_LENGTH } from '@zbc-signer/protocol/limits';
import { Keystore, type KeystoreBoard } from './keystore/keystore.js';
import './webassembly.js';

/** A drawn text with its upper left corner and its size, in pixels. */
export interface ScreenText {
  text: string;
  x: number;
  y: number;
  w: number;
  h: number;
}

/**
 * The content of the display: 64 rows of 16 bytes, in which the most significant bit is the leftmost pixel,
 * and its texts from top to bottom.
 */
export interface Screen {
  readonly frame: Uint8Array;
  readonly texts: readonly ScreenText[];
}

export function textsOf(screen: Screen): string[] {
  return screen.texts.map(({ text }) => text);
}

/**
 * A board's interface to the firmware (docs/APDU.md#platform-interface): seed, display, settings. It outlives
 * a restart of the firmware. The firmware first reports the texts of a screen with `text`, and then completes
 * the screen with `display`.
 */
export class Platform {
  readonly keystore: Keystore | undefined;
  screen: Screen = { frame: new Uint8Array(FRAME_LENGTH), texts: [] };
  settings: Uint8Array | undefined;
  #texts: ScreenText[] = [];
  #shown: Screen[] = [];

  #quits = false;

  /**
   * If `seed` is undefined, the device is locked; if `settings` is undefined, none were ever stored. With
   * `keystore`, the seed is that of the keystore.
   */
  constructor(
    private seed: Uint8Array | undefined,
    settings: Uint8Array | undefined,
    keystore?: KeystoreBoard,
  ) {
    this.settings = settings?.slice(0, SETTINGS_LENGTH);
    if (keystore) this.keystore = new Keystore(keystore, (frame, texts) => this.#complete({ frame, texts }));
  }

  /** Whether the user chose to leave the signer since the last call. */
  takeQuit(): boolean {
    const quits = this.#quits;
    this.#quits = false;
    return quits;
  }

  /** The oldest completed screen that was not yet read. */
  takeShown(): Screen | undefined {
    return this.#shown.shift();
  }

  /** Drops the texts of a screen that a trap left unfinished. */
  dropUnfinished(): void {
    this.#texts = [];
  }

  wipe(): void {
    this.seed?.fill(0);
    this.seed = undefined;
    this.keystore?.stop();
  }

  /**
   * The functions that the firmware imports from `hal`. They call `memory` only when they are called, because
   * the memory does not exist before the module is instantiated.
   */
  imports(memory: () => WebAssembly.Memory): Record<string, unknown> {
    const view = (address: number, length: number) =>
      new Uint8Array(memory().buffer, address >>> 0, length >>> 0);
    return {
      locked: () => (this.#seed ? 0 : 1),
      seed: (out: number) => copyOut(this.#seed, out, view),
      quit: () => {
        this.#quits = true;
      },
      display: (frame: number) => this.#show(view(frame, FRAME_LENGTH).slice()),
      text: (at: number, length: number, x: number, y: number, w: number, h: number) => {
        this.#texts.push({ text: String.fromCharCode(...view(at, length)), x, y, w, h });
      },
      settings_load: (out: number, length: number) => copyOut(this.settings?.subarray(0, length), out, view),
      settings_store: (from: number, length: number) => {
        this.settings = view(from, length).slice(0, SETTINGS_LENGTH);
      },
    };
  }

  get #seed(): Uint8Array | undefined {
    return this.keystore ? this.keystore.seed : this.seed;
  }

  /** Frames of the signer are not shown while the keystore has the display. */
  #show(frame: Uint8Array): void {
    if (!this.keystore?.isInFront) this.#complete({ frame, texts: this.#texts });
    this.#texts = [];
  }

  #complete(screen: Screen): void {
    this.screen = screen;
    this.#shown.push(screen);
  }
}

function copyOut(
  bytes: Uint8Array | undefined,
  out: number,
  view: (address: number, length: number) => Uint8Array,
): 0 | 1 {
  if (!bytes) return 0;
  view(out, bytes.length).set(bytes);
  return 1;
}
