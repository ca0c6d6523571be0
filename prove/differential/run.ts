import { type Insertions, vectorCases } from './exhaustive.js';
import type { Asked, Judges } from './judgement.js';
import { applyEdits, type RandomCase, randomCases } from './random-case.js';
import { describeFault, minimise } from './reproduction.js';
import { Tally } from './tally.js';

/** `report` is the first fault, in lines to print; missing when there was none. */
export interface Outcome {
  tally: Tally;
  report?: string[];
}

/** Every neighbour of every vector. */
export async function runVectors(judges: Judges, insertions: Insertions, asked: Asked): Promise<Outcome> {
  const tally = new Tally();
  for (const upload of vectorCases(insertions)) {
    const judgement = await judges.judge(upload, asked);
    tally.add(judgement);
    if (judgement.fault) return { tally, report: describeFault(upload, judgement) };
  }
  return { tally };
}

/** All three on random cases, as long as `goesOn` says so of the number of cases judged. */
export async function runRandom(
  judges: Judges,
  seed: number,
  goesOn: (judged: number) => boolean,
): Promise<Outcome> {
  const tally = new Tally();
  for (const found of randomCases(seed)) {
    if (!goesOn(tally.total)) break;
    const judgement = await judges.judge(applyEdits(found), 'three');
    tally.add(judgement);
    if (judgement.fault) return { tally, report: await describeSmallest(judges, found) };
  }
  return { tally };
}

async function describeSmallest(judges: Judges, found: RandomCase): Promise<string[]> {
  const smallest = await minimise(judges, found);
  return [
    ...describeFault(smallest, await judges.judge(smallest, 'three')),
    `edits        ${found.edits.map(({ name, seed }) => `${name} (${seed})`).join(', ')}`,
  ];
}
