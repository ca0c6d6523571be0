import { randomInt } from 'node:crypto';
import { formatCoinAmount, parseAccount, parseCoins } from '@zbc-signer/chain';
import type { Devnet } from '@zbc-signer/devnet';
import type { Emulator } from '@zbc-signer/emulator';
import { drawScreen } from '@zbc-signer/emulator/screen-art';
import {
  awaitHeight,
  type FlowEvent,
  GatewayClient,
  Signer,
  sendTransaction,
  type TransactionOutcome,
} from '@zbc-signer/host';
import { SEND_ZBC } from '@zbc-signer/protocol/transaction-types';
import { requireLoopback } from '../input/network.js';
import { reportProgress } from '../output/progress.js';
import type { Outcome, Terminal } from '../output/terminal.js';
import { defineCommand } from '../parser/command.js';
import { viewResult } from '../transaction/sending.js';

const ROLLS = 50;
const FACES = 6;
const BLOCK_TIME_MS = 500;
const POLL_MS = 100;
const AMOUNT = '1.5';
const MESSAGE = 'Hello from the demo';
/** Shown on the last page of every review. */
const APPROVE = 'approve: press both';
/** This limit is above the number of pages of any transfer's review. */
const MAX_PAGES = 50;

const demo = defineCommand({
  options: { keystore: { type: 'boolean', describe: 'first make a seed with dice and restore it' } },
  examples: [['$0 demo', 'needs no setup, and cleans up after itself']],

  async run({ keystore }, terminal) {
    requireLoopback();
    const { Emulator } = await import('@zbc-signer/emulator');
    const { startDevnet } = await import('@zbc-signer/devnet');
    const emulator = await Emulator.start({ device: null, ...(keystore && { keystore: {} }) });
    try {
      if (keystore) await makeSeed(emulator, terminal);
      const devnet = await startDevnet({ blockTimeMs: BLOCK_TIME_MS, namedChain: true });
      try {
        return await transfer(emulator, devnet, terminal);
      } finally {
        await devnet.stop();
      }
    } finally {
      emulator.stop();
    }
  },
});

/** Simulates a user who rolls a die, writes the words down, and enters them again after a power cut. */
async function makeSeed(emulator: Emulator, terminal: Terminal): Promise<void> {
  const { createSeed, restoreSeed } = await import('@zbc-signer/emulator');
  const record = Array.from({ length: ROLLS }, () => randomInt(1, FACES + 1)).join('');
  const { mnemonic, fingerprint } = createSeed(emulator, { record });
  terminal.report(
    `${ROLLS} rolls were entered and every word was checked: the fingerprint is ${fingerprint}`,
  );
  emulator.restart();
  terminal.report(`The power was cut: ${emulator.texts().join(' ')}`);
  if (restoreSeed(emulator, mnemonic) !== fingerprint)
    throw new Error('the restored seed is a different one');
  terminal.report('The words were entered again with two buttons: the fingerprint is the same');
}

async function transfer(emulator: Emulator, devnet: Devnet, terminal: Terminal): Promise<Outcome> {
  const signer = new Signer(emulator.transport());
  const gateway = new GatewayClient(devnet.url);
  const { signal } = terminal;
  const sender = (await signer.getPublicKey(0, { signal })).address;
  const recipient = (await signer.getPublicKey(1, { signal })).address;
  const seed = emulator.seedKind === 'test' ? 'the test mnemonic' : 'this seed';
  terminal.report(`An emulated device with ${seed}, and a development network at ${devnet.url}`);
  const { blockHeight } = await gateway.faucet(sender, { signal });
  await awaitHeight(gateway, blockHeight, { signal });
  terminal.report('The faucet has paid account 0');
  const amount = parseCoins(AMOUNT);
  const message = new TextEncoder().encode(MESSAGE);
  const report = reportProgress(terminal, true);
  let approval: Promise<void> | undefined;
  const onProgress = (event: FlowEvent) => {
    report(event);
    if (event.step === 'review') {
      approval = approve(emulator, terminal);
      // The flow also rejects, with a better error.
      approval.catch(() => undefined);
    }
  };
  const result = await sendTransaction(
    { type: SEND_ZBC, recipient: parseAccount(recipient), amount, message },
    { gateway, signer, account: 0, pollMs: POLL_MS, signal, onProgress },
  );
  await approval;
  const balances = await readBalances(gateway, [sender, recipient]);
  if (balances[1] !== amount) {
    throw new Error(`the recipient has ${formatCoinAmount(balances[1] ?? 0n)} instead of ${AMOUNT}`);
  }
  return summarise(result, balances);
}

/** Simulates the user: prints every page, then presses both buttons on the last one. */
async function approve(emulator: Emulator, terminal: Terminal): Promise<void> {
  await emulator.waitForReview();
  for (let page = 0; page < MAX_PAGES; page += 1) {
    showScreen(emulator, terminal);
    if (emulator.texts().includes(APPROVE)) {
      emulator.press('both');
      terminal.report('Both buttons pressed: approved');
      return;
    }
    emulator.press('right');
  }
  throw new Error('the review has no approve page');
}

function showScreen(emulator: Emulator, terminal: Terminal): void {
  if (terminal.canDraw) terminal.report(drawScreen(emulator.frame()));
  const [title = '', ...lines] = emulator.texts();
  terminal.report(`  [screen] ${title}: ${lines.join(' | ')}`);
}

async function readBalances(gateway: GatewayClient, addresses: readonly string[]): Promise<bigint[]> {
  const accounts = await Promise.all(addresses.map(address => gateway.account(address)));
  return accounts.map(account => account?.balance ?? 0n);
}

function summarise(result: TransactionOutcome, [left = 0n, received = 0n]: readonly bigint[]): Outcome {
  const { json, text } = viewResult(result);
  return {
    json: { ...Object(json), sender_balance: left, recipient_balance: received },
    text: [
      text,
      '',
      'The device and the chain agree on the hash.',
      `Account 0 has ${formatCoinAmount(left)} left, account 1 has ${formatCoinAmount(received)}.`,
    ].join('\n'),
  };
}

export const commands = { demo };
