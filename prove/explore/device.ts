// Runs the shipped module from any explored state. Before each event, the state is restored, and all other
// memory that an event has ever written is filled with garbage.

import type { FirmwareExports } from '../../testkit/device/bare-device.js';
import { globalsOf } from '../../testkit/device/exported-globals.js';
import { framed, unframed } from '../../testkit/device/reports.js';
import { sealedBlock } from '../sealed-block.js';
import type { WasmModule } from '../wasm/module.js';
import { SEEDS, type SeedName } from './alphabet.js';

export interface ShownScreen {
  texts: string[];
  frame: Uint8Array;
}

export interface Outcome {
  /** The reply in hex; may be empty. */
  reply: string;
  shown: ShownScreen | undefined;
  trap?: string;
}

/** The state that survives an event: the state block with the upload's bytes, without trailing zeros. */
export interface State {
  bytes: Uint8Array;
  globals: (number | bigint)[];
  /** The settings that the platform stored. */
  stored?: Uint8Array;
}

/** Number of another link, and of a channel on it. */
const ELSEWHERE = 1;
const UPLOAD_BYTES = 2048 + 2112;
const FRAME = 1024;
const STATIC = 24576;
/** Partly written settings: both settings are on, but the check value is missing. */
const TORN = Uint8Array.of(0x5a, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

/** Start and end of the state block, including the upload's bytes, which the seal does not cover. */
function stateBlock(module: WasmModule): [start: number, end: number] {
  const [start, end] = sealedBlock(module);
  return [start, end + UPLOAD_BYTES];
}

export class ExploredDevice {
  seed: SeedName | 'none' = 'A';
  readonly start: number;
  readonly end: number;
  readonly #app: FirmwareExports;
  readonly #memory: Uint8Array;
  readonly #fresh: Uint8Array;
  readonly #globals: { value: number | bigint }[];
  readonly #freshGlobals: (number | bigint)[];
  #stored: Uint8Array | undefined;
  /** Marks the bytes outside the state that some event wrote. They are unused between events. */
  readonly #dead = new Uint8Array(STATIC);
  readonly #poisons: Uint8Array[] = [];
  #deadCount = 0;
  #texts: string[] = [];
  #shown: ShownScreen | undefined;

  constructor(compiled: WebAssembly.Module, module: WasmModule) {
    [this.start, this.end] = stateBlock(module);
    const hal = {
      locked: () => (this.seed === 'none' ? 1 : 0),
      seed: (out: number) => {
        if (this.seed !== 'none') this.#memory.set(SEEDS[this.seed], out);
        return this.seed === 'none' ? 0 : 1;
      },
      display: (frame: number) => {
        this.#shown = { texts: this.#texts, frame: this.#memory.slice(frame, frame + FRAME) };
        this.#texts = [];
      },
      text: (at: number, length: number) => {
        this.#texts.push(Buffer.from(this.#memory.subarray(at, at + length)).toString('latin1'));
      },
      quit: () => undefined,
      settings_load: (out: number) => {
        if (this.#stored) this.#memory.set(this.#stored, out);
        return this.#stored ? 1 : 0;
      },
      settings_store: (from: number, length: number) => {
        this.#stored = this.#memory.slice(from, from + length);
      },
    };
    this.#app = new WebAssembly.Instance(compiled, { hal }).exports as unknown as FirmwareExports;
    this.#memory = new Uint8Array(this.#app.memory.buffer);
    this.#fresh = this.#memory.slice(0, STATIC);
    this.#globals = globalsOf(this.#app);
    this.#freshGlobals = this.#globals.map(({ value }) => value);
    this.#makePoisons();
    this.#app.boot();
    this.#greet();
  }

  /** Restores a state, with one of two kinds of garbage around it. */
  restore(state: State, poison: 0 | 1): void {
    this.#memory.set(this.#poisons[poison]!);
    this.#memory.fill(0, this.start, this.end);
    this.#memory.set(state.bytes, this.start);
    this.#setGlobals(state.globals);
    this.#stored = state.stored;
  }

  #setGlobals(values: (number | bigint)[]): void {
    values.forEach((value, i) => {
      this.#globals[i]!.value = value;
    });
  }

  state(): State {
    let end = this.end;
    while (end > this.start && this.#memory[end - 1] === 0) end--;
    const bytes = this.#memory.slice(this.start, end);
    const globals = this.#globals.map(({ value }) => value);
    return { bytes, globals, ...(this.#stored && { stored: this.#stored }) };
  }

  run(event: () => number): Outcome {
    this.#texts = [];
    this.#shown = undefined;
    try {
      const length = event();
      const at = this.#app.buffer();
      const reply = Buffer.from(this.#memory.subarray(at, at + length)).toString('hex');
      return { reply, shown: this.#shown };
    } catch (error) {
      return { reply: '', shown: undefined, trap: String(error) };
    }
  }

  /** From elsewhere, a command arrives in reports, and so does its reply. */
  command(bytes: Uint8Array, elsewhere: boolean): number {
    if (elsewhere) return this.#exchangeReports(bytes);
    this.#memory.set(bytes, this.#app.buffer());
    return this.#app.command(bytes.length);
  }

  #exchangeReports(bytes: Uint8Array): number {
    const at = this.#app.report_buffer();
    let replied = 0;
    for (const report of framed(ELSEWHERE, bytes)) {
      this.#memory.set(report, at);
      replied = this.#app.report(ELSEWHERE);
    }
    if (replied === 0) return 0;
    const reports: Uint8Array[] = [];
    while (this.#app.reply_report() !== 0) reports.push(this.#memory.slice(at, at + 64));
    const reply = unframed(ELSEWHERE, reports);
    if (!reply) throw new Error('the reports of a reply are out of order, or on another channel');
    this.#memory.set(reply, this.#app.buffer());
    return reply.length;
  }

  button(button: number): number {
    return this.#app.button(button);
  }

  cancel(): number {
    this.#app.cancel();
    return this.#greet();
  }

  resume(): number {
    this.#app.resume();
    return this.#greet();
  }

  /** Restarts the app, with partly written settings or with the stored ones. */
  restart(torn: boolean): number {
    this.#memory.set(this.#fresh);
    this.#setGlobals(this.#freshGlobals);
    if (torn) this.#stored = TORN;
    this.#app.boot();
    return this.#greet();
  }

  /**
   * Sends a command from elsewhere, so that the channel is known in every state. Otherwise there would be
   * twice as many states.
   */
  #greet(): number {
    this.#exchangeReports(new Uint8Array(100));
    return 0;
  }

  /**
   * Marks the bytes outside the state that an event has written; from now on they contain garbage. Returns
   * the number of all marked bytes.
   */
  learnDead(): number {
    const poison = this.#poisons[0]!;
    let found = 0;
    for (let at = 0; at < STATIC; at++) {
      if (this.#dead[at] || (at >= this.start && at < this.end)) continue;
      if (this.#memory[at] === poison[at]) continue;
      this.#dead[at] = 1;
      found++;
    }
    if (found > 0) this.#makePoisons();
    this.#deadCount += found;
    return this.#deadCount;
  }

  /** Returns whether anything beyond the static memory was written. */
  wroteBeyond(): boolean {
    return this.#memory.subarray(STATIC).some(byte => byte !== 0);
  }

  #makePoisons(): void {
    for (const kind of [0, 1]) {
      const image = this.#fresh.slice();
      for (let at = 0; at < STATIC; at++) {
        if (this.#dead[at]) image[at] = kind === 0 ? (at * 167 + 13) & 0xff : (at * 89 + 201) & 0xff;
      }
      this.#poisons[kind] = image;
    }
  }
}
