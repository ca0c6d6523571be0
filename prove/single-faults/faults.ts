// Tries single faults in a session: a flipped bit of memory between two events, or one inverted execution of
// a conditional branch.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sealedBlock } from '../sealed-block.js';
import { openWithGlobals } from '../wasm/exports.js';
import { Branches, flippedGlobals } from './inversion.js';
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
  'wrong name',
  'secret',
];
const STATIC = 24576;
const UPLOAD_BYTES = 2048 + 2112;

export class FaultCampaign {
  readonly outcome: Outcome = { state: {}, constants: {}, branches: {}, found: [] };
  /** The module whose branches can be inverted, and the same one without this, which is faster. */
  readonly #asking: FaultyDevice;
  readonly #plain: FaultyDevice;
  readonly #session: Session;
  /** The data of the correct signature. */
  readonly #signed: Uint8Array | undefined;
  readonly #steps: Step[];
  /** Faults occur before steps of lower numbers. After a refusal, the steps are presses in the menu. */
  readonly #end: number;
  readonly #right: Result[];
  /** The device before each step. */
  readonly #images: Image[] = [];
  readonly #block: [start: number, end: number];
  readonly #places: string[];
  readonly #branches = new Branches();

  static open(path: string, session: Session): FaultCampaign {
    const { compiled, module } = openWithGlobals(path);
    const plain = openWithGlobals(join(dirname(path), 'signer.wasm')).compiled;
    const places = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as string[];
    return new FaultCampaign(compiled, plain, session, places, sealedBlock(module));
  }

  private constructor(
    asking: WebAssembly.Module,
    plain: WebAssembly.Module,
    session: Session,
    places: string[],
    block: [number, number],
  ) {
    this.#session = session;
    this.#places = places;
    this.#block = block;
    this.#signed = session.proved ? undefined : session.signed(bytesOf(session));
    this.#asking = new FaultyDevice(asking, this.#branches.take);
    this.#plain = new FaultyDevice(plain);
    this.#plain.boot();
    for (const button of session.presses) this.#plain.run({ button });
    const fresh = this.#plain.image();
    const { steps, right } = rehearse(this.#plain, session);
    [this.#steps, this.#right] = [steps, right];
    this.#end = session.proved ? session.apdus.length : steps.length;
    this.#plain.restore(fresh);
    for (const step of steps) {
      this.#images.push(this.#plain.image());
      this.#plain.run(step);
    }
  }

  /** Flips each bit of the state block, and of the received bytes, before each step. */
  flipState(): void {
    const [start, end] = this.#block;
    for (let at = 1; at < this.#end; at++) {
      const { memory } = this.#images[at]!;
      let last = end + UPLOAD_BYTES;
      while (last > end && memory[last - 1] === 0) last--;
      for (let address = start; address < last; address++) {
        for (let bit = 0; bit < 8; bit++) this.#flip('state', at, address, bit);
      }
      for (const [globals, where] of flippedGlobals(this.#images[at]!.globals)) {
        this.#plain.restore({ ...this.#images[at]!, globals });
        this.#finish('state', this.#plain, at, where);
      }
    }
  }

  /** Flips one bit of each byte outside the state, before each step. */
  flipConstantsAlways(): void {
    for (let at = 1; at < this.#end; at++) this.flipConstants(at);
  }

  /** Flips one bit of each byte outside the state, before step `at`: constants, tables, and unused memory. */
  flipConstants(at = this.#end - 1): void {
    for (let address = 0; address < STATIC; address++) {
      if (address >= this.#block[0] && address < this.#block[1] + UPLOAD_BYTES) continue;
      this.#flip('constants', at, address, (address * 5) & 7);
    }
  }

  #flip(kind: 'state' | 'constants', at: number, address: number, bit: number): void {
    this.#plain.restore(this.#images[at]!);
    this.#plain.memory[address]! ^= 1 << bit;
    this.#finish(kind, this.#plain, at, `bit ${bit} of ${address}`);
  }

  /** Inverts each conditional branch of each step, at its first and last execution; or `always`. */
  invertBranches(always = false): void {
    for (let at = 0; at < this.#end; at++) {
      const counts = this.#branches.count(this.#places.length, () => {
        this.#asking.restore(this.#images[at]!);
        this.#asking.run(this.#steps[at]!);
      });
      for (const [place, count] of counts.entries()) {
        const times = always ? Array.from({ length: count }, (_, i) => i + 1) : new Set([1, count]);
        for (const time of times) if (count > 0) this.#invert(at, place, time);
      }
    }
  }

  #invert(at: number, place: number, time: number): void {
    this.#asking.restore(this.#images[at]!);
    const where = `${this.#places[place]} (${place}), time ${time}`;
    this.#branches.invert(place, time, () => this.#finish('branches', this.#asking, at, where));
  }

  #judge(kind: string, results: Result[], at: number, where: string): Verdict {
    const verdict = judge(this.#right, results, at, this.#signed);
    if (verdict !== 'other signature' || kind !== 'state' || at >= this.#session.apdus.length) return verdict;
    const [, bit, address] = /^bit (\d) of (\d+)$/.exec(where) ?? [];
    const offset = Number(address) - this.#block[1];
    const bytes = bytesOf(this.#session);
    if (!(offset >= 0 && offset < bytes.length)) return verdict;
    bytes[offset]! ^= 1 << Number(bit);
    const again = judge(this.#right, results, at, this.#session.signed(bytes));
    return again === 'other nonce' ? 'other upload' : verdict;
  }

  #finish(kind: 'state' | 'constants' | 'branches', device: FaultyDevice, at: number, where: string): void {
    const results: Result[] = [];
    for (const step of this.#steps.slice(at)) {
      const result = device.run(step);
      results.push(result);
      if (result.trapped || result.reply !== this.#right[at + results.length - 1]!.reply) break;
    }
    const verdict = this.#judge(kind, results, at, where);
    const tally = this.outcome[kind];
    tally[verdict] = (tally[verdict] ?? 0) + 1;
    // A flipped constant that stays wrong in later steps is only counted: docs/SOUNDNESS.md#single-faults.
    const isLasting = kind === 'constants' && at < this.#end - 1;
    const isListed = isLasting && (verdict === 'misdrawn' || verdict === 'other signature');
    if (CRITICAL.includes(verdict) && !isListed) {
      this.outcome.found.push({ verdict, session: this.#session.name, where: `${where} before step ${at}` });
    }
  }
}
