// Measures a whole test of an app, from the start of a new device to its end. The test reads a transfer page
// by page and approves it.
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Emulator } from '@zbc-signer/emulator';
import { attachZemu, stubElf } from '@zbc-signer/emulator/zemu';
import { Signer } from '@zbc-signer/host/node';
import { approveWithZemu, FLOWS, Zemu } from '../testkit/screen/zemu-flow.js';
import { median } from '../testkit/time/median.js';
import { timed } from './measure.js';

const ZEMU_RUNS = 7;
const HARNESS_RUNS = 50;
const TRANSFER = FLOWS[0]!;

interface WholeTestTimes {
  zemuMs: number;
  /** The part of `zemuMs` in which Zemu slept. */
  zemuSleepMs: number;
  harnessMs: number;
}

async function medianOf(runs: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await timed(work));
  return median(times);
}

async function checkWithHarness(): Promise<void> {
  const emulator = await Emulator.start();
  const reply = TRANSFER.ask(new Signer(emulator.transport()));
  await emulator.review();
  emulator.press('both');
  if ((await reply) !== TRANSFER.expected) throw new Error('the signature is not that of the golden case');
  emulator.stop();
}

/** Measures both tests: medians in milliseconds. The first run of each test is not counted. */
export async function measureWholeTests(): Promise<WholeTestTimes> {
  const elf = stubElf();
  const sleep = Zemu.sleep;
  let sleptMs = 0;
  Zemu.sleep = async timeMs => {
    sleptMs += await timed(() => sleep.call(Zemu, timeMs));
  };
  const checkWithZemu = () => approveWithZemu(attachZemu(new Zemu(elf)), TRANSFER, 'nanosp');
  await checkWithZemu();
  sleptMs = 0;
  const zemuMs = await medianOf(ZEMU_RUNS, checkWithZemu);
  const zemuSleepMs = sleptMs / ZEMU_RUNS;
  Zemu.sleep = sleep;
  rmSync(dirname(elf), { recursive: true });
  await checkWithHarness();
  return { zemuMs, zemuSleepMs, harnessMs: await medianOf(HARNESS_RUNS, checkWithHarness) };
}
