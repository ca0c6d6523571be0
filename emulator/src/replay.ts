import type { Button } from './buttons.js';
import { EmulatorError, FirmwareCrashError } from './errors.js';
import { Emulator, type EmulatorOptions } from './harness.js';
import { record } from './record.js';
import { checkRecording, parseRecording, type RecordedStep, type Recording } from './recording.js';

/** Where a replay first differs: `step` 0 is the screen before the first step. */
export class ReplayMismatchError extends EmulatorError {
  constructor(
    readonly step: number,
    readonly expected: unknown,
    readonly got: unknown,
  ) {
    super('REPLAY_MISMATCH', describeMismatch(step, expected, got));
  }
}

/**
 * Plays a recording, as text or as the object, to a fresh device with the recorded settings and the seed given here (by
 * default the test mnemonic), and stops it. Throws ReplayMismatchError at the first reply or screen that differs, and
 * RecordingError for what is no recording.
 */
export async function replay(
  recording: Recording | string,
  options: Omit<EmulatorOptions, 'settings'> = {},
): Promise<void> {
  const wanted = typeof recording === 'string' ? parseRecording(recording) : checkRecording(recording);
  const settings = wanted.settings === null ? undefined : Buffer.from(wanted.settings, 'hex');
  const emulator = await Emulator.start({ ...options, settings });
  try {
    play(emulator, wanted);
  } finally {
    emulator.stop();
  }
}

function play(emulator: Emulator, wanted: Recording): void {
  const host = new ReplayHost(emulator);
  const recorder = record(emulator);
  compare(0, wanted.start, recorder.recording.start);
  for (const [index, step] of wanted.steps.entries()) {
    host.perform(step);
    compare(index + 1, step, recorder.recording.steps[index]);
  }
}

/** The host and the user of a recording; the firmware answers within the call, so nothing is waited for. */
class ReplayHost {
  #review = new AbortController();

  constructor(private readonly emulator: Emulator) {}

  perform(step: RecordedStep): void {
    if ('apdu' in step) this.#send(Buffer.from(step.apdu, 'hex'));
    else if ('button' in step) this.#press(step.button);
    else this.#review.abort();
  }

  #send(apdu: Uint8Array): void {
    const controller = new AbortController();
    if (!this.emulator.reviewing) this.#review = controller;
    // What it resolves with, the recorder has seen.
    this.emulator.exchange(apdu, controller.signal).catch(() => undefined);
  }

  #press(button: Button): void {
    try {
      this.emulator.press(button);
    } catch (error) {
      // A crash is told by the reply 6F00, as it was recorded.
      if (!(error instanceof FirmwareCrashError)) throw error;
    }
  }
}

/** Keys come in one order from the recorder, but a document may have been edited. */
function compare(step: number, expected: object, got: object | undefined): void {
  if (sorted(expected) !== sorted(got)) throw new ReplayMismatchError(step, expected, got);
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

function describeMismatch(step: number, expected: unknown, got: unknown): string {
  const where = step === 0 ? 'before the first step' : `at step ${step}`;
  return `the replay differs ${where}\n  expected: ${JSON.stringify(expected)}\n  got:      ${JSON.stringify(got)}`;
}
