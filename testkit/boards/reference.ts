import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import '#emulator/device/webassembly.js';
import { Device } from '#emulator/device/device.js';
import { Platform } from '#emulator/device/platform.js';
import { root } from '../repository/repository.js';
import type { Key } from './driver.js';
import { TEST_SEED } from './storage.js';

const MODULE = process.env.ZBC_BOARD_MODULE ?? join(root, 'dist/firmware/zbc-signer.wasm');

const compiled = await WebAssembly.compile(readFileSync(MODULE));
const BITS = { left: 1, right: 2, both: 3 } as const satisfies Record<Key, number>;

/** The same module in the emulator: what a board has to show and to answer. */
export class Reference {
  readonly #platform: Platform;
  readonly #device: Device;

  constructor(seed: Uint8Array | null = TEST_SEED, settings?: Uint8Array) {
    this.#platform = new Platform(seed ?? undefined, settings);
    this.#device = new Device(compiled, this.#platform);
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

  /** The reply; undefined while the user decides. */
  command(apdu: Uint8Array): Uint8Array | undefined {
    return this.#device.command(apdu);
  }

  press(key: Key): Uint8Array | undefined {
    return this.#device.button(BITS[key]);
  }

  cancel(): void {
    this.#device.cancel();
  }
}
