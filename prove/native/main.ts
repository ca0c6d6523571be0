// native MODULE: every instruction of the image of a Pico from a key's release on skipped once, the first and the last
// time that it is met, and every branch inverted, at presses that must not sign. MODULE is what the image was made of,
// with names; ZBC_BOARD_IMAGE is the image's directory, if it is not the one that ships. --control: the image lacks a
// check, and a fault must do harm, which ends the run. --all: every key on every page of every session, else the press
// that approves, on every page of a transfer on which it must not.
import { parseArgs } from 'node:util';
import { holdsSecret, SESSIONS, type Session } from '../single-faults/session.js';
import { functionIndex, readModule } from '../wasm/module.js';
import { type Allowed, type Press, rehearse, walkOf } from './situation.js';
import type { Fault, Outcome } from './trial.js';

const { values: options, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false }, control: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const signs = `w2c_f${functionIndex(readModule(positionals[0]!), 'key/signAs')}`;

/**
 * What a trial came to. `garbled`: what left is not one refusal on the channel of the command. `misdrawn`: pixels that no
 * page of the review has stay while it goes on. `menu misdrawn`: the same once it was refused; the next review draws all
 * pixels anew, and so does the reset after a trap, a fault or a hang.
 */
type Verdict = Outcome['end'] | 'refuses' | 'garbled' | 'secret' | 'misdrawn' | 'menu misdrawn';
const HARM: ReadonlySet<Verdict> = new Set(['signs', 'secret', 'garbled', 'misdrawn']);

function judge({ end, frames, reports }: Outcome, allowed: Allowed): Verdict {
  if (end === 'signs') return end;
  if (holdsSecret(reports.join(''))) return 'secret';
  if (reports.length > 1 || reports.some(report => !allowed.reports.has(report))) return 'garbled';
  if (end !== 'idle') return end;
  const isWrong = frames.length > 0 && !allowed.frames.has(frames.at(-1)!);
  if (reports.length > 0) return isWrong ? 'menu misdrawn' : 'refuses';
  return isWrong ? 'misdrawn' : end;
}

/** From the last page on: with a check that is missing, harm is done there soonest. */
function pressesOf(session: Session, { pages }: Allowed): Press[] {
  const approving = pages - 2;
  const keys = options.all ? (['left', 'right', 'both'] as const) : (['both'] as const);
  return Array.from({ length: pages }, (_, page) => pages - 1 - page).flatMap(page =>
    keys.filter(key => key !== 'both' || page !== approving).map(key => ({ session, page, key })),
  );
}

const tally = new Map<Verdict, number>();
const harms: string[] = [];
let instructions = 0;

async function walkPresses(): Promise<void> {
  for (const session of options.all ? SESSIONS : SESSIONS.slice(0, 1)) {
    const allowed = await rehearse(session);
    for (const press of pressesOf(session, allowed)) {
      const walk = await walkOf(press, signs);
      instructions += walk.trace.length;
      const verdict = judge(walk.right, allowed);
      if (HARM.has(verdict)) throw new Error(`${session.name}: ${verdict} without a fault`);
      for (const { fault, outcome } of walk.tried(walk.edges())) {
        count(press, fault, judge(outcome, allowed));
        if (options.control && harms.length > 0) return;
      }
    }
  }
}

function count({ session, page, key }: Press, { kind, step, address }: Fault, verdict: Verdict): void {
  tally.set(verdict, (tally.get(verdict) ?? 0) + 1);
  if (!HARM.has(verdict)) return;
  harms.push(
    `${verdict}: ${session.name}, page ${page}, ${key}: ${kind} at ${address.toString(16)}, step ${step}`,
  );
}

await walkPresses();
const counts = [...tally].sort(([, a], [, b]) => b - a).map(([verdict, times]) => `${times} ${verdict}`);
console.log(`${instructions} instructions, ${counts.join(', ')}`);
for (const harm of harms) console.log(harm);
if (harms.length > 0 !== options.control) process.exitCode = 1;
