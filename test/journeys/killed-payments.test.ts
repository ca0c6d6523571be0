import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  derivePrivateKey,
  encodeAddress,
  publicKeyOf,
  seedFromMnemonic,
  TEST_MNEMONIC,
  toHex,
} from '@zbc-signer/chain';
import { type Devnet, startDevnet } from '@zbc-signer/devnet';
import { awaitHeight, GatewayClient, retryRead, SYSTEM_CLOCK } from '@zbc-signer/host';
import { type CliResult, runCli, runCommand } from '../../testkit/process/cli.js';
import { caseCount } from '../../testkit/repository/case-count.js';
import { root } from '../../testkit/repository/repository.js';

const PAYMENTS = caseCount(1000, 84);
const PAYERS = 3;
/** The operation at which a command is killed moves on by this many operations from one order to the next. */
const STRIDE = 11;
const AMOUNT = 12_345n;
const SEED = seedFromMnemonic(TEST_MNEMONIC);
const PRELOADED = join(root, 'dist/testkit/process/killed-at.js');
const POST = 'POST /api/v1/transactions';
/** The label of the operation that stores the signed payment, and later its outcome. */
const KEEP = 'rename new entry';
const MOMENTS = ['before', 'during', 'after'] as const;
/** Number of operations of `payments resume`. Each order's first `payments resume` is also killed. */
const RESUME_OPERATIONS = 20;

let devnet: Devnet;
let gateway: GatewayClient;
let stateDirectory: string;

beforeAll(async () => {
  devnet = await startDevnet({ blockTimeMs: 100, namedChain: true });
  gateway = new GatewayClient(devnet.url);
  stateDirectory = mkdtempSync(join(tmpdir(), 'payments-'));
  const { blockHeight } = await gateway.faucet(addressOf(0));
  await awaitHeight(gateway, blockHeight!);
});
afterAll(async () => {
  await devnet.stop();
  rmSync(stateDirectory, { recursive: true });
});

const keyOf = (account: number) => derivePrivateKey(SEED, account);
const addressOf = (account: number) => encodeAddress(publicKeyOf(keyOf(account)));
const env = () => ({ ZBC_SIGNER_API: devnet.url, XDG_STATE_HOME: stateDirectory });
/** Each order pays a different account. */
const recipientOf = (order: number) => 1000 + order;

function sendWords(order: number) {
  const payment = {
    sender_privkey: toHex(keyOf(0)),
    recipient: addressOf(recipientOf(order)),
    amount: Number(AMOUNT),
  };
  return { words: ['send', '--json-input', '--json'], stdin: JSON.stringify(payment) };
}

interface Killed {
  /** The exit code of the command; null if the command was killed. */
  code: number | null;
  /** Operations on the gateway and the journal, up to the one at which the command was killed. */
  operations: string[];
}

/** An operation, and how many times it has occurred so far. */
interface Kill {
  label: string;
  times: number;
  moment: Moment;
}

/** Runs a command, and kills it if it reaches the operation of `kill`. */
async function runKilled(words: readonly string[], stdin: string, kill?: Kill): Promise<Killed> {
  const at = kill && `${kill.moment} ${kill.times} ${kill.label}`;
  const killed = { NODE_OPTIONS: `--import ${PRELOADED}`, ...(at && { KILLED_AT: at }) };
  const { code, stderr } = await runCli(words, { env: { ...env(), ...killed }, stdin });
  return { code, operations: [...stderr.matchAll(/^operation: (.*)$/gm)].map(([, label]) => `${label}`) };
}

type Moment = (typeof MOMENTS)[number];

const STEPS = [
  'before the signature',
  'between the signature and the journal',
  'between the journal and the first byte',
  'during the POST',
  'between the answer to the POST and its note',
  'in the confirmation',
] as const;
type Step = (typeof STEPS)[number];

/** The step in which a command was killed. */
function stepOf(operations: readonly string[], moment: Moment): Step {
  const last = operations.length - 1;
  const kept = operations.indexOf(KEEP);
  const post = operations.indexOf(POST);
  const noted = operations.indexOf(KEEP, kept + 1);
  const isOver = (operation: number) => operation !== -1 && (operation < last || moment === 'after');
  if (!operations.slice(0, -1).includes('open timestamp')) return 'before the signature';
  if (!isOver(kept)) return 'between the signature and the journal';
  if (post === -1 || (post === last && moment === 'before')) return 'between the journal and the first byte';
  if (!isOver(post)) return 'during the POST';
  return isOver(noted) ? 'in the confirmation' : 'between the answer to the POST and its note';
}

/** Half of the orders are killed at one of these, in turn. */
const AIMED: readonly Kill[] = [
  { label: POST, times: 1, moment: 'during' },
  { label: KEEP, times: 1, moment: 'before' },
  { label: POST, times: 1, moment: 'before' },
  { label: KEEP, times: 2, moment: 'before' },
  { label: KEEP, times: 2, moment: 'after' },
  { label: 'open timestamp', times: 1, moment: 'before' },
];

/**
 * Returns the kill for an order. Orders with odd numbers use the kills of `AIMED` in turn. Orders with even
 * numbers are killed at operations that are STRIDE apart, at each of the MOMENTS in turn.
 */
function killOf(order: number, operations: readonly string[]): Kill {
  if (order % 2 === 1) return AIMED[((order - 1) / 2) % AIMED.length]!;
  const round = Math.floor(order / operations.length);
  const moment = MOMENTS[(order + round) % MOMENTS.length]!;
  // One more at each turn, because STRIDE may divide the number of operations, which depends on the network.
  const place = order * STRIDE;
  return killAt(operations, (place + Math.floor(place / operations.length)) % operations.length, moment);
}

/** Kills by label, because a busy gateway causes more requests, which shifts the positions of operations. */
function killAt(operations: readonly string[], at: number, moment: Moment): Kill {
  const label = operations[at]!;
  return { label, times: operations.slice(0, at + 1).filter(each => each === label).length, moment };
}

/** Kills the command that pays an order. Then pays the order as a shop would, and never twice. */
async function payOrder(order: number, kill: Kill): Promise<Step | undefined> {
  const { words, stdin } = sendWords(order);
  const { moment } = kill;
  const { code, operations } = await runKilled(words, stdin, kill);
  if (code === 0) return undefined;
  expect(code).toBeNull();
  const step = stepOf(operations, moment);
  const isKept = await isPending(order);
  const isPaid = (await balanceOf(order)) > 0n;
  if (STEPS.indexOf(step) < STEPS.indexOf('between the journal and the first byte')) {
    // With `during`, an operation that began may have completed.
    expect([step, isPaid, isKept && moment !== 'during']).toEqual([step, false, false]);
  } else {
    expect([order, step, isKept || isPaid]).toEqual([order, step, true]);
  }
  const inResume = { label: 'any', times: 1 + (order % RESUME_OPERATIONS), moment };
  if (isKept) await runKilled(['payments', 'resume', '--json'], '', inResume);
  for (;;) {
    await runCommand(['payments', 'resume', '--json'], { env: env() });
    if (await isPending(order)) continue;
    if ((await balanceOf(order)) > 0n) return step;
    await runCommand(words, { env: env(), stdin });
  }
}

async function isPending(order: number): Promise<boolean> {
  return (await pendingRecipients()).includes(addressOf(recipientOf(order)));
}

async function pendingRecipients(): Promise<string[]> {
  const { code, stdout }: CliResult = await runCommand(['payments', 'list', '--json'], { env: env() });
  expect(code).toBe(0);
  return JSON.parse(stdout).payments.map(({ recipient }: { recipient: string }) => recipient);
}

/** On a busy machine, the network may be overloaded for seconds. */
const READER = {
  request: {},
  clock: { ...SYSTEM_CLOCK, sleep: (durationMs: number) => SYSTEM_CLOCK.sleep(20 * durationMs) },
  report: () => {},
};

async function balanceOf(order: number): Promise<bigint> {
  const account = await retryRead(READER, options => gateway.account(addressOf(recipientOf(order)), options));
  return account?.balance ?? 0n;
}

test(`each of ${PAYMENTS} payments is made once, even if its process is killed at any step`, async () => {
  const { words, stdin } = sendWords(PAYMENTS);
  const { code, operations } = await runKilled(words, stdin);
  expect(code).toBe(0);
  const kills = new Map<Step | 'not killed', number>(STEPS.map(step => [step, 0]));
  let next = 0;
  const payer = async () => {
    for (let order = next++; order < PAYMENTS; order = next++) {
      const step = (await payOrder(order, killOf(order, operations))) ?? 'not killed';
      kills.set(step, (kills.get(step) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: PAYERS }, payer));
  console.log(JSON.stringify(Object.fromEntries(kills)));
  for (let order = 0; order < PAYMENTS; order++)
    expect([order, await balanceOf(order)]).toEqual([order, AMOUNT]);
  expect(await pendingRecipients()).toEqual([]);
  expect(STEPS.filter(step => kills.get(step) === 0)).toEqual([]);
}, 3_600_000);
