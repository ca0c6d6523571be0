import type { TransactionCase } from '../../testkit/repository/vectors.js';
import { type Insertions, vectorCases } from './case/exhaustive.js';
import { applyEdits, type RandomCase, randomCases } from './case/random-case.js';
import type { ComparedParties, Comparison, Oracles } from './comparison.js';
import { describeFault, minimise } from './reproduction.js';

/** Counts the outcomes of cases by class. */
class Tally {
  readonly counts = new Map<string, number>();

  add(comparison: Comparison): void {
    const name = classOf(comparison);
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Returns one line per class, in alphabetical order. */
  lines(): string[] {
    const classes = [...this.counts].sort(([one], [other]) => (one < other ? -1 : 1));
    return classes.map(([name, count]) => `${String(count).padStart(9)}  ${name}`);
  }
}

/** `report` describes the first fault in printable lines; missing if there is none. */
export interface Outcome {
  tally: Tally;
  report?: string[];
}

/** Compares the parties on every neighbour of every short vector, or of the given vectors. */
export async function runVectors(
  oracles: Oracles,
  insertions: Insertions,
  asked: ComparedParties,
  vectors?: readonly TransactionCase[],
): Promise<Outcome> {
  const tally = new Tally();
  for (const upload of vectorCases(insertions, vectors)) {
    const comparison = await oracles.compare(upload, asked);
    tally.add(comparison);
    if (comparison.fault) return { tally, report: describeFault(upload, comparison) };
  }
  return { tally };
}

/** Compares firmware, chain/ and node on this many random cases. */
export async function runRandom(oracles: Oracles, seed: number, cases: number): Promise<Outcome> {
  const tally = new Tally();
  for (const found of randomCases(seed)) {
    if (tally.total >= cases) break;
    const comparison = await oracles.compare(applyEdits(found), 'three');
    tally.add(comparison);
    if (comparison.fault) return { tally, report: await describeSmallest(oracles, found) };
  }
  return { tally };
}

async function describeSmallest(oracles: Oracles, found: RandomCase): Promise<string[]> {
  const smallest = await minimise(oracles, found);
  return [
    ...describeFault(smallest, await oracles.compare(smallest, 'three')),
    `edits        ${found.edits.map(({ name, seed }) => `${name} (${seed})`).join(', ')}`,
  ];
}

/** Returns the class of a comparison, such as `fault: …`, `shown: <type>` or `refused: <reason>`. */
function classOf({ fault, difference, chain }: Comparison): string {
  if (fault) return `fault: ${fault}`;
  if (difference) return `only the ${difference.takenBy} accepts ${difference.name} — ${difference.clause}`;
  return 'shown' in chain ? `shown: ${chain.shown[1]?.[1]}` : `refused: ${chain.refused.reason}`;
}
