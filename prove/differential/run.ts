import type { TransactionCase } from '../../testkit/repository/vectors.js';
import type { Asked, Oracles } from './comparison.js';
import { type Insertions, vectorCases } from './exhaustive.js';
import { applyEdits, type RandomCase, randomCases } from './random-case.js';
import { describeFault, minimise } from './reproduction.js';
import { Tally } from './tally.js';

/** `report` is the first fault, in lines to print; missing when there was none. */
export interface Outcome {
  tally: Tally;
  report?: string[];
}

/** Every neighbour of every vector, or of those given. */
export async function runVectors(
  oracles: Oracles,
  insertions: Insertions,
  asked: Asked,
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

/** All three on random cases, while `goesOn(compared)` is true. */
export async function runRandom(
  oracles: Oracles,
  seed: number,
  goesOn: (compared: number) => boolean,
): Promise<Outcome> {
  const tally = new Tally();
  for (const found of randomCases(seed)) {
    if (!goesOn(tally.total)) break;
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
