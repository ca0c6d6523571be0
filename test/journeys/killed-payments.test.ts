import { type FSWatcher, mkdirSync, mkdtempSync, rmSync, watch } from 'node:fs';
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
import { awaitHeight, GatewayClient } from '@zbc-signer/host';
import { type CliResult, runCommand, startCli } from '../../testkit/process/cli.js';
import { caseCount } from '../../testkit/repository/case-count.js';

const PAYMENTS = caseCount(1000, 40);
const PAYERS = 2;
const AMOUNT = 12_345n;
/** Of a command from its start, and from a write to the journal, its own or another's. */
const COMMAND_MS = 2000;
const JOURNAL_MS = 200;
const SEED = seedFromMnemonic(TEST_MNEMONIC);

let devnet: Devnet;
let gateway: GatewayClient;
let stateDirectory: string;
let journalWrites: FSWatcher;

beforeAll(async () => {
  devnet = await startDevnet({ blockTimeMs: 100, namedChain: true });
  gateway = new GatewayClient(devnet.url);
  stateDirectory = mkdtempSync(join(tmpdir(), 'payments-'));
  const journal = join(stateDirectory, 'zbc-signer/payments');
  mkdirSync(journal, { recursive: true });
  journalWrites = watch(journal);
  journalWrites.setMaxListeners(PAYERS);
  const { blockHeight } = await gateway.faucet(addressOf(0));
  await awaitHeight(gateway, blockHeight!);
});
afterAll(async () => {
  journalWrites.close();
  await devnet.stop();
  rmSync(stateDirectory, { recursive: true });
});

const keyOf = (account: number) => derivePrivateKey(SEED, account);
const addressOf = (account: number) => encodeAddress(publicKeyOf(keyOf(account)));
const env = () => ({ ZBC_SIGNER_API: devnet.url, XDG_STATE_HOME: stateDirectory });
/** Each order is to an account of its own. */
const recipientOf = (order: number) => 1000 + order;

function sendWords(order: number) {
  const payment = {
    sender_privkey: toHex(keyOf(0)),
    recipient: addressOf(recipientOf(order)),
    amount: Number(AMOUNT),
  };
  return { words: ['send', '--json-input', '--json'], stdin: JSON.stringify(payment) };
}

/** What a killed command had come to, by what is in the journal and on the chain. */
type Moment = 'before the journal' | 'in the journal' | 'on the chain' | 'done';

/** Kills the command of an order after a while; pays the order in the end, as a shop would, and never twice. */
async function payOrder(order: number): Promise<Moment> {
  const { words, stdin } = sendWords(order);
  const { child, done } = startCli(words, { env: env(), stdin });
  const kill = () => setTimeout(() => child.kill('SIGKILL'), Math.random() * JOURNAL_MS * Math.random());
  const timer = order % 3 === 0 ? setTimeout(kill, Math.random() * COMMAND_MS) : undefined;
  const onWrite = (_type: unknown, name: unknown) => {
    if (/^[0-9a-f]+\.json$/.test(`${name}`)) kill();
  };
  if (timer === undefined) journalWrites.on('change', onWrite);
  const { code } = await done;
  clearTimeout(timer);
  journalWrites.removeListener('change', onWrite);
  if (code === 0) return 'done';
  const isKept = (await pendingRecipients()).includes(addressOf(recipientOf(order)));
  const wasPaid = (await balanceOf(order)) > 0n;
  for (;;) {
    await runCommand(['payments', 'resume', '--json'], { env: env() });
    const pending = await pendingRecipients();
    if (pending.includes(addressOf(recipientOf(order)))) continue;
    if ((await balanceOf(order)) > 0n) break;
    await runCommand(words, { env: env(), stdin });
  }
  if (wasPaid) return 'on the chain';
  return isKept ? 'in the journal' : 'before the journal';
}

async function pendingRecipients(): Promise<string[]> {
  const { code, stdout }: CliResult = await runCommand(['payments', 'list', '--json'], { env: env() });
  expect(code).toBe(0);
  return JSON.parse(stdout).payments.map(({ recipient }: { recipient: string }) => recipient);
}

async function balanceOf(order: number): Promise<bigint> {
  const account = await gateway.account(addressOf(recipientOf(order)));
  return account?.balance ?? 0n;
}

test(`of ${PAYMENTS} payments whose commands are killed, each is made once`, async () => {
  const moments = new Map<Moment, number>();
  let next = 0;
  const payer = async () => {
    for (let order = next++; order < PAYMENTS; order = next++) {
      const moment = await payOrder(order);
      moments.set(moment, (moments.get(moment) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: PAYERS }, payer));
  console.log(JSON.stringify(Object.fromEntries(moments)));
  for (let order = 0; order < PAYMENTS; order++)
    expect([order, await balanceOf(order)]).toEqual([order, AMOUNT]);
  expect(await pendingRecipients()).toEqual([]);
}, 3_600_000);
