// Tries single faults in a session: a flipped bit of memory between two events, or one inverted execution of
// a conditional branch.
import { readFileSync } from 'node:fs';
import { exportGlobals } from '../wasm/exports.js';
import { decodeModule, functionIndex } from '../wasm/module.js';
import {
  bytesOf,
  FaultyDevice,
  type Image,
  judge,
  type Result,
  rehearse,
  type Session,
  type Step,
  type Verdict,
} from './session.js';

export type Tally = Partial<Record<Verdict, number>>;

export interface FoundFault {
  verdict: Verdict;
  session: string;
  /** The place: an address and bit, or a branch, and the step. */
  where: string;
}

export interface Outcome {
  state: Tally;
  constants: Tally;
  branches: Tally;
  found: FoundFault[];
}

/** Outcomes that no fault may have. */
const CRITICAL: Verdict[] = [
  'misdrawn',
  'other hash',
  'other nonce',
  'other signature',
  'early signature',
  'secret',
];
const STATIC = 24576;
const UPLOAD_BYTES = 2048 + 2112;

export class FaultCampaign {
  readonly outcome: Outcome = { state: {}, constants: {}, branches: {}, found: [] };
  readonly #device: FaultyDevice;
  readonly #session: Session;
  readonly #steps: Step[];
  readonly #right: Result[];
  /** The device before each step. */
  readonly #images: Image[] = [];
  readonly #block: [start: number, end: number];
  readonly #places: string[];
  // The inverted branch: its number, and the number of its execution.
  #target = -1;
  #remaining = 0;
  #counts: Uint32Array | undefined;

  static async open(path: string, session: Session): Promise<FaultCampaign> {
    const wasm = readFileSync(path);
    const module = decodeModule(wasm);
    const compiled = await WebAssembly.compile(exportGlobals(wasm, module.globals.length));
    const places = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as string[];
    const { code } = module.functions[functionIndex(module, 'cancel')]!;
    const [start = 0, end = 0] = code
      .filter(({ op, value }) => op === 'i32.const' && value > 64n)
      .map(({ value }) => Number(value));
    return new FaultCampaign(compiled, module.globals.length, session, places, [start, end]);
  }

  private constructor(
    compiled: WebAssembly.Module,
    globals: number,
    session: Session,
    places: string[],
    block: [number, number],
  ) {
    this.#session = session;
    this.#places = places;
    this.#block = block;
    this.#device = new FaultyDevice(compiled, globals, (condition, place) => this.#branch(condition, place));
    this.#device.boot();
    for (const button of session.presses) this.#device.run({ button });
    const fresh = this.#device.image();
    const { steps, right } = rehearse(this.#device, session);
    [this.#steps, this.#right] = [steps, right];
    this.#device.restore(fresh);
    for (const step of steps) {
      this.#images.push(this.#device.image());
      this.#device.run(step);
    }
  }

  #branch(condition: number, place: number): number {
    if (this.#counts) this.#counts[place]!++;
    if (place !== this.#target || --this.#remaining !== 0) return condition;
    return condition === 0 ? 1 : 0;
  }

  /** Flips each bit of the state block, and of the received bytes, before each step. */
  flipState(): void {
    const [start, end] = this.#block;
    for (let at = 1; at < this.#steps.length; at++) {
      const { memory } = this.#images[at]!;
      let last = end + UPLOAD_BYTES;
      while (last > end && memory[last - 1] === 0) last--;
      for (let address = start; address < last; address++) {
        for (let bit = 0; bit < 8; bit++) this.#flip('state', at, address, bit);
      }
      for (let global = 0; global < this.#images[at]!.globals.length; global++) this.#flipGlobal(at, global);
    }
  }

  /** Flips one bit of each byte outside the state, before each step. */
  flipConstantsAlways(): void {
    for (let at = 1; at < this.#steps.length; at++) this.flipConstants(at);
  }

  /** Flips one bit of each byte outside the state, before step `at`: constants, tables, and unused memory. */
  flipConstants(at = this.#steps.length - 1): void {
    for (let address = 0; address < STATIC; address++) {
      if (address >= this.#block[0] && address < this.#block[1] + UPLOAD_BYTES) continue;
      this.#flip('constants', at, address, (address * 5) & 7);
    }
  }

  #flip(kind: 'state' | 'constants', at: number, address: number, bit: number): void {
    this.#device.restore(this.#images[at]!);
    this.#device.memory[address]! ^= 1 << bit;
    this.#finish(kind, at, `bit ${bit} of ${address}`);
  }

  #flipGlobal(at: number, global: number): void {
    const image = this.#images[at]!;
    const value = image.globals[global]!;
    for (let bit = 0; bit < (typeof value === 'bigint' ? 64 : 32); bit++) {
      const globals = [...image.globals];
      globals[global] =
        typeof value === 'bigint' ? BigInt.asIntN(64, value ^ (1n << BigInt(bit))) : value ^ (1 << bit);
      this.#device.restore({ ...image, globals });
      this.#finish('state', at, `bit ${bit} of global ${global}`);
    }
  }

  /** Inverts each conditional branch of each step, at its first and last execution; or `always`. */
  invertBranches(always = false): void {
    for (let at = 0; at < this.#steps.length; at++) {
      this.#counts = new Uint32Array(this.#places.length);
      this.#device.restore(this.#images[at]!);
      this.#device.run(this.#steps[at]!);
      const counts = this.#counts;
      this.#counts = undefined;
      for (const [place, count] of counts.entries()) {
        const times = always ? Array.from({ length: count }, (_, i) => i + 1) : new Set([1, count]);
        for (const time of times) if (count > 0) this.#invert(at, place, time);
      }
    }
  }

  #invert(at: number, place: number, time: number): void {
    this.#device.restore(this.#images[at]!);
    [this.#target, this.#remaining] = [place, time];
    this.#finish('branches', at, `${this.#places[place]} (${place}), time ${time}`);
    this.#target = -1;
  }

  #judge(kind: string, results: Result[], at: number, where: string): Verdict {
    const bytes = bytesOf(this.#session);
    const verdict = judge(this.#right, results, at, this.#session.signed(bytes));
    const [, bit, address] = /^bit (\d) of (\d+)$/.exec(where) ?? [];
    const offset = Number(address) - this.#block[1];
    if (verdict !== 'other signature' || kind !== 'state' || at >= this.#session.apdus.length) return verdict;
    if (!(offset >= 0 && offset < bytes.length)) return verdict;
    bytes[offset]! ^= 1 << Number(bit);
    const again = judge(this.#right, results, at, this.#session.signed(bytes));
    return again === 'other nonce' ? 'other upload' : verdict;
  }

  #finish(kind: 'state' | 'constants' | 'branches', at: number, where: string): void {
    const results: Result[] = [];
    for (const step of this.#steps.slice(at)) {
      const result = this.#device.run(step);
      results.push(result);
      if (result.trapped || result.reply !== this.#right[at + results.length - 1]!.reply) break;
    }
    const verdict = this.#judge(kind, results, at, where);
    const tally = this.outcome[kind];
    tally[verdict] = (tally[verdict] ?? 0) + 1;
    // A flipped constant that stays wrong in later steps is only counted: docs/SOUNDNESS.md#single-faults.
    const isLasting = kind === 'constants' && at < this.#steps.length - 1;
    const isListed = isLasting && (verdict === 'misdrawn' || verdict === 'other signature');
    if (CRITICAL.includes(verdict) && !isListed) {
      this.outcome.found.push({ verdict, session: this.#session.name, where: `${where} before step ${at}` });
    }
  }
}
