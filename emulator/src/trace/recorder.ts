import type { EventEmitter } from 'node:events';
import { callListener } from '@zbc-signer/protocol/callbacks';
import type { EmulatorEvents, EmulatorInput } from '../device/events.js';
import type { Screen } from '../device/platform.js';
import type { SeedKind } from '../device/seed.js';
import { EmulatorError } from '../errors.js';
import { newTrace, type RecordedScreen, type RecordedStep, recordScreen, type Trace } from './trace.js';

/** The part of an Emulator that a recorder uses. */
export interface RecordedDevice extends EventEmitter<EmulatorEvents> {
  readonly screen: Screen;
  readonly settings: Uint8Array | undefined;
  readonly seedKind: SeedKind;
  readonly reviewing: boolean;
}

/** A trace in progress. */
export interface Recorder {
  /** The steps recorded so far. */
  readonly trace: Trace;
  /** Ends the trace, as stopping the emulator does. */
  stop(): Trace;
}

/**
 * Starts recording inputs, replies, screens and times; calls `onStep` with every completed step in order.
 * Throws RECORD_DURING_REVIEW.
 */
export function record(emulator: RecordedDevice, onStep?: (step: RecordedStep) => void): Recorder {
  if (emulator.reviewing)
    throw new EmulatorError('RECORD_DURING_REVIEW', 'a trace cannot begin while a review is on the screen');
  const log = new StepLog(emulator, onStep);
  const onInput = (input: EmulatorInput) => log.begin(input);
  const onCommand = (reply: Uint8Array | undefined) => log.answerCommand(reply);
  const onDecision = (reply: Uint8Array) => log.answerPress(reply);
  const stop = () => {
    emulator.off('input', onInput).off('command', onCommand).off('decision', onDecision).off('stop', stop);
    return log.trace;
  };
  emulator.on('input', onInput).on('command', onCommand).on('decision', onDecision).on('stop', stop);
  return {
    get trace() {
      return log.trace;
    },
    stop,
  };
}

/**
 * Adds the steps to a trace. A listener may press a button while a command is being answered, so a step
 * can begin before the previous step has its reply.
 */
class StepLog {
  readonly #trace: Trace;
  readonly #startMs = performance.now();
  readonly #commands: { reply: string | null }[] = [];
  #step: RecordedStep | undefined;
  /** Number of steps passed to `onStep`. */
  #given = 0;

  constructor(
    private readonly emulator: RecordedDevice,
    private readonly onStep?: (step: RecordedStep) => void,
  ) {
    this.#trace = newTrace(emulator.settings, emulator.seedKind, emulator.screen);
  }

  /** The trace so far, whose last step has the current screen. */
  get trace(): Trace {
    this.#complete();
    return this.#trace;
  }

  begin(input: EmulatorInput): void {
    this.#complete();
    const { steps, start } = this.#trace;
    this.#step = beginStep(input, this.#now(), steps.at(-1)?.screen ?? start);
    steps.push(this.#step);
    if ('apdu' in this.#step) this.#commands.push(this.#step);
    // When the caller's turn of the event loop ends, the firmware has answered.
    queueMicrotask(() => this.#complete());
  }

  answerCommand(reply: Uint8Array | undefined): void {
    const step = this.#commands.pop();
    if (step && reply) step.reply = hex(reply);
  }

  answerPress(reply: Uint8Array): void {
    if (this.#step && 'button' in this.#step) this.#step.reply = hex(reply);
  }

  #complete(): void {
    const step = this.#step;
    if (step) {
      step.screen = recordScreen(this.emulator.screen, this.#trace.frames);
      step.tookMs = rounded(this.#now() - step.atMs);
    }
    // While a command has neither been answered nor opened a review, its step is not complete.
    if (this.#commands.length > 0) return;
    this.#step = undefined;
    const { steps } = this.#trace;
    while (this.onStep && this.#given < steps.length) void callListener(this.onStep, steps[this.#given++]!);
  }

  #now(): number {
    return rounded(performance.now() - this.#startMs);
  }
}

function beginStep(input: EmulatorInput, atMs: number, screen: RecordedScreen): RecordedStep {
  const rest = { atMs, tookMs: 0, screen };
  if ('apdu' in input) return { ...input, apdu: hex(input.apdu), reply: null, ...rest };
  if ('button' in input) return { button: input.button, ...rest };
  return 'cancel' in input ? { cancel: true, ...rest } : { restart: true, ...rest };
}

/** Rounds to microseconds. */
const rounded = (ms: number): number => Math.max(0, Math.round(1000 * ms) / 1000);

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
