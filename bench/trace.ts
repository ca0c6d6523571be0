// Measures a trace of 10,000 steps: the time to bring a step to life and to show it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Emulator, formatRecording, parseRecording, type Recording, record } from '@zbc-signer/emulator';
import { renderTracePage, Trace } from '@zbc-signer/emulator/trace';
import { send, signTransaction } from '../testkit/device/apdu.js';
import { transactions } from '../testkit/repository/vectors.js';
import { launchChromium } from '../tools/chromium.js';
import { timed } from './measure.js';

const STEPS = 10_000;
const FORKS = 500;
const SHOWN = 500;
/** Has no divisor in common with the number of steps. */
const STRIDE = 6173;

/** Times over many steps. */
export interface Times {
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
  /** Time of the first fork of the last step, which replays all of them. */
  replayMs: number;
  /** Times of later forks of any step. */
  fork: Times;
  /** Times of one step of the page in Chromium, up to the next picture; undefined without Chromium. */
  page: Times | undefined;
}

export async function measureTrace(): Promise<TraceFigures> {
  const text = formatRecording(await recordSteps());
  const parsing = performance.now();
  const recording = parseRecording(text);
  const parseMs = performance.now() - parsing;
  const trace = await Trace.open(recording);
  const replayMs = await timed(async () => (await trace.fork(recording.steps.length)).stop());
  const forks: number[] = [];
  for (let count = 0; count < FORKS; count++) {
    const step = (count * STRIDE) % (recording.steps.length + 1);
    forks.push(await timed(async () => (await trace.fork(step)).stop()));
  }
  trace.close();
  return {
    steps: recording.steps.length,
    megabytes: text.length / 1e6,
    parseMs,
    replayMs,
    fork: timesOf(forks),
    page: await measurePage(recording).catch(() => undefined),
  };
}

/** Records the approval of every transaction of the vectors in turn. */
async function recordSteps(): Promise<Recording> {
  const emulator = await Emulator.start({ trace: false });
  const recorder = record(emulator);
  for (let each = 0; recorder.recording.steps.length < STEPS; each++) {
    const request = transactions.cases[each % transactions.cases.length]!;
    const signed = send(apdu => emulator.exchange(apdu), signTransaction(request));
    await emulator.approve();
    await signed;
  }
  emulator.stop();
  return recorder.recording;
}

async function measurePage(recording: Recording): Promise<Times> {
  const browser = await launchChromium();
  const directory = mkdtempSync(join(tmpdir(), 'trace-bench-'));
  try {
    const file = join(directory, 'trace.html');
    writeFileSync(file, await renderTracePage(recording, 'bench'));
    const page = await browser.newPage();
    await page.goto(pathToFileURL(file).href);
    const times = await page.evaluate(`(async () => {
      const scrub = document.getElementById('scrub');
      const times = [];
      for (let count = 0; count < ${SHOWN}; count++) {
        const start = performance.now();
        scrub.value = (count * ${STRIDE}) % ${recording.steps.length};
        scrub.dispatchEvent(new Event('input'));
        document.body.getBoundingClientRect();
        times.push(performance.now() - start);
      }
      return times;
    })()`);
    return timesOf(times as number[]);
  } finally {
    await browser.close();
    rmSync(directory, { recursive: true });
  }
}

function timesOf(times: number[]): Times {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(part * sorted.length)]!;
  return { medianMs: at(0.5), p99Ms: at(0.99), slowestMs: sorted.at(-1)! };
}
