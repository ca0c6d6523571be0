import type { Button } from '../device/buttons.js';
import { EmulatorError, FirmwareCrashError } from '../errors.js';
import { Emulator, type EmulatorOptions } from '../harness/emulator.js';
import { record } from './record.js';
import { checkRecording, parseRecording, type RecordedStep, type Recording } from './recording.js';

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
 * Replays a recording, text or object, on a new device with the recorded settings and the seed of `options`
 * (default: the test mnemonic), then stops it. Throws ReplayMismatchError at the first reply or screen that
 * differs, or RecordingError.
 */
export async function replay(
  recording: Recording | string,
  options: Omit<EmulatorOptions, 'settings'> = {},
): Promise<void> {
  const expected = typeof recording === 'string' ? parseRecording(recording) : checkRecording(recording);
  const settings = expected.settings === null ? undefined : Buffer.from(expected.settings, 'hex');
  const emulator = await Emulator.start({ ...options, settings });
  try {
    play(emulator, expected);
  } finally {
    emulator.stop();
  }
}

function play(emulator: Emulator, expected: Recording): void {
  const host = new ReplayHost(emulator);
  const recorder = record(emulator);
  compare(0, expected.start, recorder.recording.start);
  for (const [index, step] of expected.steps.entries()) {
    host.perform(step);
    compare(index + 1, step, recorder.recording.steps[index]);
  }
}

/** Stands for the host and the user. The firmware answers within the call, so nothing is awaited. */
class ReplayHost {
  constructor(private readonly emulator: Emulator) {}

  perform(step: RecordedStep): void {
    if ('apdu' in step) this.#send(Buffer.from(step.apdu, 'hex'));
    else if ('button' in step) this.#press(step.button);
    else this.emulator.cancel();
  }

  #send(apdu: Uint8Array): void {
    // The recorder has the reply.
    this.emulator.exchange(apdu).catch(() => undefined);
  }

  #press(button: Button): void {
    try {
      this.emulator.press(button);
    } catch (error) {
      // The recording has the reply of a crash, 6F00.
      if (!(error instanceof FirmwareCrashError)) throw error;
    }
  }
}

/** Compares regardless of key order: a recording may have been edited. */
function compare(step: number, expected: object, actual: object | undefined): void {
  if (sorted(expected) !== sorted(actual)) throw new ReplayMismatchError(step, expected, actual);
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

function describeMismatch(step: number, expected: unknown, actual: unknown): string {
  const where = step === 0 ? 'before the first step' : `at step ${step}`;
  return [
    `the replay differs ${where}`,
    `  expected: ${JSON.stringify(expected)}`,
    `  actual:   ${JSON.stringify(actual)}`,
  ].join('\n');
}
