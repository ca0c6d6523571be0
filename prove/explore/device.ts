// Runs the shipped module from any explored state. Before each event, the state is restored, and all other
// memory that an event has ever written is filled with garbage.

import { BareDevice } from '../../testkit/device/bare-device.js';
import { type Image, WholeState } from '../../testkit/device/exported-globals.js';
import { framed, unframed } from '../../testkit/device/reports.js';
import { sealedBlock } from '../sealed-block.js';
import type { WasmModule } from '../wasm/module.js';

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
const STATIC = 24576;
/** The frame before an event that draws none. */
const UNSEEN = new Uint8Array();
/** Partly written settings: both settings are on, but the check value is missing. */
const TORN = Uint8Array.of(0x5a, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

/** Start and end of the state block, including the upload's bytes, which the seal does not cover. */
function stateBlock(module: WasmModule): [start: number, end: number] {
  const [start, end] = sealedBlock(module);
  return [start, end + UPLOAD_BYTES];
}

export class ExploredDevice extends BareDevice {
  readonly start: number;
  readonly end: number;
  readonly #state: WholeState;
  readonly #fresh: Image;
  /** Marks the bytes outside the state that some event wrote. They are unused between events. */
  readonly #dead = new Uint8Array(STATIC);
  readonly #poisons: Uint8Array[] = [];
  #deadCount = 0;

  constructor(compiled: WebAssembly.Module, module: WasmModule) {
    super(compiled);
    [this.start, this.end] = stateBlock(module);
    this.#state = new WholeState(this.app, STATIC);
    const isLong = module.globalBits.map(bits => bits === 64);
    const globals = module.globals.map((value, i) => (isLong[i] ? value : Number(value)));
    this.#fresh = { memory: module.memory.slice(0, STATIC), globals };
    this.#makePoisons();
    this.restart(false);
  }

  /** Restores a state, with one of two kinds of garbage around it. */
  restore(state: State, poison: 0 | 1): void {
    this.memory.set(this.#poisons[poison]!);
    this.memory.fill(0, this.start, this.end);
    this.memory.set(state.bytes, this.start);
    this.#state.globals = state.globals;
    this.settings = state.stored;
  }

  state(): State {
    let end = this.end;
    while (end > this.start && this.memory[end - 1] === 0) end--;
    const bytes = this.memory.slice(this.start, end);
    const { globals } = this.#state;
    return { bytes, globals, ...(this.settings && { stored: this.settings }) };
  }

  run(event: () => string): Outcome {
    this.frame = UNSEEN;
    try {
      const reply = event();
      const { texts, frame } = this;
      return { reply, shown: frame === UNSEEN ? undefined : { texts, frame } };
    } catch (error) {
      return { reply: '', shown: undefined, trap: String(error) };
    }
  }

  /** Sends a command from elsewhere in reports; its reply arrives in reports too. Returns the reply in hex. */
  exchangeReports(command: Uint8Array): string {
    const { app, memory } = this;
    const at = app.report_buffer();
    let replied = 0;
    for (const report of framed(ELSEWHERE, command)) {
      memory.set(report, at);
      replied = app.report(ELSEWHERE);
    }
    if (replied === 0) return '';
    const reports: Uint8Array[] = [];
    while (app.reply_report() !== 0) reports.push(memory.slice(at, at + 64));
    const reply = unframed(ELSEWHERE, reports);
    if (!reply) throw new Error('the reports of a reply are out of order, or on another channel');
    return Buffer.from(reply).toString('hex');
  }

  cancel(): string {
    this.app.cancel();
    return this.#greet();
  }

  resume(): string {
    this.app.resume();
    return this.#greet();
  }

  /** Restarts the app, with partly written settings or with the stored ones. */
  restart(torn: boolean): string {
    this.memory.set(this.#fresh.memory);
    this.#state.globals = this.#fresh.globals;
    if (torn) this.settings = TORN;
    this.app.boot();
    return this.#greet();
  }

  /**
   * Sends a command from elsewhere, so that the channel is known in every state. Otherwise there would be
   * twice as many states.
   */
  #greet(): string {
    this.exchangeReports(new Uint8Array(100));
    return '';
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
      if (this.memory[at] === poison[at]) continue;
      this.#dead[at] = 1;
      found++;
    }
    if (found > 0) this.#makePoisons();
    this.#deadCount += found;
    return this.#deadCount;
  }

  /** Returns whether anything beyond the static memory was written. */
  wroteBeyond(): boolean {
    return this.memory.subarray(STATIC).some(byte => byte !== 0);
  }

  #makePoisons(): void {
    for (const kind of [0, 1]) {
      const image = this.#fresh.memory.slice();
      for (let at = 0; at < STATIC; at++) {
        if (this.#dead[at]) image[at] = kind === 0 ? (at * 167 + 13) & 0xff : (at * 89 + 201) & 0xff;
      }
      this.#poisons[kind] = image;
    }
  }
}
