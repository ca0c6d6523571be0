import { invalidInputError } from '@zbc-signer/chain';
import { Emulator } from '../harness/emulator.js';
import { parseTitle } from '../review/review-pages.js';
import { checkTrace, type RecordedScreen, type RecordedStep, type Trace } from '../trace/trace.js';
import { seedOf, settingsOf } from './replay.js';
import {
  isAsRecorded,
  isSameScreen,
  type PlayedStep,
  pause,
  recordedScreen,
  StepPlayer,
} from './step-player.js';
import type { TraceOptions } from './trace-player.js';
import '../device/webassembly.js';

/** What every step must show: the recorded screen and reply, or the value of an item on each of its pages. */
export type TraceExpectation = 'recorded' | { title: string; value: string };

/** The first step that violates an expectation; 0 is the screen before the first input. */
export interface TraceFault {
  step: number;
  /** The expected and actual screen: texts and 1024-byte frame. */
  expected: FaultScreen;
  actual: FaultScreen;
  /** Replies in hex, if they differ; null while the user decides. */
  expectedReply?: string | null;
  actualReply?: string | null;
}

/** A screen of a TraceFault. */
export interface FaultScreen {
  texts: string[];
  frame: Uint8Array;
}

/**
 * Replays a trace on a firmware, and returns the first step that violates the expectation, or undefined
 * if no step does. It compares every step, so that a temporary fault is found too. If the firmware never
 * shows an item, the item is missing at its first recorded step. Throws TraceError, TraceSeedError,
 * INVALID_INPUT for an item that was never recorded, or an error of Emulator.start.
 */
export async function bisectTrace(
  trace: Trace,
  expectation: TraceExpectation = 'recorded',
  { seed, firmware, signal }: TraceOptions = {},
): Promise<TraceFault | undefined> {
  checkTrace(trace);
  const module = firmware === undefined ? undefined : await WebAssembly.compile(firmware);
  const emulator = await Emulator.start({
    device: null,
    seed: seedOf(trace, seed),
    settings: settingsOf(trace),
    module,
    trace: false,
  });
  try {
    return await findFault(trace, expectation, emulator, signal);
  } finally {
    emulator.stop();
  }
}

async function findFault(
  trace: Trace,
  expectation: TraceExpectation,
  emulator: Emulator,
  signal: AbortSignal | undefined,
): Promise<TraceFault | undefined> {
  const fault = (step: number, screen: RecordedScreen): TraceFault => ({
    step,
    expected: { texts: screen.texts, frame: Buffer.from(trace.frames[screen.frame]!, 'base64') },
    actual: { texts: emulator.texts(), frame: emulator.frame() },
  });
  const screens = [trace.start, ...trace.steps.map(step => step.screen)];
  const player = new StepPlayer(emulator);
  const item = expectation === 'recorded' ? undefined : new ExpectedItem(expectation);
  let isShown = false;
  /** The fault at the first recorded step of the item, if the firmware does not show the item there. */
  let missed: TraceFault | undefined;
  for (const [step, screen] of screens.entries()) {
    await pause(step, signal);
    const input = trace.steps[step - 1];
    const played = input && player.play(input);
    if (item?.isOn(emulator.texts())) {
      isShown = true;
      if (!item.isShownOn(emulator.texts())) return fault(step, screen);
    } else if (item?.isOn(screen.texts)) missed ??= fault(step, screen);
    if (item) continue;
    if (!isSameScreen(screen, recordedScreen(emulator.screen))) return fault(step, screen);
    if (input && played && !isAsRecorded(input, played)) {
      return { ...fault(step, screen), ...repliesOf(input, played) };
    }
  }
  if (!item || isShown) return undefined;
  // An expectation about an item that no screen has would always hold.
  if (!missed) throw invalidInputError('no screen of the session has an item with that title');
  return missed;
}

function repliesOf(
  step: RecordedStep,
  played: PlayedStep,
): Pick<TraceFault, 'expectedReply' | 'actualReply'> {
  return {
    ...('reply' in step && { expectedReply: step.reply }),
    ...(played.reply !== undefined && { actualReply: played.reply }),
  };
}

/** Compares the pages of an item, in their order, with its expected value. */
class ExpectedItem {
  readonly #title: string;
  readonly #value: string;
  /** By page number, the offset in the value at which the part on that page ends. */
  readonly #ends = new Map<number, number>();

  constructor({ title, value }: { title: string; value: string }) {
    this.#title = title;
    // A line feed is only a line break on the screen.
    this.#value = value.replaceAll('\n', '');
  }

  /** Whether a screen is a page of the item. */
  isOn([pageTitle = '']: readonly string[]): boolean {
    return parseTitle(pageTitle).title === this.#title;
  }

  /** Whether a page shows its part of the value: the text that follows the part on the previous page. */
  isShownOn([pageTitle = '', ...lines]: readonly string[]): boolean {
    const { page, count } = parseTitle(pageTitle);
    const part = lines.join('');
    const from = page === 1 ? 0 : this.#ends.get(page - 1);
    if (from === undefined) return false;
    const end = from + part.length;
    this.#ends.set(page, end);
    return this.#value.startsWith(part, from) && (page !== count || end === this.#value.length);
  }
}
