import type { Comparison } from './comparison.js';

/** How many cases ended how, by class. */
export class Tally {
  readonly counts = new Map<string, number>();

  add(comparison: Comparison): void {
    const name = classOf(comparison);
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** One line a class, in alphabetical order. */
  lines(): string[] {
    const classes = [...this.counts].sort(([one], [other]) => (one < other ? -1 : 1));
    return classes.map(([name, count]) => `${String(count).padStart(9)}  ${name}`);
  }
}

/** `fault: …`, `difference: …`, `shown: <type>` or `refused: <reason>`. */
function classOf({ fault, difference, chain }: Comparison): string {
  if (fault) return `fault: ${fault}`;
  if (difference) return `only the ${difference.takenBy} takes ${difference.name} — ${difference.clause}`;
  return 'shown' in chain ? `shown: ${chain.shown[1]?.[1]}` : `refused: ${chain.refused.reason}`;
}
