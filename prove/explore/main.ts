// explore: explores the states of the shipped module that the alphabet reaches with one changed setting at a
// time. explore --all: with settings in all combinations. explore --control MODULE…: explores modules with a
// planted fault, each of which must be found.
import { controlModules, refutationOf } from '../control.js';
import { NAMED_MODULE } from '../wasm/module.js';
import { explore } from './explore.js';

/** Number of states within which a planted fault must be found. */
const CONTROL_STATES = 8000;

function exploreShipped(isWhole: boolean): void {
  const start = process.hrtime.bigint();
  const counts = explore(NAMED_MODULE, isWhole);
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  console.log(
    `${counts.states} states and ${counts.transitions} transitions until no state was new, with garbage in ${counts.deadBytes} ` +
      `bytes outside the state: ${counts.reviews} reviews opened, ${counts.approvals} approvals, ` +
      `${counts.frames} different frames; ${seconds.toFixed(0)} s`,
  );
}

const [first, ...paths] = process.argv.slice(2);
if (first === '--control')
  await controlModules(paths, path => refutationOf(() => explore(path, false, CONTROL_STATES)));
else exploreShipped(first === '--all');
