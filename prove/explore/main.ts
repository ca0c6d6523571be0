// explore: every state of the shipped module over the alphabet, to closure. explore --control MODULE…:
// modules with a planted fault, each of which must be found.
import { basename, dirname } from 'node:path';
import { NAMED_MODULE } from '../wasm/module.js';
import { explore } from './explore.js';

/** States within which a planted fault must show. */
const CONTROL_STATES = 8000;

async function exploreShipped(): Promise<void> {
  const start = process.hrtime.bigint();
  const { violation, ...counts } = await explore(NAMED_MODULE);
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  if (violation) throw new Error(violation);
  console.log(
    `${counts.states} states and ${counts.transitions} transitions to closure, on rubbish in ${counts.deadBytes} ` +
      `dead bytes: ${counts.reviews} reviews opened, ${counts.approvals} approvals, ` +
      `${counts.frames} different frames; ${seconds.toFixed(0)} s`,
  );
}

async function control(paths: string[]): Promise<void> {
  for (const path of paths) {
    const { violation } = await explore(path, CONTROL_STATES);
    const name = basename(dirname(path));
    if (violation) console.log(`${`${name}:`.padEnd(22)}${violation.slice(0, 120)}`);
    else {
      console.error(`${name} is not found`);
      process.exitCode = 1;
    }
  }
}

const [first, ...paths] = process.argv.slice(2);
if (first === '--control') await control(paths);
else await exploreShipped();
