// Measures a trace of 10,000 steps: the time to start a device in the state of a step, and to show a step.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Emulator, formatTrace, parseTrace, record, type Trace } from '@zbc-signer/emulator';
import { renderTracePage, TracePlayer } from '@zbc-signer/emulator/trace';
import { send, signTransaction } from '../testkit/device/apdu.js';
import { openDirectory } from '../testkit/process/temporary-directory.js';
import { transactions } from '../testkit/repository/vectors.js';
import { launchChromium } from '../tools/chromium.js';
import { timed } from './measure.js';

const STEPS = 10_000;
const FORKS = 500;
const SHOWN = 500;
/** Distance between two measured steps. It has no divisor in common with the number of steps. */
const STRIDE = 6173;

/** Times over many steps. */
export interface StepTimes {
  medianMs: number;
  /** The time that one step in a hundred exceeded. */
  p99Ms: number;
  slowestMs: number;
}

interface TraceFigures {
  steps: number;
  megabytes: number;
  /** Time for reading and checking the file. */
  parseMs: number;
  /** Time of the first fork at the last step, which replays all steps. */
  replayMs: number;
  /** Times of later forks at any step. */
  fork: StepTimes;
  /** How long the page in Chromium needs to show another step. Undefined if Chromium is not installed. */
  page: StepTimes | undefined;
}

export async function measureTrace(): Promise<TraceFigures> {
  const text = formatTrace(await recordSteps());
  const parsing = performance.now();
  const trace = parseTrace(text);
  const parseMs = performance.now() - parsing;
  const player = await TracePlayer.open(trace);
  const replayMs = await timed(async () => (await player.fork(trace.steps.length)).stop());
  const forks: number[] = [];
  for (let count = 0; count < FORKS; count++) {
    const step = (count * STRIDE) % (trace.steps.length + 1);
    forks.push(await timed(async () => (await player.fork(step)).stop()));
  }
  player.close();
  return {
    steps: trace.steps.length,
    megabytes: text.length / 1e6,
    parseMs,
    replayMs,
    fork: timesOf(forks),
    page: await measurePage(trace).catch(() => undefined),
  };
}

/** Records the signing of the golden cases, one after another, until the trace has STEPS steps. */
async function recordSteps(): Promise<Trace> {
  const emulator = await Emulator.start({ trace: false });
  const recorder = record(emulator);
  for (let each = 0; recorder.trace.steps.length < STEPS; each++) {
    const request = transactions.cases[each % transactions.cases.length]!;
    const signed = send(apdu => emulator.exchange(apdu), signTransaction(request));
    await emulator.approve();
    await signed;
  }
  emulator.stop();
  return recorder.trace;
}

async function measurePage(trace: Trace): Promise<StepTimes> {
  const browser = await launchChromium();
  const file = join(openDirectory('trace-bench-'), 'trace.html');
  try {
    writeFileSync(file, await renderTracePage(trace, 'bench'));
    const page = await browser.newPage();
    await page.goto(pathToFileURL(file).href);
    const times = await page.evaluate(`(async () => {
      const scrub = document.getElementById('scrub');
      const times = [];
      for (let count = 0; count < ${SHOWN}; count++) {
        const start = performance.now();
        scrub.value = (count * ${STRIDE}) % ${trace.steps.length};
        scrub.dispatchEvent(new Event('input'));
        document.body.getBoundingClientRect();
        times.push(performance.now() - start);
      }
      return times;
    })()`);
    return timesOf(times as number[]);
  } finally {
    await browser.close();
  }
}

function timesOf(times: number[]): StepTimes {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(part * sorted.length)]!;
  return { medianMs: at(0.5), p99Ms: at(0.99), slowestMs: sorted.at(-1)! };
}
