// Puts a steady load of every kind of request on a gateway with a full and an archival node, and measures the
// memory of these processes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DEVNET_GENESIS_HASH } from '@zbc-signer/devnet';
import { writeReleases } from '#devnet/node/development-data/releases.js';
import { pick, seededNumbers } from '../../../testkit/chain/numbers.js';
import { Network } from '../../../testkit/network/network.js';
import { openDirectory } from '../../../testkit/process/temporary-directory.js';
import { KnownChainData } from './known-chain-data.js';
import { RULE } from './limits.js';
import { Outcomes } from './outcomes.js';
import { PAYERS, Payer, RECIPIENT } from './payer.js';
import { ProcessMonitor } from './process-monitor.js';
import { DOWNLOAD, LARGE_DOWNLOAD, REQUEST_KINDS } from './request-kinds.js';
import { Traffic } from './traffic.js';

const BLOCK_TIME_SECONDS = 1;
const LARGE_BYTES = 64 * 2 ** 20;
/** A limit that is never reached. It is set because counting the requests of each client costs memory. */
const NO_LIMIT = 1_000_000;

/**
 * Gives the young generation its final size from the start. By default, it grows in steps over minutes, by a
 * quarter of the process's memory.
 */
const YOUNG_GENERATION = ['--min-semi-space-size=16', '--max-semi-space-size=16'];

const HELP = `node dist/test/stress/load/main.js [options]

  --minutes N    duration [1]
  --rate N       requests a second [200]
  --payments N   payments a second in addition, each followed until it is confirmed [5]
  --seed N       seed for the random choice of requests and connections [random]
  --help         print this help

The exit code is 1 if a request failed, or if memory or open descriptors grew:
${RULE}`;

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    rate: { type: 'string', default: '200' },
    payments: { type: 'string', default: '5' },
    seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
    help: { type: 'boolean', default: false },
  },
});

function positive(name: 'minutes' | 'rate' | 'payments' | 'seed'): number {
  const value = Number(options[name]);
  if (value > 0 && Number.isFinite(value)) return value;
  console.error(`--${name} must be a number above 0`);
  process.exit(2);
}

/** A network whose gateway has every feature enabled. */
async function startNetwork(directory: string): Promise<Network> {
  const [downloads, releases] = [join(directory, 'downloads'), join(directory, 'releases')];
  mkdirSync(downloads);
  writeFileSync(join(downloads, DOWNLOAD), Buffer.alloc(50_000, 'file'));
  writeFileSync(join(downloads, LARGE_DOWNLOAD), Buffer.alloc(LARGE_BYTES, 'large'));
  await writeReleases(releases);
  return Network.start(directory, {
    blockTimeSeconds: BLOCK_TIME_SECONDS,
    gateway: {
      downloads_dir: downloads,
      releases_dir: releases,
      relay: { address: 'relay.test:3478', rate: 25_000, genesis_hash: DEVNET_GENESIS_HASH },
      rate_limit: { requests: NO_LIMIT, writes: NO_LIMIT },
      health_interval_ms: 1000,
      metrics_listen: '127.0.0.1:0',
    },
    processes: { nodeOptions: YOUNG_GENERATION },
  });
}

/**
 * Starts `perSecond` tasks per second until the signal, even while earlier ones still run; resolves when all
 * have ended. A task receives its due time in `performance.now()`.
 */
async function keepPace(
  perSecond: number,
  signal: AbortSignal,
  begin: (dueMs: number) => Promise<unknown>,
): Promise<void> {
  const running = new Set<Promise<unknown>>();
  const startMs = performance.now();
  for (let count = 0; !signal.aborted; count += 1) {
    const dueMs = startMs + (count * 1000) / perSecond;
    const earlyMs = dueMs - performance.now();
    if (earlyMs > 0) await pause(earlyMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const task = begin(dueMs).finally(() => running.delete(task));
    running.add(task);
  }
  await Promise.all(running);
}

/** Runs the load and returns the faults found. */
async function runLoad(minutes: number, rate: number, payments: number, seed: number): Promise<string[]> {
  console.log(`${minutes} min of ${rate} requests and ${payments} payments a second, seed ${seed}`);
  const network = await startNetwork(openDirectory('zbc-load-'));
  const numbers = seededNumbers(seed);
  const outcomes = new Outcomes();
  const known = new KnownChainData(
    [...PAYERS, RECIPIENT].map(({ hex }) => hex),
    numbers,
  );
  const traffic = new Traffic(network, known, numbers, outcomes);
  const payer = new Payer(traffic, known, outcomes);
  const watch = new ProcessMonitor(network);

  await warmUp(traffic, payer);
  const before = await watch.descriptorsAtRest();
  const end = AbortSignal.timeout(minutes * 60_000);
  await Promise.all([
    watch.run(end),
    keepPace(rate, end, dueMs => traffic.ask(pick(numbers, REQUEST_KINDS), dueMs)),
    keepPace(payments, end, dueMs => payer.pay(dueMs)),
  ]);
  await traffic.close();
  const after = await watch.descriptorsAgain(before);
  await network.stop();

  for (const line of [...outcomes.describe(), ...payer.describe(), ...watch.describe()]) console.log(line);
  return [...outcomes.errors(), ...watch.faults(before, after)];
}

/** Makes every payer pay, so that there are transactions to request, and sends each kind of request once. */
async function warmUp(traffic: Traffic, payer: Payer): Promise<void> {
  for (const _ of PAYERS) await payer.pay(performance.now());
  for (const kind of REQUEST_KINDS) await traffic.ask(kind, performance.now());
}

if (options.help) {
  console.log(HELP);
} else {
  const faults = await runLoad(positive('minutes'), positive('rate'), positive('payments'), positive('seed'));
  for (const fault of faults) console.error(fault);
  console.log(
    faults.length === 0
      ? 'No request failed; memory and descriptors stayed flat.'
      : `${faults.length} faults.`,
  );
  console.log(`Flat means: ${RULE}.`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
