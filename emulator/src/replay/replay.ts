import { EmulatorError } from '../errors.js';
import { Emulator } from '../harness/emulator.js';
import type { EmulatorOptions } from '../harness/emulator-options.js';
import { checkTrace, parseTrace, type RecordedStep, type Trace, TraceSeedError } from '../trace/trace.js';
import { isAsRecorded, isSameScreen, type PlayedStep, recordedScreen, StepPlayer } from './step-player.js';

/** The first difference of a replay; `step` 0 is the initial screen. */
export class ReplayMismatchError extends EmulatorError {
  override readonly name = 'ReplayMismatchError';
  constructor(
    readonly step: number,
    readonly expected: unknown,
    readonly actual: unknown,
  ) {
    super('REPLAY_MISMATCH', describeMismatch(step, expected, actual));
  }
}

/**
 * Replays a trace, which is a text or an object, on a new device, and then stops the device. The device
 * has the recorded settings and the seed of `options`. By default it has the seed of the trace, if that
 * is known. Throws ReplayMismatchError at the first reply or screen that differs, TraceError, or
 * TraceSeedError.
 */
export async function replay(
  trace: Trace | string,
  options: Omit<EmulatorOptions, 'settings' | 'state' | 'trace' | 'device'> = {},
): Promise<void> {
  const expected = typeof trace === 'string' ? parseTrace(trace) : checkTrace(trace);
  const settings = settingsOf(expected);
  const seed = seedOf(expected, options.seed);
  const emulator = await Emulator.start({ ...options, seed, settings, trace: false, device: null });
  try {
    expectStart(expected, emulator);
    const player = new StepPlayer(emulator);
    for (const [index, step] of expected.steps.entries()) expectStep(index + 1, step, player.play(step));
  } finally {
    emulator.stop();
  }
}

export function settingsOf({ settings }: Trace): Uint8Array | undefined {
  return settings === null ? undefined : Buffer.from(settings, 'hex');
}

/** Compares the first screen; throws ReplayMismatchError. */
export function expectStart({ start }: Trace, emulator: Emulator): void {
  const screen = recordedScreen(emulator.screen);
  if (!isSameScreen(start, screen)) throw new ReplayMismatchError(0, start, screen);
}

/** Compares the result of a step; throws ReplayMismatchError. */
export function expectStep(step: number, recorded: RecordedStep, played: PlayedStep): void {
  if (!isAsRecorded(recorded, played)) throw new ReplayMismatchError(step, recorded, played);
}

function describeMismatch(step: number, expected: unknown, actual: unknown): string {
  const where = step === 0 ? 'before the first step' : `at step ${step}`;
  return [
    `the replay differs ${where}`,
    `  expected: ${JSON.stringify(expected)}`,
    `  actual:   ${JSON.stringify(actual)}`,
  ].join('\n');
}

/**
 * The seed for a replay: `given`, otherwise the seed of the trace. Throws TraceSeedError if it is
 * unknown.
 */
export function seedOf({ seed }: Trace, given: string | null | undefined): string | null | undefined {
  if (given !== undefined || seed === 'test') return given;
  if (seed === 'none') return null;
  throw new TraceSeedError();
}
