import { setImmediate } from 'node:timers/promises';
import type { Button } from '../device/buttons.js';
import type { Screen } from '../device/platform.js';
import { FirmwareCrashError } from '../errors.js';
import type { Emulator } from '../harness/emulator.js';
import { type RecordedScreen, type RecordedStep, recordScreen } from '../trace/trace.js';

/** Number of steps between pauses: few enough that Ctrl-C works, and so many that the pauses cost little. */
const PAUSE_STEPS = 64;

/** The result of a step; `reply` as in a RecordedStep. */
export interface PlayedStep {
  reply?: string | null;
  screen: RecordedScreen;
}

/** Repeats recorded inputs as the host and the user. The firmware answers at once, so nothing is awaited. */
export class StepPlayer {
  #reply: string | null | undefined;

  readonly #onReply = (reply: Uint8Array | undefined) => {
    this.#reply = reply ? Buffer.from(reply).toString('hex') : null;
  };

  constructor(private readonly emulator: Emulator) {
    emulator.on('command', this.#onReply).on('decision', this.#onReply);
  }

  /** Stops listening to the emulator. */
  end(): void {
    this.emulator.off('command', this.#onReply).off('decision', this.#onReply);
  }

  /** Repeats the input of a step. */
  play(step: RecordedStep): PlayedStep {
    this.#reply = undefined;
    if ('apdu' in step) this.#send(Buffer.from(step.apdu, 'hex'));
    else if ('button' in step) this.#press(step.button);
    else if ('cancel' in step) this.emulator.cancel();
    else this.emulator.restart();
    const reply = this.#reply === undefined ? {} : { reply: this.#reply };
    return { ...reply, screen: recordedScreen(this.emulator.screen) };
  }

  #send(apdu: Uint8Array): void {
    // The listener receives the reply.
    this.emulator.begin(apdu).catch(() => undefined);
  }

  #press(button: Button): void {
    try {
      this.emulator.press(button);
    } catch (error) {
      // The trace has the reply to a crash, 6F00, which is compared.
      if (!(error instanceof FirmwareCrashError)) throw error;
    }
  }
}

export const recordedScreen = (screen: Screen): RecordedScreen => recordScreen(screen, {});

/** Whether the result of a step equals the recorded one. */
export function isAsRecorded(recorded: RecordedStep, { reply, screen }: PlayedStep): boolean {
  const expected = 'reply' in recorded ? recorded.reply : undefined;
  return expected === reply && isSameScreen(recorded.screen, screen);
}

export function isSameScreen(a: RecordedScreen, b: RecordedScreen): boolean {
  return a.frame === b.frame && JSON.stringify(a.texts) === JSON.stringify(b.texts);
}

/** Lets the process handle other events occasionally; throws the signal's reason after an abort. */
export async function pause(step: number, signal: AbortSignal | undefined): Promise<void> {
  if (step % PAUSE_STEPS !== 0) return;
  await setImmediate();
  signal?.throwIfAborted();
}
