import { setTimeout as sleep } from 'node:timers/promises';
import { accountFromPublicKey, encodeAccount, publicKeyOf, toHex } from '@zbc-signer/chain';
import type { Chaos } from '@zbc-signer/devnet/chaos';
import { GatewayClient, MemoryJournal } from '@zbc-signer/host';
import { Random } from '#devnet/chaos/add-chaos.js';
import { faultsOf, Ledger } from './audit.js';
import { PaymentNetwork } from './payment-network.js';
import { type Payer, type Report, runSchedule } from './schedule.js';

/** Number of concurrent schedules, each with its own payer, through one gateway. */
const AT_ONCE = 40;
const MAX_RESTART_MS = 1200;

/** The figures of a run; `faults` is empty if every report agrees with the chain. */
interface Summary {
  schedules: number;
  reports: Report[];
  faults: string[];
}

/** Runs the schedules in waves. Each wave has a gateway with its own faults; half of the gateways restart. */
export async function runSchedules(schedules: number, seed: number): Promise<Summary> {
  const random = new Random(seed);
  const network = await PaymentNetwork.start();
  try {
    const payers = Array.from({ length: AT_ONCE }, () => createPayer(random));
    const ledger = new Ledger(network.node.url);
    await fund(network.node.url, payers);
    const summary: Summary = { schedules: 0, reports: [], faults: [] };
    while (summary.schedules < schedules) {
      const count = Math.min(AT_ONCE, schedules - summary.schedules);
      const reports = await runWave(network, payers.slice(0, count), random);
      await ledger.settle(reports);
      summary.schedules += count;
      summary.reports.push(...reports);
      summary.faults.push(...faultsOf(reports, hash => ledger.count(hash)));
    }
    // Payments reported as not sent must not appear later either.
    await ledger.read();
    summary.faults.push(...faultsOf(summary.reports, hash => ledger.count(hash)));
    return { ...summary, faults: [...new Set(summary.faults)] };
  } finally {
    await network.stop();
  }
}

async function runWave(network: PaymentNetwork, payers: readonly Payer[], random: Random): Promise<Report[]> {
  await network.startGateway(drawChaos(random));
  const restartsAfterMs = random.next() < 0.5 ? random.next() * MAX_RESTART_MS : undefined;
  const chaos = drawChaos(random);
  const restart = restartsAfterMs === undefined ? undefined : restartLater(network, restartsAfterMs, chaos);
  const { url } = network;
  const reports = await Promise.all(payers.map(payer => runSchedule(url, payer, random)));
  await restart;
  return reports.flat();
}

async function restartLater(network: PaymentNetwork, delayMs: number, chaos: Chaos): Promise<void> {
  await sleep(delayMs);
  await network.startGateway(chaos);
}

function drawChaos(random: Random): Chaos {
  const harsh = random.next() < 0.3;
  return {
    drop: random.next() * (harsh ? 0.5 : 0.1),
    dropAfter: random.next() * (harsh ? 1 : 0.5),
    busy: random.next() * (harsh ? 0.4 : 0.1),
    delayMs: [0, Math.floor(random.next() * 15)],
    seed: Math.floor(random.next() * 2 ** 31),
  };
}

function createPayer(random: Random): Payer {
  const privateKey = Uint8Array.from({ length: 32 }, () => random.next() * 256);
  const other = Uint8Array.from({ length: 32 }, () => random.next() * 256);
  return {
    privateKey,
    recipient: accountFromPublicKey(publicKeyOf(other)),
    journal: new MemoryJournal(),
  };
}

async function fund(nodeUrl: string, payers: readonly Payer[]): Promise<void> {
  const node = new GatewayClient(nodeUrl);
  for (const { privateKey } of payers) {
    await node.faucet(toHex(encodeAccount(accountFromPublicKey(publicKeyOf(privateKey)))));
  }
}
