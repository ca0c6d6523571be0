// A device of which only the frames are read. Each thread has its own device.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seedFromMnemonic, TEST_MNEMONIC } from '@zbc-signer/chain';
import type { FirmwareExports } from '../../testkit/device/bare-device.js';
import { root } from '../../testkit/repository/repository.js';
import { hasTitle, type Page, readPage } from './page.js';

const RIGHT = 2;
const FRAME = 1024;
/** More pages than any review has. */
const MAX_PAGES = 600;

/** The 16 stored bytes that show details. */
function settingsWithDetails(): Buffer {
  const record = Buffer.from([0x5a, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([record, createHash('sha3-256').update(record).digest().subarray(0, 4)]);
}

export class Reviewer {
  readonly #app: FirmwareExports;
  readonly #memory: Uint8Array;
  #frame = 0;
  pages = 0;

  /** `path` is the path of a module; the default is the shipped one. */
  static async open(
    withDetails: boolean,
    path = join(root, 'dist/firmware/zbc-signer.wasm'),
  ): Promise<Reviewer> {
    return new Reviewer(withDetails, await WebAssembly.compile(readFileSync(path)));
  }

  private constructor(withDetails: boolean, module: WebAssembly.Module) {
    const seed = seedFromMnemonic(TEST_MNEMONIC);
    const hal = {
      locked: () => 0,
      seed: (out: number) => {
        this.#memory.set(seed, out);
        return 1;
      },
      display: (frame: number) => {
        this.#frame = frame;
      },
      text: () => undefined,
      quit: () => undefined,
      settings_load: (out: number) => {
        if (withDetails) this.#memory.set(settingsWithDetails(), out);
        return withDetails ? 1 : 0;
      },
      settings_store: () => undefined,
    };
    const instance = new WebAssembly.Instance(module, { hal });
    this.#app = instance.exports as unknown as FirmwareExports;
    this.#memory = new Uint8Array(this.#app.memory.buffer);
    this.#app.boot();
  }

  /** The frames of these commands' review, up to the approve page; undefined if they are refused. */
  frames(apdus: readonly Uint8Array[]): Buffer[] | undefined {
    for (const [i, apdu] of apdus.entries()) {
      this.#memory.set(apdu, this.#app.buffer());
      const length = this.#app.command(apdu.length);
      if (length !== 0 && !this.#isOk(length)) return undefined;
      if ((length === 0) !== (i === apdus.length - 1))
        throw new Error('a review opens too early or not at all');
    }
    const frames: Buffer[] = [];
    while (frames.length < MAX_PAGES) {
      const frame = Buffer.from(this.#memory.subarray(this.#frame, this.#frame + FRAME));
      this.pages++;
      if (!hasTitle(frame)) break;
      frames.push(frame);
      this.#app.button(RIGHT);
    }
    this.#app.cancel();
    return frames;
  }

  /** The pages of these commands' review, up to the approve page; undefined if they are refused. */
  review(apdus: readonly Uint8Array[]): Page[] | undefined {
    return this.frames(apdus)?.map(frame => readPage(frame)!);
  }

  #isOk(length: number): boolean {
    const at = this.#app.buffer();
    return length === 2 && this.#memory[at] === 0x90 && this.#memory[at + 1] === 0;
  }
}
