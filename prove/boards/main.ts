// Plants each fault in the boards' code and checks that a simulated board's tests detect it: main.js [PART OF
// A NAME].
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDirectory } from '../../testkit/process/temporary-directory.js';
import { listMutations, type Mutation } from '../mutation.js';
import type { FaultGroup } from './fault.js';
import * as boot from './faults/boot.js';
import * as journeys from './faults/journeys.js';
import * as lm3s6965 from './faults/lm3s6965.js';
import * as mps2 from './faults/mps2-an505.js';
import * as pico from './faults/pico.js';
import * as riscv from './faults/riscv.js';
import * as serial from './faults/serial.js';
import * as timing from './faults/timing.js';
import * as usb from './faults/usb.js';
import { tryFault } from './trial.js';

const GROUPS = [usb, boot, journeys, timing, serial, lm3s6965, riscv, pico, mps2].flatMap(
  (groups): FaultGroup[] => Object.values(groups),
);
const AT_ONCE = 2;

const [wanted = ''] = process.argv.slice(2);
const trials = GROUPS.flatMap(group => listMutations(group.faults).map(fault => ({ group, fault }))).filter(
  ({ fault }) => fault.name.includes(wanted),
);
const directory = openDirectory('board-faults-');
let missed = 0;

async function attempt(fault: Mutation, group: FaultGroup, number: number): Promise<void> {
  const own = join(directory, String(number));
  mkdirSync(own);
  const name = `${fault.name} (${group.guards})`;
  const begun = performance.now();
  const outcome = await tryFault(fault, group, own).then(
    failure => (failure ? `noticed  ${name}: ${failure}` : `MISSED   ${name}`),
    (error: Error) => `BROKEN   ${name}: ${error.message}`,
  );
  if (!outcome.startsWith('noticed')) missed++;
  console.log(`${outcome} (${Math.round((performance.now() - begun) / 1000)} s)`);
}

const queue = trials.entries();
async function work(): Promise<void> {
  for (const [number, { fault, group }] of queue) await attempt(fault, group, number);
}
await Promise.all(Array.from({ length: AT_ONCE }, work));
console.log(`${trials.length - missed} of ${trials.length} planted faults were noticed`);
if (missed > 0 || trials.length === 0) process.exitCode = 1;
