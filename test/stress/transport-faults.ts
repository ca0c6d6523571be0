// Tries random faults of a connection that carries reports: the host must never hang, never accept another
// command's reply, and the next command must work. Exits with 1 at the first violation.
import { parseArgs } from 'node:util';
import { seededNumbers } from '../../testkit/chain/numbers.js';
import { apdu, GET_APP_VERSION, getPublicKey, signMessage } from '../../testkit/device/apdu.js';
import { FAULTS, type Fault } from '../../testkit/device/faulty-device.js';
import { FaultySession } from '../../testkit/device/faulty-session.js';

const { values } = parseArgs({
  options: { faults: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
});
const wanted = Number(values.faults);

const CANCEL_TAG = 6;
const numbers = seededNumbers(Number(values.seed));
const random = () => numbers(2 ** 32) / 2 ** 32;
const below = (limit: number) => Math.floor(random() * limit);

const [messageHeader = GET_APP_VERSION] = signMessage(0, Buffer.alloc(2048, 'a'));
const chunk = (length: number) => apdu(0x07, 1, Buffer.alloc(length, 'a'));
/** Commands with their weights: short and long commands and replies, an upload and, rarely, a review. */
const COMMANDS: [weight: number, command: () => Uint8Array][] = [
  [200, () => GET_APP_VERSION],
  [200, () => messageHeader],
  [600, () => chunk(1 + below(255))],
  [1, () => getPublicKey(below(4))],
  [1, () => getPublicKey(below(4), true)],
];
const WEIGHT = COMMANDS.reduce((sum, [weight]) => sum + weight, 0);

function randomCommand(): Uint8Array {
  let at = below(WEIGHT);
  for (const [weight, command] of COMMANDS) {
    if (at < weight) return command();
    at -= weight;
  }
  return GET_APP_VERSION;
}

function randomFault(): Fault {
  const kind = FAULTS[below(FAULTS.length)]!;
  // A report is at most six reports late, because a host has eight channels.
  return { kind, amount: kind === 'truncate' ? below(64) : kind === 'delay' ? random() * 10 : below(7) };
}

const session = await FaultySession.start();
const happened = new Map<string, number>();
let faults = 0;
let commands = 0;
/** The probability of a fault at each report in a run of commands. */
let rate = 0;
session.faultAt = (_position, report) => {
  // If the end of an abandoned review was lost too, its answer may arrive at any time.
  if (rate === 0 || report[2] === CANCEL_TAG || random() >= rate) return undefined;
  const fault = randomFault();
  happened.set(fault.kind, (happened.get(fault.kind) ?? 0) + 1);
  faults += 1;
  return fault;
};
const replies = { right: 0, errors: 0 };

function fail(what: string): never {
  console.error(`${what}, at command ${commands} of --seed ${values.seed}`);
  process.exit(1);
}

/** Runs a few commands with faults until one fails, then a command without faults. */
async function run(): Promise<void> {
  rate = [0.1, 0.4, 0.8][below(3)]!;
  for (let left = 1 + below(8); left > 0; left -= 1) {
    commands += 1;
    const outcome = await session.outcomeOf(session.exchange(randomCommand()));
    if (outcome === 'hung') fail('the host hangs');
    if (session.device.strays.length > 0) fail(session.device.strays[0]!);
    if ('value' in outcome) replies.right += 1;
    else {
      replies.errors += 1;
      break;
    }
  }
  rate = 0;
  session.hasUser = false;
  await session.drain();
  session.hasUser = true;
  const next = await session.outcomeOf(session.exchange(GET_APP_VERSION));
  if (next === 'hung') fail('the host hangs at the next command');
  if ('error' in next) fail(`the next command fails: ${next.error.message}`);
  if (Buffer.from(next.value).toString('hex', next.value.length - 2) !== '9000')
    fail('the next command is refused');
}

while (faults < wanted) await run();
session.end();
const kinds = [...happened].map(([kind, count]) => `${kind} ${count}`).join(', ');
console.log(
  `${faults} faults (${kinds}) in ${commands} commands: ${replies.right} answered, ${replies.errors} failed`,
);
console.log('no command hung or accepted the reply of another command, and the next command always worked');
