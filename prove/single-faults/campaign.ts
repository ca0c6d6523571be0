// Tries single faults in a session of either module: a flipped bit of memory or of a global before an event, or one
// inverted execution of a conditional branch during an event.
import { readFileSync } from 'node:fs';
import type { Image } from '../../testkit/device/exported-globals.js';

/** A flipped bit of the byte at an address, or of the global with this number. */
export interface Flip {
  kind: 'state' | 'constants';
  at: number;
  bit: number;
  isGlobal?: boolean;
}

/**
 * Which faults are tried. `long`: inversions of each execution of a branch, instead of the first and the last.
 * `control`: faults up to the first event in which one does harm.
 */
export type Extent = 'short' | 'long' | 'control';

interface Device<Saved extends Image> {
  readonly memory: Uint8Array;
  restore(image: Saved): void;
}

/** A session without faults, as the start of sessions with one fault. */
export interface Course<Saved extends Image = Image, Faulty extends Device<Saved> = Device<Saved>> {
  readonly name: string;
  /** The device before each event in which faults are tried. */
  readonly images: readonly Saved[];
  /** The module that asks before it branches, and the same one without this, which is faster. */
  readonly asking: Faulty;
  readonly plain: Faulty;
  flipsBefore(event: number, extent: Extent): Iterable<Flip>;
  happen(device: Faulty, event: number): void;
  /** Lets an event happen, continues the session without another fault, and returns how it ends. */
  finish(device: Faulty, event: number, flip?: Flip): string;
  isHarm(end: string, event: number, flip?: Flip): boolean;
  /** Describes an event. */
  describe(event: number): string;
}

/** Sessions with a module. `open` returns one that uses `take` to decide branches. */
export interface Subject {
  readonly sessions: number;
  /** Sessions in which the faults of the control must do harm. */
  readonly controlled: readonly number[];
  open(asking: string, session: number, take: Branches['take']): Course;
}

/** Numbers of faults by kind and by end of the session, and descriptions of faults that did harm. */
export interface Outcome {
  tallies: Record<string, Record<string, number>>;
  found: string[];
}

/** Counts the executions of the conditional branches of a module, or inverts one execution. */
class Branches {
  #target = -1;
  #remaining = 0;
  #counts: Uint32Array | undefined;

  /** Called by the module before a branch; returns the condition that decides it. */
  readonly take = (condition: number, place: number): number => {
    if (this.#counts) this.#counts[place]! += 1;
    if (place !== this.#target || --this.#remaining !== 0) return condition;
    return condition === 0 ? 1 : 0;
  };

  /** How often a run executes each of this many branches. */
  count(places: number, run: () => void): Uint32Array {
    const counts = new Uint32Array(places);
    this.#counts = counts;
    run();
    this.#counts = undefined;
    return counts;
  }

  /** Runs with the execution number `time` of a branch inverted. */
  invert<Result>(place: number, time: number, run: () => Result): Result {
    [this.#target, this.#remaining] = [place, time];
    const result = run();
    this.#target = -1;
    return result;
  }
}

/** Returns each bit of the globals of a device. */
export function bitsOfGlobals({ globals }: Image): Flip[] {
  return globals.flatMap((value, at) =>
    Array.from({ length: typeof value === 'bigint' ? 64 : 32 }, (_, bit) => ({
      kind: 'state' as const,
      at,
      bit,
      isGlobal: true,
    })),
  );
}

function flipBit(value: number | bigint, bit: number): number | bigint {
  return typeof value === 'bigint' ? BigInt.asIntN(64, value ^ (1n << BigInt(bit))) : value ^ (1 << bit);
}

/** Tries each fault in a session of the module `asking`, whose branches are listed beside it. */
export function tryFaults(subject: Subject, asking: string, session: number, extent: Extent): Outcome {
  const places = JSON.parse(readFileSync(`${asking}.json`, 'utf8')) as string[];
  const branches = new Branches();
  const course = subject.open(asking, session, branches.take);
  const outcome: Outcome = { tallies: {}, found: [] };

  const count = (end: string, event: number, where: string, flip?: Flip): void => {
    const tally = (outcome.tallies[flip?.kind ?? 'branches'] ??= {});
    tally[end] = (tally[end] ?? 0) + 1;
    if (course.isHarm(end, event, flip))
      outcome.found.push(`${course.name}: ${end}: ${where}, ${course.describe(event)}`);
  };
  const flipBefore = (event: number, flip: Flip): void => {
    const { at, bit, isGlobal } = flip;
    const { plain, images } = course;
    const image = images[event]!;
    const globals = isGlobal ? image.globals.with(at, flipBit(image.globals[at]!, bit)) : image.globals;
    plain.restore({ ...image, globals });
    if (!isGlobal) plain.memory[at]! ^= 1 << bit;
    count(course.finish(plain, event, flip), event, `bit ${bit} of ${isGlobal ? 'global ' : ''}${at}`, flip);
  };
  const invertDuring = (event: number): void => {
    const { asking: device, images } = course;
    const counts = branches.count(places.length, () => {
      device.restore(images[event]!);
      course.happen(device, event);
    });
    for (const [place, most] of counts.entries()) {
      const times = extent === 'long' ? Array.from({ length: most }, (_, i) => i + 1) : new Set([1, most]);
      for (const time of most === 0 ? [] : times) {
        device.restore(images[event]!);
        const end = branches.invert(place, time, () => course.finish(device, event));
        count(end, event, `${places[place]} (${place}), time ${time}`);
      }
    }
  };

  for (const event of course.images.keys()) {
    for (const flip of course.flipsBefore(event, extent)) flipBefore(event, flip);
    invertDuring(event);
    if (extent === 'control' && outcome.found.length > 0) break;
  }
  return outcome;
}
