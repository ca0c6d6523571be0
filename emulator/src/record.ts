import { EmulatorError } from './errors.js';
import type { Emulator, EmulatorInput } from './harness.js';
import {
  newRecording,
  type RecordedScreen,
  type RecordedStep,
  type Recording,
  recordScreen,
} from './recording.js';

/** A session that is being recorded. */
export interface Recorder {
  /** What has happened so far. */
  readonly recording: Recording;
  /** Ends the recording; stopping the emulator ends it as well. */
  stop(): Recording;
}

export class RecordDuringReviewError extends EmulatorError {
  constructor() {
    super('RECORD_DURING_REVIEW', 'a recording cannot begin while a review is on the screen');
  }
}

/** Records everything that reaches the device, and what it answers and shows, from here on. */
export function record(emulator: Emulator): Recorder {
  if (emulator.reviewing) throw new RecordDuringReviewError();
  const tape = new Tape(emulator);
  const onInput = (input: EmulatorInput) => tape.begin(input);
  const onCommand = (reply: Uint8Array | undefined) => tape.answerCommand(reply);
  const onDecision = (reply: Uint8Array) => tape.answerPress(reply);
  const stop = () => {
    emulator.off('input', onInput).off('command', onCommand).off('decision', onDecision).off('stop', stop);
    return tape.recording;
  };
  emulator.on('input', onInput).on('command', onCommand).on('decision', onDecision).on('stop', stop);
  return {
    get recording() {
      return tape.recording;
    },
    stop,
  };
}

/** A listener may press while a command is being answered: a step can begin before the one before has its reply. */
class Tape {
  readonly #recording: Recording;
  readonly #commands: { reply: string | null }[] = [];
  #step: RecordedStep | undefined;

  constructor(private readonly emulator: Emulator) {
    this.#recording = newRecording(emulator.settings, emulator.screen);
  }

  /** The last step is completed by the screen that it leaves. */
  get recording(): Recording {
    if (this.#step) this.#step.screen = recordScreen(this.emulator.screen);
    return this.#recording;
  }

  begin(input: EmulatorInput): void {
    const screen = this.recording.steps.at(-1)?.screen ?? this.#recording.start;
    this.#step = beginStep(input, screen);
    this.#recording.steps.push(this.#step);
    if ('apdu' in this.#step) this.#commands.push(this.#step);
  }

  answerCommand(reply: Uint8Array | undefined): void {
    const step = this.#commands.pop();
    if (step && reply) step.reply = hex(reply);
  }

  answerPress(reply: Uint8Array): void {
    if (this.#step && 'button' in this.#step) this.#step.reply = hex(reply);
  }
}

function beginStep(input: EmulatorInput, screen: RecordedScreen): RecordedStep {
  if ('apdu' in input) return { apdu: hex(input.apdu), reply: null, screen };
  return 'button' in input ? { button: input.button, screen } : { cancel: true, screen };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
