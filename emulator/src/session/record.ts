import { EmulatorError } from '../errors.js';
import type { Emulator, EmulatorInput } from '../harness/emulator.js';
import {
  newRecording,
  type RecordedScreen,
  type RecordedStep,
  type Recording,
  recordScreen,
} from './recording.js';

/** A recording in progress. */
export interface Recorder {
  /** The steps so far. */
  readonly recording: Recording;
  /** Ends the recording, as stopping the emulator does. */
  stop(): Recording;
}

/** A recording cannot begin during a review. */
export class RecordDuringReviewError extends EmulatorError {
  override readonly name = 'RecordDuringReviewError';
  constructor() {
    super('RECORD_DURING_REVIEW', 'a recording cannot begin while a review is on the screen');
  }
}

/** Records inputs, replies and screens from now on. Throws RecordDuringReviewError. */
export function record(emulator: Emulator): Recorder {
  if (emulator.reviewing) throw new RecordDuringReviewError();
  const log = new StepLog(emulator);
  const onInput = (input: EmulatorInput) => log.begin(input);
  const onCommand = (reply: Uint8Array | undefined) => log.answerCommand(reply);
  const onDecision = (reply: Uint8Array) => log.answerPress(reply);
  const stop = () => {
    emulator.off('input', onInput).off('command', onCommand).off('decision', onDecision).off('stop', stop);
    return log.recording;
  };
  emulator.on('input', onInput).on('command', onCommand).on('decision', onDecision).on('stop', stop);
  return {
    get recording() {
      return log.recording;
    },
    stop,
  };
}

/**
 * A listener may press while a command is being answered, so a step can begin before the previous one has its
 * reply.
 */
class StepLog {
  readonly #recording: Recording;
  readonly #commands: { reply: string | null }[] = [];
  #step: RecordedStep | undefined;

  constructor(private readonly emulator: Emulator) {
    this.#recording = newRecording(emulator.settings, emulator.screen);
  }

  /** Completes the last step with the current screen. */
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
