// Plants each fault in the code of the boards and sees the tests of the simulated ones notice it: main.js
// [PART OF A NAME].
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDirectory } from '../../testkit/process/temporary-directory.js';
import { listMutations, type Mutation } from '../mutation.js';
import type { FaultGroup } from './fault.js';
import { boot, keystore, noise, seed } from './faults/boot.js';
import { buttons, display, links, settings, trap } from './faults/journeys.js';
import { clock, oled, pins, ram } from './faults/lm3s6965.js';
import { ending, worlds } from './faults/mps2-an505.js';
import { hang, rest } from './faults/pico.js';
import { answers, cells, panel, vault, wiped } from './faults/riscv.js';
import { connection, flow, serial } from './faults/serial.js';
import { keys, products } from './faults/timing.js';
import { review, usb } from './faults/usb.js';
import { tryFault } from './trial.js';

const GROUPS: readonly FaultGroup[] = [
  usb,
  review,
  boot,
  seed,
  noise,
  keystore,
  settings,
  buttons,
  trap,
  display,
  links,
  products,
  keys,
  serial,
  connection,
  flow,
  oled,
  pins,
  clock,
  ram,
  panel,
  answers,
  cells,
  wiped,
  rest,
  hang,
  vault,
  worlds,
  ending,
];
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
  const begun = performance.now();
  const outcome = await tryFault(fault, group, own).then(
    failure => (failure ? `noticed  ${fault.name}: ${failure}` : `MISSED   ${fault.name}`),
    (error: Error) => `BROKEN   ${fault.name}: ${error.message}`,
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
