import { CommandDescriber } from '../command-log/command-description.js';
import type { ReplyEntry } from '../command-log/entry.js';
import { describeReply } from '../command-log/reply-description.js';
import type { RecordedFailure, RecordedStep, Trace } from '../trace/trace.js';

/** A step of a trace in words; step 0 is the start, without an input. */
export interface TraceStep {
  step: number;
  kind: 'start' | 'command' | 'press' | 'cancel' | 'restart';
  /** The input in words, such as `Get public key: account 0, confirmed on the device` or `press right`. */
  words: string;
  /** The bytes of a command. */
  hex?: string;
  /** The reply to the command of this step, or to the waiting command if this step is its decision. */
  reply?: ReplyEntry;
  /** If this step is a decision, the step whose command it answers. */
  answers?: number;
  atMs: number;
  tookMs: number;
  texts: readonly string[];
  /** Frame of 64 rows of 16 bytes; the most significant bit of a byte is its leftmost pixel. */
  frame: Uint8Array;
  /** Why a test failed at this step. */
  failure?: StepFailure;
}

/** A failed expectation, with the expected screen, which has a `frame` only if a snapshot was compared. */
export interface StepFailure extends Pick<RecordedFailure, 'message' | 'test'> {
  expected?: { texts: readonly string[]; frame?: Uint8Array };
  /** The frame that a real device showed. */
  shown?: Uint8Array;
}

/** Describes every step of a trace in words, beginning with the start. */
export function describeTrace(trace: Trace): TraceStep[] {
  const frames = new Map(
    Object.entries(trace.frames).map(([hash, pixels]) => [hash, Buffer.from(pixels, 'base64')]),
  );
  const describer = new StepDescriber();
  const { start, steps, failure } = trace;
  const described: TraceStep[] = [
    {
      step: 0,
      kind: 'start',
      words: 'start',
      atMs: 0,
      tookMs: 0,
      texts: start.texts,
      frame: frames.get(start.frame)!,
    },
    ...steps.map((step, index) => ({
      step: index + 1,
      ...describer.describe(step, index + 1),
      atMs: step.atMs,
      tookMs: step.tookMs,
      texts: step.screen.texts,
      frame: frames.get(step.screen.frame)!,
    })),
  ];
  if (failure) described[failure.step]!.failure = describeFailure(failure, frames);
  return described;
}

function describeFailure(
  { step: _, expected, shown, ...failure }: RecordedFailure,
  frames: ReadonlyMap<string, Uint8Array>,
): StepFailure {
  const pictured = { ...failure, ...(shown !== undefined && { shown: frames.get(shown)! }) };
  if (expected === undefined) return pictured;
  const { texts, frame } = expected;
  return { ...pictured, expected: { texts, ...(frame !== undefined && { frame: frames.get(frame)! }) } };
}

type Description = Pick<TraceStep, 'kind' | 'words' | 'hex' | 'reply' | 'answers'>;

/** Describes steps. It remembers which command waits for the user. */
class StepDescriber {
  readonly #commands = new CommandDescriber();
  #waiting: { apdu: Uint8Array; step: number } | undefined;

  describe(step: RecordedStep, number: number): Description {
    if ('apdu' in step) return this.#command(Buffer.from(step.apdu, 'hex'), step.reply, number);
    if ('button' in step) return this.#press(step.button, step.reply);
    this.#waiting = undefined;
    return 'cancel' in step
      ? { kind: 'cancel', words: 'the host disconnected' }
      : { kind: 'restart', words: 'power off and on' };
  }

  #command(apdu: Buffer, reply: string | null, step: number): Description {
    const description = {
      kind: 'command' as const,
      words: this.#commands.describe(apdu),
      hex: apdu.toString('hex'),
    };
    if (reply === null) {
      this.#waiting = { apdu, step };
      return description;
    }
    return { ...description, reply: describeReply(apdu, Buffer.from(reply, 'hex')) };
  }

  #press(button: string, reply: string | undefined): Description {
    const words = button === 'both' ? 'press both buttons' : `press ${button}`;
    const waiting = this.#waiting;
    if (reply === undefined) return { kind: 'press', words };
    this.#waiting = undefined;
    return {
      kind: 'press',
      words,
      reply: describeReply(waiting?.apdu ?? new Uint8Array(), Buffer.from(reply, 'hex')),
      ...(waiting && { answers: waiting.step }),
    };
  }
}
