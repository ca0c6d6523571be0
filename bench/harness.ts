// Measures a test with the emulator as a library (the harness), and a thousand devices in one process.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Emulator } from '@zbc-signer/emulator';
import { send, signTransaction } from '../testkit/device/apdu.js';
import { transactions } from '../testkit/repository/vectors.js';
import { processorMs } from './measure.js';

const FLOWS = 200;
const EMULATORS = 1000;
const SCRIPT = fileURLToPath(import.meta.url);

interface HarnessFigures {
  /** Processor time, the median and maximum of FLOWS runs: start, review, comparison of every item, approval and stop. */
  medianMs: number;
  slowestMs: number;
  /** Memory per device with an open review. */
  kilobytesPerEmulator: number;
  /** Processor time from the first command to the last signature of EMULATORS devices that sign concurrently. */
  allSignedMs: number;
}

export async function measureHarness(): Promise<HarnessFigures> {
  const times: number[] = [];
  for (let run = 0; run < FLOWS; run++) {
    const start = process.cpuUsage();
    await runFlow(transactions.cases[run % transactions.cases.length]!);
    times.push(processorMs(start));
  }
  times.sort((a, b) => a - b);
  // This is measured in a separate process, because this process would reuse memory that earlier runs have
  // freed.
  const many = JSON.parse(execFileSync(process.execPath, [SCRIPT], { encoding: 'utf8' }));
  return { medianMs: times[FLOWS >> 1]!, slowestMs: times.at(-1)!, ...many };
}

async function runFlow(request: (typeof transactions.cases)[number]): Promise<void> {
  const emulator = await Emulator.start();
  const reply = send(apdu => emulator.exchange(apdu), signTransaction(request));
  await emulator.expectReview(request.expect.review);
  await emulator.approve();
  check(request, (await reply).data);
  emulator.stop();
}

export function check({ name, expect }: (typeof transactions.cases)[number], data: Buffer): void {
  if (data.toString('hex') !== expect.signature + expect.tx_hash) throw new Error(`wrong signature: ${name}`);
}

async function measureMany(): Promise<Pick<HarnessFigures, 'kilobytesPerEmulator' | 'allSignedMs'>> {
  await runFlow(transactions.cases[0]!);
  const before = process.memoryUsage.rss();
  const emulators = await Promise.all(Array.from({ length: EMULATORS }, () => Emulator.start()));
  const cases = emulators.map((_, index) => transactions.cases[index % transactions.cases.length]!);
  const start = process.cpuUsage();
  const replies = emulators.map((emulator, index) =>
    send(apdu => emulator.exchange(apdu), signTransaction(cases[index]!)),
  );
  await Promise.all(emulators.map(emulator => emulator.waitForReview()));
  const kilobytesPerEmulator = (process.memoryUsage.rss() - before) / EMULATORS / 1000;
  await Promise.all(emulators.map(emulator => emulator.approve()));
  for (const [index, { data }] of (await Promise.all(replies)).entries()) check(cases[index]!, data);
  return { kilobytesPerEmulator, allSignedMs: processorMs(start) };
}

if (process.argv[1] === SCRIPT) console.log(JSON.stringify(await measureMany()));
