import { EmulatorError, FirmwareCrashError } from '../errors.js';
import { Emulator } from '../harness/emulator.js';
import type { EmulatorOptions } from '../harness/emulator-options.js';
import {
  checkTrace,
  parseTrace,
  type RecordedScreen,
  type RecordedStep,
  recordScreen,
  type Trace,
  TraceSeedError,
} from '../trace/trace.js';

/** The result of a step; `reply` as in a RecordedStep. */
interface PlayedStep {
  reply?: string | null;
  screen: RecordedScreen;
}

/**
 * The first difference of a replay; `step` 0 is the initial screen. `actualFrame` has the pixels that the
 * device shows, in 64 rows of 16 bytes.
 */
export class ReplayMismatchError extends EmulatorError {
  override readonly name = 'ReplayMismatchError';
  constructor(
    readonly step: number,
    readonly expected: RecordedStep | RecordedScreen,
    readonly actual: PlayedStep | RecordedScreen,
    readonly actualFrame: Uint8Array,
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
  options: Omit<EmulatorOptions, 'settings' | 'trace' | 'device'> = {},
): Promise<void> {
  const recorded = typeof trace === 'string' ? parseTrace(trace) : checkTrace(trace);
  const settings = recorded.settings === null ? undefined : Buffer.from(recorded.settings, 'hex');
  const seed = seedOf(recorded, options.seed);
  const emulator = await Emulator.start({ ...options, seed, settings, trace: false, device: null });
  try {
    const screen = recordScreen(emulator.screen, {});
    if (!isSameScreen(recorded.start, screen)) {
      throw new ReplayMismatchError(0, recorded.start, screen, emulator.frame());
    }
    for (const [index, step] of recorded.steps.entries()) {
      const played = play(emulator, step);
      if (!isAsRecorded(step, played)) {
        throw new ReplayMismatchError(index + 1, step, played, emulator.frame());
      }
    }
  } finally {
    emulator.stop();
  }
}

/** Repeats a recorded input as the host or the user. The firmware answers at once, so nothing is awaited. */
function play(emulator: Emulator, step: RecordedStep): PlayedStep {
  let reply: string | null | undefined;
  const onReply = (bytes: Uint8Array | undefined) => {
    reply = bytes ? Buffer.from(bytes).toString('hex') : null;
  };
  emulator.on('command', onReply).on('decision', onReply);
  try {
    // The listener receives the reply.
    if ('apdu' in step) begin(emulator, Buffer.from(step.apdu, 'hex'), step.elsewhere).catch(() => undefined);
    else if ('button' in step) emulator.press(step.button);
    else if ('cancel' in step) emulator.cancel();
    else emulator.restart();
  } catch (error) {
    // The trace has the reply to a crash, 6F00, which is compared.
    if (!(error instanceof FirmwareCrashError)) throw error;
  } finally {
    emulator.off('command', onReply).off('decision', onReply);
  }
  return { ...(reply !== undefined && { reply }), screen: recordScreen(emulator.screen, {}) };
}

/** A command from elsewhere comes over any link on which no upload begins. */
const begin = (emulator: Emulator, apdu: Uint8Array, elsewhere?: true): Promise<Uint8Array> =>
  elsewhere ? emulator.beginFrom(0, 0, apdu) : emulator.begin(apdu);

function isAsRecorded(recorded: RecordedStep, { reply, screen }: PlayedStep): boolean {
  const expected = 'reply' in recorded ? recorded.reply : undefined;
  return expected === reply && isSameScreen(recorded.screen, screen);
}

function isSameScreen(a: RecordedScreen, b: RecordedScreen): boolean {
  return a.frame === b.frame && JSON.stringify(a.texts) === JSON.stringify(b.texts);
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
function seedOf({ seed }: Trace, given: string | null | undefined): string | null | undefined {
  if (given !== undefined || seed === 'test') return given;
  if (seed === 'none') return null;
  throw new TraceSeedError();
}
