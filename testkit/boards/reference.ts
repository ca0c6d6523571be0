import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import '#emulator/device/webassembly.js';
import { Device } from '#emulator/device/device.js';
import { loadKeystore } from '#emulator/device/firmware.js';
import type { KeystoreOptions } from '#emulator/device/keystore/keystore.js';
import { Platform } from '#emulator/device/platform.js';
import { restoreSeed } from '#emulator/review/seed-entry.js';
import { root } from '../repository/repository.js';
import { accounts } from '../repository/vectors.js';
import type { Key } from './driver.js';

const MODULE = process.env.ZBC_BOARD_MODULE ?? join(root, 'dist/firmware/zbc-signer.wasm');

const compiled = await WebAssembly.compile(readFileSync(MODULE));
const BITS = { left: 1, right: 2, both: 3 } as const satisfies Record<Key, number>;

/** The same modules in the emulator, which give the expected screens and replies of a board. */
export class Reference {
  readonly #platform: Platform;
  readonly #device: Device;
  #isReviewing = false;

  /**
   * Starts with the open seed of the vectors' words and a passphrase. If the passphrase is `null`, no seed is
   * open.
   */
  constructor(passphrase: string | null = '', settings?: Uint8Array, keystore: KeystoreOptions = {}) {
    this.#platform = new Platform(undefined, settings, { ...keystore, module: loadKeystore() });
    this.#device = new Device(compiled, this.#platform);
    if (passphrase === null) return;
    const hands = { texts: () => this.texts, press: (key: Key) => void this.press(key) };
    restoreSeed(hands, accounts.mnemonic, { passphrase });
  }

  get frame(): Uint8Array {
    return this.#platform.screen.frame;
  }

  get texts(): string[] {
    return this.#platform.screen.texts.map(({ text }) => text);
  }

  get settings(): Uint8Array | undefined {
    return this.#platform.settings;
  }

  /** Sends a command. Returns the reply, or undefined while the user decides. */
  command(apdu: Uint8Array): Uint8Array | undefined {
    const reply = this.#device.command(apdu);
    this.#isReviewing = !reply;
    return reply;
  }

  press(key: Key): Uint8Array | undefined {
    const reply = this.#device.button(BITS[key]);
    if (reply) this.#isReviewing = false;
    this.#settle();
    return reply;
  }

  /** Simulates this many seconds without a press. */
  idle(seconds: number): void {
    this.#device.idle(seconds);
    this.#settle();
  }

  cancel(): void {
    this.#device.cancel();
    this.#isReviewing = false;
    this.#settle();
  }

  #settle(): void {
    if (!this.#isReviewing) this.#device.settleFront();
  }
}
