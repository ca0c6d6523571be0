// single-faults MODULE: flips bits of memory and globals between the events of sessions, and inverts every
// conditional branch at its first and last execution: in each kind of review of the signer, or in new seeds, a restore
// and unlocks of the keystore. MODULE asks before it branches. --long MODULE: inverts every branch at each execution, and
// flips a bit of every other byte of the signer before each event. --control MODULE…: each module lacks a check against
// faults, or has a bug that a product has had, and a fault must do harm in it.
import { controlModules, failureOf, inThread, UnprovenClaim } from '../control.js';
import { type Extent, type Outcome, tryFaults } from './campaign.js';
import { subjectOf } from './subject.js';

const WORK = new URL('./work.js', import.meta.url);

/** Runs two sessions at a time. */
async function runAll(path: string, extent: Extent): Promise<Outcome[]> {
  const { sessions } = await subjectOf(path);
  const outcomes: Outcome[] = [];
  const next = Array(sessions).keys();
  const take = async (): Promise<void> => {
    for (const session of next) outcomes[session] = await inThread(WORK, { path, session, extent });
  };
  await Promise.all([take(), take()]);
  return outcomes;
}

async function proveShipped(path: string, extent: Extent): Promise<void> {
  const outcomes = await runAll(path, extent);
  for (const kind of ['state', 'constants', 'branches']) {
    const sum = new Map<string, number>();
    for (const { tallies } of outcomes)
      for (const [end, count] of Object.entries(tallies[kind] ?? {}))
        sum.set(end, (sum.get(end) ?? 0) + count);
    const ends = [...sum].sort(([, a], [, b]) => b - a);
    const faults = ends.reduce((all, [, count]) => all + count, 0);
    if (faults > 0)
      console.log(`${kind}: ${faults} faults: ${ends.map(([end, count]) => `${count} ${end}`).join(', ')}`);
  }
  const found = outcomes.flatMap(outcome => outcome.found);
  for (const each of found) console.error(each);
  if (found.length > 0) process.exitCode = 1;
}

/** Returns the first harm that a fault does; or that the module does without a fault. */
async function harmIn(path: string): Promise<string | undefined> {
  const subject = await subjectOf(path);
  return failureOf(() => {
    for (const session of subject.controlled) {
      const [found] = tryFaults(subject, path, session, 'control').found;
      if (found) throw new UnprovenClaim(found);
    }
  });
}

const [first = '', ...paths] = process.argv.slice(2);
if (first === '--control') await controlModules(paths, harmIn);
else if (first === '--long') await proveShipped(paths[0]!, 'long');
else await proveShipped(first, 'short');
