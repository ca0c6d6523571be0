import { formatCoins, parseAccount, parseCoins } from '../../../../chain/src/index.js';
import { Emulator } from '../../../../emulator/src/index.js';
import { type Devnet, startDevnet } from '../../../../gateway/src/index.js';
import { SEND_ZBC } from '../../../../protocol/transaction-types.js';
import { awaitHeight } from '../../flow/height.js';
import type { FlowEvent } from '../../flow/run.js';
import { type FlowResult, sendTransaction } from '../../flow.js';
import { GatewayClient } from '../../gateway/index.js';
import { Signer } from '../../signer.js';
import { reportProgress } from '../progress.js';
import { drawScreen } from '../screen-art.js';
import { viewResult } from '../sending.js';
import type { Outcome, Terminal } from '../terminal.js';

const BLOCK_TIME_MS = 500;
const POLL_MS = 100;
const AMOUNT = '1.5';
const MESSAGE = 'Hello from the demo';
/** Every approve page has it. */
const APPROVE = 'approve: press both';
/** More than any review of a transfer has. */
const MAX_PAGES = 50;

/** One transfer from account 0 to account 1 of an emulated device, on a chain of its own: all in this process, all removed at the end. */
export async function runDemo(terminal: Terminal): Promise<Outcome> {
  const emulator = await Emulator.start();
  try {
    const devnet = await startDevnet({ blockTimeMs: BLOCK_TIME_MS });
    try {
      return await transfer(emulator, devnet, terminal);
    } finally {
      await devnet.stop();
    }
  } finally {
    emulator.stop();
  }
}

async function transfer(emulator: Emulator, devnet: Devnet, terminal: Terminal): Promise<Outcome> {
  const signer = new Signer(emulator.transport());
  const gateway = new GatewayClient(devnet.url);
  const { signal } = terminal;
  const sender = (await signer.getPublicKey(0, { signal })).address;
  const recipient = (await signer.getPublicKey(1, { signal })).address;
  terminal.say(`An emulated device with the test mnemonic, and a development network at ${devnet.url}`);
  const { blockHeight } = await gateway.faucet(sender, { signal });
  if (blockHeight !== undefined) {
    await awaitHeight(gateway, blockHeight, { signal });
  }
  terminal.say(`The faucet has paid account 0`);
  const amount = parseCoins(AMOUNT);
  const message = new TextEncoder().encode(MESSAGE);
  const report = reportProgress(terminal, true);
  let approval: Promise<void> | undefined;
  const onProgress = (event: FlowEvent) => {
    report(event);
    if (event.step === 'review') {
      approval = approve(emulator, terminal);
      // The flow fails too, and says more.
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
    throw new Error(`the recipient has ${formatCoins(balances[1] ?? 0n)} ZBC instead of ${AMOUNT}`);
  }
  return summarise(result, balances);
}

/** Plays the person: shows every page, then presses both buttons on the last one. */
async function approve(emulator: Emulator, terminal: Terminal): Promise<void> {
  await emulator.waitForReview();
  for (let page = 0; page < MAX_PAGES; page += 1) {
    showScreen(emulator, terminal);
    if (emulator.texts().includes(APPROVE)) {
      emulator.press('both');
      terminal.say('Both buttons pressed: approved');
      return;
    }
    emulator.press('right');
  }
  throw new Error('the review has no approve page');
}

function showScreen(emulator: Emulator, terminal: Terminal): void {
  if (terminal.drawsOnStderr) {
    terminal.say(drawScreen(emulator.frame()));
  }
  const [title = '', ...lines] = emulator.texts();
  terminal.say(`  [screen] ${title}: ${lines.join(' | ')}`);
}

async function readBalances(gateway: GatewayClient, addresses: readonly string[]): Promise<bigint[]> {
  const accounts = await Promise.all(addresses.map(address => gateway.account(address)));
  return accounts.map(account => account?.balance ?? 0n);
}

function summarise(result: FlowResult, [left = 0n, received = 0n]: readonly bigint[]): Outcome {
  const { json, text } = viewResult(result);
  return {
    json: { ...json, sender_balance: left, recipient_balance: received },
    text: [
      text,
      '',
      `The device and the chain agree on the hash. Account 0 has ${formatCoins(left)} ZBC left, account 1 has ${formatCoins(received)} ZBC.`,
    ].join('\n'),
  };
}
