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

/** The shipped module by itself, on a platform whose seed and memory a test can change. */
export class BareDevice {
  readonly app: FirmwareExports;
  readonly memory: Uint8Array;
  seed: Uint8Array | undefined = seedFromMnemonic(TEST_MNEMONIC);
  seedsGiven = 0;
  /** How often its user left it for a keystore. */
  quits = 0;
  settings: Uint8Array | undefined;
  /** Texts of the current screen. */
  texts: string[] = [];
  frame: Uint8Array = new Uint8Array(FRAME_BYTES);
  #drawn: string[] = [];

  /**
   * `counter` is the security counter that a platform with a loader sets before the boot; `canQuit`, whether
   * a keystore is in front of it.
   */
  static async start(counter?: number, canQuit = false): Promise<BareDevice> {
    return new BareDevice(await compiled, counter, canQuit);
  }

  constructor(module: WebAssembly.Module, counter: number | undefined, canQuit: boolean) {
    this.app = new WebAssembly.Instance(module, { hal: this.#hal() }).exports as unknown as FirmwareExports;
    this.memory = new Uint8Array(this.app.memory.buffer);
    if (counter !== undefined) this.app.security_counter(counter);
    if (canQuit) this.app.allow_quit();
    this.app.boot();
  }

  /** The reply in hex; empty while the user decides. */
  command(apdu: Uint8Array): string {
    this.memory.set(apdu, this.app.buffer());
    return this.#reply(this.app.command(apdu.length));
  }

  /** `button` is 1 for left, 2 for right, 3 for both. */
  press(button: number): string {
    return this.#reply(this.app.button(button));
  }

  /** Sends all commands; returns the last reply, or the first that is not 9000. */
  send(apdus: Uint8Array[]): string {
    let reply = '9000';
    for (const apdu of apdus) {
      if (reply === '9000') reply = this.command(apdu);
    }
    return reply;
  }

  /** Presses right up to the approve page. */
  walk(): void {
    while (this.texts[1] !== 'approve: press both') this.press(2);
  }

  #reply(length: number): string {
    const at = this.app.buffer();
    return Buffer.from(this.memory.slice(at, at + length)).toString('hex');
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
