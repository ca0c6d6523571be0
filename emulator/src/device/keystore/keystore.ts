import { FRAME_LENGTH, SEED_LENGTH } from '@zbc-signer/protocol/limits';
import { instantiateModule } from '../webassembly.js';

/** Length of a vault's record (docs/KEYSTORE.md#with-a-vault). */
export const RECORD_LENGTH = 82;

// Bits of the argument of `boot`, and results of imports (docs/KEYSTORE.md#platform).
const HAS_NOISE = 1;
const HAS_VAULT = 2;
const CLAIM_SHIFT = 8;
const DONE = 1;
const FAILED = 0;
const HASH_LENGTH = 32;

/** The calls of a keystore to its vault (docs/KEYSTORE.md#platform). */
export interface KeystoreVault {
  /** Fills `out` with the record, or with zeros if no record is stored. */
  read(out: Uint8Array): boolean;
  /**
   * Stores a record of 82 bytes with the proof of its PIN. Returns false if it could not be stored, or if a
   * record is stored and `oldProof` is not its proof.
   */
  write(record: Uint8Array, oldProof: Uint8Array, newProof: Uint8Array): boolean;
  /** Erases the record and the count of attempts. Returns false on failure. */
  erase(): boolean;
  /** Fills `out` with the attempts since the last success, as a little-endian u32. */
  readCount(out: Uint8Array): boolean;
  /** Counts an attempt in advance. Returns false if it could not be counted: then it must not be made. */
  beginAttempt(): boolean;
  /** Derives `out` from `from` and the key of the vault, once per attempt. Otherwise returns false. */
  stretch(from: Uint8Array, out: Uint8Array): boolean;
  /** Clears the count of attempts. Returns false if this is not the proof of the record, or on failure. */
  clearAttempts(proof: Uint8Array): boolean;
}

/** The hardware of a board with a keystore. */
export interface KeystoreOptions {
  /** The bytes of the noise source, with one bit of entropy each. After the last byte, the source fails. */
  noise?: Uint8Array | undefined;
  /** The vault that keeps the seed under a PIN. If it is given, `noise` must be given too. */
  vault?: KeystoreVault | undefined;
}

/** A board with a keystore, and the keystore's module. */
export interface KeystoreBoard extends KeystoreOptions {
  module: WebAssembly.Module;
}

interface KeystoreExports {
  readonly memory: WebAssembly.Memory;
  boot(options: number): void;
  button(pressed: number): void;
  work(): number;
  idle(seconds: number): void;
  seed(): number;
  open_menu(): void;
  in_front(): number;
}

/** A drawn text with its position in pixels. */
interface DrawnText {
  text: string;
  x: number;
  y: number;
  w: number;
  h: number;
}

type Show = (frame: Uint8Array, texts: DrawnText[]) => void;

/**
 * One instance of the keystore's module, and its board. If the module traps, the error is thrown, and Device
 * wipes and restarts the keystore and the signer.
 */
export class Keystore {
  /** Whether display and buttons belong to the keystore; `Device.settleFront` changes this. */
  isInFront = true;
  #app: KeystoreExports | undefined;
  #texts: DrawnText[] = [];
  #page: { frame: Uint8Array; texts: DrawnText[] } | undefined;
  #noiseUsed = 0;

  constructor(
    private readonly given: KeystoreBoard,
    private readonly show: Show,
  ) {}

  /** Restarts the module: everything outside the vault is lost. */
  start(): void {
    this.stop();
    const { module, noise, vault } = this.given;
    this.isInFront = true;
    this.#app = instantiateModule(module, { hal: this.#imports() }) as unknown as KeystoreExports;
    this.#app.boot((noise ? HAS_NOISE | (1 << CLAIM_SHIFT) : 0) | (vault ? HAS_VAULT : 0));
    this.#work();
  }

  stop(): void {
    if (this.#app) this.#memory.fill(0);
    this.#app = undefined;
    this.#texts = [];
    this.#page = undefined;
  }

  /** Whether display and buttons should belong to the keystore. */
  get wantsFront(): boolean {
    return this.#app === undefined || this.#app.in_front() === 1;
  }

  /** The open seed; undefined while no seed is open, or while the keystore has the display. */
  get seed(): Uint8Array | undefined {
    const at = this.isInFront ? 0 : (this.#app?.seed() ?? 0);
    return at === 0 ? undefined : this.#memory.subarray(at, at + SEED_LENGTH);
  }

  /**
   * `button` is 1 for left, 2 for right, 3 for both. A computation that the press begins ends before the
   * return.
   */
  press(button: number): void {
    this.#app?.button(button);
    this.#work();
  }

  /** Reports that no button was pressed for this long. */
  idle(seconds: number): void {
    this.#app?.idle(seconds);
  }

  openMenu(): void {
    this.#app?.open_menu();
  }

  /** Shows the page of the keystore again, after the signer had the display. */
  showAgain(): void {
    if (this.#page) this.show(this.#page.frame, this.#page.texts);
  }

  get #memory(): Uint8Array {
    return new Uint8Array(this.#app!.memory.buffer);
  }

  #work(): void {
    while (this.#app?.work() === 1);
  }

  #bytes(at: number, length: number): Uint8Array {
    return this.#memory.subarray(at >>> 0, (at >>> 0) + length);
  }

  #draw(frame: Uint8Array): void {
    this.#page = { frame, texts: this.#texts };
    this.#texts = [];
    if (this.isInFront) this.showAgain();
  }

  #giveNoise(out: Uint8Array): number {
    const { noise } = this.given;
    const from = this.#noiseUsed;
    if (noise === undefined || from + out.length > noise.length) return FAILED;
    out.set(noise.subarray(from, from + out.length));
    this.#noiseUsed += out.length;
    return DONE;
  }

  #imports(): Record<string, unknown> {
    const { vault } = this.given;
    const bytes = (at: number, length: number) => this.#bytes(at, length);
    const answer = (done: boolean | undefined) => (done ? DONE : FAILED);
    return {
      display: (frame: number) => this.#draw(bytes(frame, FRAME_LENGTH).slice()),
      text: (at: number, length: number, x: number, y: number, w: number, h: number) => {
        this.#texts.push({ text: String.fromCharCode(...bytes(at, length)), x, y, w, h });
      },
      noise: (out: number, length: number) => this.#giveNoise(bytes(out, length)),
      vault_read: (out: number) => answer(vault?.read(bytes(out, RECORD_LENGTH))),
      vault_write: (record: number, oldProof: number, newProof: number) =>
        answer(
          vault?.write(
            bytes(record, RECORD_LENGTH).slice(),
            bytes(oldProof, HASH_LENGTH).slice(),
            bytes(newProof, HASH_LENGTH).slice(),
          ),
        ),
      vault_erase: () => answer(vault?.erase()),
      vault_attempts: (out: number) => answer(vault?.readCount(bytes(out, 4))),
      vault_begin_attempt: () => answer(vault?.beginAttempt()),
      vault_stretch: (from: number, out: number) =>
        answer(vault?.stretch(bytes(from, HASH_LENGTH).slice(), bytes(out, HASH_LENGTH))),
      vault_clear_attempts: (proof: number) =>
        answer(vault?.clearAttempts(bytes(proof, HASH_LENGTH).slice())),
    };
  }
}
