// single-faults MODULE: in sessions that sign each type and a message, show an address, register a contact and
// pay it, flips every bit of
// the state between any two events and one bit of every other byte, and inverts every conditional branch. It
// also inverts branches with each setting. --long MODULE: inverts every branch at each execution, flips a bit
// of every other byte before each event, and flips the state with each setting. --control MODULE…: each
// module lacks one of the checks against faults, and a fault must do harm in it.
import { controlModules, inThread } from '../control.js';
import { FaultCampaign, type FoundFault, type Outcome, type Tally } from './faults.js';
import { CONTACT_SESSIONS, SESSIONS } from './session.js';

const WORK = new URL('./work.js', import.meta.url);
const KINDS = ['state', 'constants', 'branches'] as const;

/** Runs two sessions at a time. */
async function runAll(path: string, long: boolean): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const next = SESSIONS.keys();
  const take = async (): Promise<void> => {
    for (const session of next) outcomes[session] = await inThread(WORK, { path, session, long });
  };
  await Promise.all([take(), take()]);
  return outcomes;
}

function sumOf(outcomes: Outcome[], kind: (typeof KINDS)[number]): Tally {
  const sum: Tally = {};
  for (const outcome of outcomes) {
    for (const [verdict, count] of Object.entries(outcome[kind]) as [keyof Tally, number][]) {
      sum[verdict] = (sum[verdict] ?? 0) + count;
    }
  }
  return sum;
}

const line = ({ verdict, session, where }: FoundFault) => `${verdict} in ${session}: ${where}`;

async function proveShipped(path: string, long: boolean): Promise<void> {
  const outcomes = await runAll(path, long);
  for (const kind of KINDS) {
    const tally = Object.entries(sumOf(outcomes, kind)).sort(([, a], [, b]) => b - a);
    const runs = tally.reduce((sum, [, count]) => sum + count, 0);
    console.log(
      `${kind}: ${runs} faults: ${tally.map(([verdict, count]) => `${count} ${verdict}`).join(', ')}`,
    );
  }
  const found = outcomes.flatMap(outcome => outcome.found);
  for (const each of found) console.error(line(each));
  if (found.length > 0) process.exitCode = 1;
}

function harmIn(path: string): string | undefined {
  for (const session of [...SESSIONS.slice(0, 2), ...CONTACT_SESSIONS]) {
    const campaign = FaultCampaign.open(path, session);
    campaign.flipState();
    campaign.invertBranches();
    const { found } = campaign.outcome;
    if (found[0]) return `${found.length} faults do harm; the first is ${line(found[0])}`;
  }
  return undefined;
}

const [first = '', ...paths] = process.argv.slice(2);
if (first === '--control') await controlModules(paths, harmIn);
else if (first === '--long') await proveShipped(paths[0]!, true);
else await proveShipped(first, false);
