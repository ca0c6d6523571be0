import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seedFromMnemonic, TEST_MNEMONIC } from '@zbc-signer/chain';
import { root } from '../repository/repository.js';

const FRAME_BYTES = 1024;

/** The shipped module's exports. */
export interface FirmwareExports {
  readonly memory: WebAssembly.Memory;
  security_counter(counter: number): void;
  allow_quit(): void;
  resume(): void;
  boot(): void;
  buffer(): number;
  command(length: number): number;
  button(pressed: number): number;
  cancel(): void;
  report_buffer(): number;
  report(link: number): number;
  reply_report(): number;
}

const compiled = WebAssembly.compile(readFileSync(join(root, 'dist/firmware/zbc-signer.wasm')));

/** The shipped module on a minimal platform, of which a test can change the seed and the memory. */
export class BareDevice {
  readonly app: FirmwareExports;
  readonly memory: Uint8Array;
  seed: Uint8Array | undefined = seedFromMnemonic(TEST_MNEMONIC);
  seedsGiven = 0;
  /** Number of times that the user left the signer for the keystore. */
  quits = 0;
  settings: Uint8Array | undefined;
  /** Texts of the current screen. */
  texts: string[] = [];
  frame: Uint8Array = new Uint8Array(FRAME_BYTES);
  #drawn: string[] = [];

  /**
   * Starts the module. `counter` is the security counter that a platform with a loader sets before the boot.
   * `canQuit` is whether the platform has a keystore.
   */
  static async start(counter?: number, canQuit = false): Promise<BareDevice> {
    return new BareDevice(await compiled, counter, canQuit);
  }

  constructor(
    module: WebAssembly.Module,
    counter?: number,
    canQuit = false,
    imports: Record<string, Record<string, unknown>> = {},
  ) {
    const { exports } = new WebAssembly.Instance(module, { hal: this.#hal(), ...imports });
    this.app = exports as unknown as FirmwareExports;
    this.memory = new Uint8Array(this.app.memory.buffer);
    if (counter !== undefined) this.app.security_counter(counter);
    if (canQuit) this.app.allow_quit();
    this.app.boot();
  }

  /** Sends a command. Returns the reply in hex, or an empty text while the user decides. */
  command(apdu: Uint8Array): string {
    this.memory.set(apdu, this.app.buffer());
    return this.reply(this.app.command(apdu.length));
  }

  /** Presses a button: 1 is left, 2 is right, 3 is both. Returns the reply in hex, or an empty text. */
  press(button: number): string {
    return this.reply(this.app.button(button));
  }

  /** Sends commands in order. Returns the first reply that is not 9000, or the last reply. */
  send(apdus: Uint8Array[]): string {
    let reply = '9000';
    for (const apdu of apdus) {
      if (reply === '9000') reply = this.command(apdu);
    }
    return reply;
  }

  /** Presses right until the approve page is shown. */
  walk(): void {
    for (let pages = 0; this.texts[1] !== 'approve: press both'; pages++) {
      if (pages > 2000) throw new Error('no review is open');
      this.press(2);
    }
  }

  /** Returns the first bytes of the buffer in hex. */
  protected reply(length: number): string {
    const at = this.app.buffer();
    return Buffer.from(this.memory.subarray(at, at + length)).toString('hex');
  }

  #hal(): Record<string, unknown> {
    return {
      locked: () => (this.seed ? 0 : 1),
      seed: (out: number) => {
        this.seedsGiven += 1;
        if (this.seed) this.memory.set(this.seed, out);
        return this.seed ? 1 : 0;
      },
      quit: () => {
        this.quits += 1;
      },
      display: (at: number) => {
        this.frame = this.memory.slice(at, at + FRAME_BYTES);
        this.texts = this.#drawn;
        this.#drawn = [];
      },
      text: (at: number, length: number) => {
        this.#drawn.push(Buffer.from(this.memory.slice(at, at + length)).toString('latin1'));
      },
      settings_load: (out: number) => {
        if (this.settings) this.memory.set(this.settings, out);
        return this.settings ? 1 : 0;
      },
      settings_store: (from: number, length: number) => {
        this.settings = this.memory.slice(from, from + length);
      },
    };
  }
}
