// The keystore's module on a board whose whole state can be copied: its memory, its globals, the used noise, and
// the vault.

import { createHash } from 'node:crypto';
import { type Image as SavedModule, WholeState } from '../../testkit/device/exported-globals.js';
import { FakeVault, type VaultFault, type VaultState } from '../../testkit/device/fake-vault.js';
import { KeystoreBoard } from '../../testkit/device/keystore-device.js';
import { STATIC } from './layout.js';

/** Returns the bytes that look random, and are the same in each run. */
export const stream = (name: string, outputLength: number): Buffer =>
  createHash('shake256', { outputLength }).update(name).digest();

/** The state of a board between two presses. */
export interface Image extends SavedModule {
  noiseUsed: number;
  /** The noise that was drawn, at its offsets from the first address; its hash is the device's part. */
  drawn: Uint8Array;
  vault: VaultState;
  texts: string[];
}

export const LEFT = 1;
export const RIGHT = 2;
export const BOTH = 3;

/** Options of a board (docs/KEYSTORE.md#platform) whose noise has 8 bits per byte. */
export const HAS_NOISE = 1 | (8 << 8);
export const HAS_VAULT = 2;
/** More presses than any session has. */
export const MOST_PRESSES = 400;

const RAW = 1024;
const FRAME = 1024;
/** More slices than any computation needs. */
const MOST_SLICES = 1000;

interface Parts {
  /** Decides each branch of a module that asks before it branches. */
  branch?: (condition: number, place: number) => number;
  /** Answers of the noise source before it gives its noise. */
  answers?: number[];
  chipKey?: string | undefined;
}

export class Machine extends KeystoreBoard {
  drawn: Uint8Array = new Uint8Array(RAW);
  /** Calls of the platform so far, except those of the display. */
  calls: string[] = [];
  /** Called before each call of the vault. */
  onVault: ((call: string) => VaultFault | undefined) | undefined;
  readonly #chip: FakeVault;
  readonly #state: WholeState;
  #drawnAt = 0;

  constructor(
    compiled: WebAssembly.Module,
    noise: Uint8Array | undefined,
    { branch, answers = [], chipKey }: Parts = {},
  ) {
    const vault = new FakeVault(chipKey);
    const answer = () => answers.shift() ?? 1;
    super(compiled, { noise, answer, vault }, branch && { fault: { branch } });
    this.#chip = vault;
    this.#state = new WholeState(this.app, STATIC);
    vault.onCall = (call, passed) => {
      this.calls.push([call, ...passed.map(bytes => Buffer.from(bytes).toString('hex'))].join(' '));
      return this.onVault?.(call);
    };
  }

  get vault(): VaultState {
    const { record, proof, count, mayStretch } = this.#chip;
    return { record, proof, count, mayStretch };
  }

  set vault(state: VaultState) {
    Object.assign(this.#chip, state);
  }

  /** The pixels shown last. */
  get frame(): Uint8Array {
    return this.memory.slice(this.shownAt, this.shownAt + FRAME);
  }

  boot(options: number): void {
    this.app.boot(options);
    this.work();
  }

  /** Returns false if the module trapped. */
  press(button: number): boolean {
    try {
      this.app.button(button);
      this.work();
      return true;
    } catch {
      return false;
    }
  }

  /** The seed that the keystore gives to the signer, in hex, and whether the keystore has the display. */
  get seed(): { hex: string; isInFront: boolean } | undefined {
    try {
      const at = this.app.seed() >>> 0;
      if (at === 0) return undefined;
      const hex = Buffer.from(this.memory.subarray(at, at + 64)).toString('hex');
      return { hex, isInFront: this.app.in_front() === 1 };
    } catch {
      return undefined;
    }
  }

  image(): Image {
    const { noiseUsed, drawn, vault, texts } = this;
    return { ...this.#state.save(), noiseUsed, drawn, vault, texts };
  }

  restore(image: Image): void {
    this.#state.restore(image);
    const { noiseUsed, drawn, vault, texts } = image;
    Object.assign(this, { noiseUsed, drawn, vault, texts, drawnTexts: [] });
  }

  /** Runs the current computation to its end. */
  work(): void {
    for (let slices = 0; this.app.work() === 1; slices++) {
      if (slices > MOST_SLICES) throw new Error('a computation does not end');
    }
  }

  protected override giveNoise(out: number, length: number): number {
    this.calls.push(`noise ${length}`);
    const before = this.noiseUsed;
    const answer = super.giveNoise(out, length);
    if (this.noiseUsed === before) return answer;
    if (before === 0) this.#drawnAt = out;
    this.drawn = this.drawn.slice();
    const at = out - this.#drawnAt;
    if (at >= 0 && at + length <= RAW) this.drawn.set(this.memory.subarray(out, out + length), at);
    return answer;
  }
}
