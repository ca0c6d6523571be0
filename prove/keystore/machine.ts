// The keystore's shipped module on a board whose whole state can be copied: its memory, its globals, the used
// noise, and the vault.

import { createHash, createHmac } from 'node:crypto';
import { globalsOf } from '../../testkit/device/exported-globals.js';
import type { KeystoreExports } from '../../testkit/device/keystore-device.js';
import { STATIC } from './layout.js';

/** The content of a vault. */
export interface VaultState {
  record: Uint8Array | undefined;
  /** The proof of the PIN of the record. */
  proof: Uint8Array | undefined;
  count: number;
  mayStretch: boolean;
}

export const EMPTY_VAULT: VaultState = { record: undefined, proof: undefined, count: 0, mayStretch: false };

/** Returns the bytes that look random, and are the same in each run. */
export const stream = (name: string, outputLength: number): Buffer =>
  createHash('shake256', { outputLength }).update(name).digest();

/** The state of a board between two presses. */
export interface Image {
  memory: Uint8Array;
  globals: (number | bigint)[];
  noiseUsed: number;
  /** The noise that was drawn, at its offsets from the first address; its hash is the device's part. */
  drawn: Uint8Array;
  vault: VaultState;
  texts: string[];
}

/**
 * A trial's change of a vault call: another answer without the effect, a success without the effect
 * (`silent`), or a power cut.
 */
export type VaultFault = number | 'silent' | 'cut before' | 'cut after';

export const LEFT = 1;
export const RIGHT = 2;
export const BOTH = 3;

/** Options of a board (docs/KEYSTORE.md#platform) whose noise has 8 bits per byte. */
export const HAS_NOISE = 1 | (8 << 8);
export const HAS_VAULT = 2;
/** More presses than any session has. */
export const MOST_PRESSES = 400;

const RAW = 1024;
const DONE = 1;
const FAILED = 0;
/** More slices than any computation needs. */
const MOST_SLICES = 1000;

export class Machine {
  texts: string[] = [];
  vault = EMPTY_VAULT;
  noiseUsed = 0;
  drawn: Uint8Array = new Uint8Array(RAW);
  /** Calls of the platform so far, except those of the display. */
  calls: string[] = [];
  /** Called before each call of the vault. */
  onVault: ((call: string) => VaultFault | undefined) | undefined;
  readonly app: KeystoreExports;
  readonly #globals: { value: number | bigint }[];
  #drawn: string[] = [];
  #drawnAt = 0;
  #frameAt = 0;

  constructor(
    compiled: WebAssembly.Module,
    private readonly noise: Uint8Array | undefined,
    branch?: (condition: number, place: number) => number,
    /** Answers of the noise source before it gives its noise. */
    private readonly answers: number[] = [],
    private readonly chipKey = 'of this chip only',
  ) {
    const { exports } = new WebAssembly.Instance(compiled, {
      hal: this.#hal(),
      ...(branch && { fault: { branch } }),
    });
    this.app = exports as unknown as KeystoreExports;
    this.#globals = globalsOf(exports);
  }

  get memory(): Uint8Array {
    return new Uint8Array(this.app.memory.buffer);
  }

  /** The pixels shown last. */
  get frame(): Uint8Array {
    return this.memory.slice(this.#frameAt, this.#frameAt + 1024);
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
    return {
      memory: this.memory.slice(0, STATIC),
      globals: this.#globals.map(({ value }) => value),
      noiseUsed: this.noiseUsed,
      drawn: this.drawn,
      vault: { ...this.vault },
      texts: this.texts,
    };
  }

  restore({ memory, globals, noiseUsed, drawn, vault, texts }: Image): void {
    this.memory.fill(0, STATIC);
    this.memory.set(memory);
    for (const [i, value] of globals.entries()) this.#globals[i]!.value = value;
    this.noiseUsed = noiseUsed;
    this.drawn = drawn;
    this.vault = { ...vault };
    this.texts = texts;
    this.#drawn = [];
  }

  /** Runs the current computation to its end. */
  work(): void {
    for (let slices = 0; this.app.work() === 1; slices++) {
      if (slices > MOST_SLICES) throw new Error('a computation does not end');
    }
  }

  #span(at: number, length: number): Uint8Array {
    return this.memory.subarray(at >>> 0, (at >>> 0) + length);
  }

  #hal(): Record<string, unknown> {
    return {
      display: (frame: number) => {
        this.#frameAt = frame;
        this.texts = this.#drawn;
        this.#drawn = [];
      },
      text: (at: number, length: number) => {
        this.#drawn.push(Buffer.from(this.#span(at, length)).toString('latin1'));
      },
      noise: (out: number, length: number) => {
        this.calls.push(`noise ${length}`);
        const answer = this.answers.shift() ?? DONE;
        if (answer !== DONE) return answer;
        if (!this.noise || this.noiseUsed + length > this.noise.length) return FAILED;
        const given = this.noise.subarray(this.noiseUsed, this.noiseUsed + length);
        this.#span(out, length).set(given);
        if (this.noiseUsed === 0) this.#drawnAt = out;
        this.drawn = this.drawn.slice();
        const at = out - this.#drawnAt;
        if (at >= 0 && at + length <= RAW) this.drawn.set(given, at);
        this.noiseUsed += length;
        return DONE;
      },
      ...this.#vaultHal(),
    };
  }

  #vaultHal(): Record<string, unknown> {
    return {
      vault_read: (out: number) =>
        this.#ask('read', () => {
          this.#span(out, 82).set(this.vault.record ?? new Uint8Array(82));
        }),
      vault_write: (at: number, oldAt: number, newAt: number) => {
        const [record, old, proof] = [this.#span(at, 82), this.#span(oldAt, 32), this.#span(newAt, 32)];
        return this.#ask(`write ${hexOf(record)} ${hexOf(old)} ${hexOf(proof)}`, () => {
          if (this.vault.record && !this.#proves(old)) return FAILED;
          this.vault = { ...this.vault, record: record.slice(), proof: proof.slice() };
          return DONE;
        });
      },
      vault_erase: () =>
        this.#ask('erase', () => {
          this.vault = { ...this.vault, record: undefined, proof: undefined, count: 0 };
        }),
      vault_attempts: (out: number) =>
        this.#ask('attempts', () => {
          new DataView(this.memory.buffer).setUint32(out >>> 0, this.vault.count, true);
        }),
      vault_begin_attempt: () => {
        this.vault = { ...this.vault, mayStretch: true };
        return this.#ask('begin_attempt', () => {
          this.vault = { ...this.vault, count: this.vault.count + 1 };
        });
      },
      vault_stretch: (from: number, out: number) => {
        this.#span(out, 32).fill(0);
        if (!this.vault.mayStretch) return FAILED;
        return this.#ask(`stretch ${hexOf(this.#span(from, 32))}`, () => {
          this.vault = { ...this.vault, mayStretch: false };
          const stretched = createHmac('sha512', this.chipKey).update(this.#span(from, 32)).digest();
          this.#span(out, 32).set(stretched.subarray(0, 32));
        });
      },
      vault_clear_attempts: (proof: number) =>
        this.#ask(`clear_attempts ${hexOf(this.#span(proof, 32))}`, () => {
          if (!this.#proves(this.#span(proof, 32))) return FAILED;
          this.vault = { ...this.vault, count: 0 };
          return DONE;
        }),
    };
  }

  #proves(proof: Uint8Array): boolean {
    return this.vault.proof !== undefined && Buffer.compare(proof, this.vault.proof) === 0;
  }

  /** Asks the vault; `act` returns FAILED if the vault refuses. */
  #ask(call: string, act: () => unknown): number {
    this.calls.push(call);
    const fault = this.onVault?.(call.split(' ')[0]!);
    if (typeof fault === 'number') return fault;
    if (fault === 'cut before') throw new PowerCut();
    const answer = fault !== 'silent' && act() === FAILED ? FAILED : DONE;
    if (fault === 'cut after') throw new PowerCut();
    return answer;
  }
}

/** Thrown where the power fails. */
class PowerCut extends Error {
  override readonly name = 'PowerCut';
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
