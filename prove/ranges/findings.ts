// Findings of an analysis: places by function and position.

/** A place in the code, as `function:position`. */
export type Place = string;

export class Findings {
  /** Accesses and divisions reached. */
  readonly met = new Set<Place>();
  /** The accesses and divisions that were not shown to be safe, with a description. */
  readonly open = new Map<Place, string>();
  /** `unreachable` instructions that may be reached. */
  readonly checks = new Set<Place>();
  /** Maximum number of passes of each loop, from one entry. */
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
