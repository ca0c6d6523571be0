// What an analysis meets: places by function and position.

/** `function:position`. */
export type Place = string;

export class Findings {
  /** Accesses and divisions that are met. */
  readonly met = new Set<Place>();
  /** Of these, those that were not shown to be safe, and what they do. */
  readonly open = new Map<Place, string>();
  /** `unreachable` that may be reached. */
  readonly checks = new Set<Place>();
  /** Passes of each loop at most, from one entry of it. */
  readonly loops = new Map<Place, number>();
  readonly written: [number, number][] = [];

  loop(place: Place, passes: number): void {
    this.loops.set(place, Math.max(this.loops.get(place) ?? 0, passes));
  }

  add(other: Findings): void {
    for (const each of other.met) this.met.add(each);
    for (const [place, what] of other.open) this.open.set(place, what);
    for (const each of other.checks) this.checks.add(each);
    for (const [place, passes] of other.loops) this.loop(place, passes);
    for (const each of other.written) this.written.push(each);
  }
}
