import { createHash } from 'node:crypto';
import { FRAME_LENGTH } from '@zbc-signer/protocol/limits';
import { BUTTON_BITS, type Button } from '../device/buttons.js';
import { type Screen, textsOf } from '../device/platform.js';
import { SEED_KINDS, type SeedKind } from '../device/seed.js';
import { EmulatorError } from '../errors.js';

const FORMAT = 'zbc-signer-session';
const VERSION = 2;
const MAX_STEPS = 100_000;
const MAX_TEXT = 64 * 1024 * 1024;
const MAX_APDU_DIGITS = 8192;
/** Limit of the texts on one screen. The firmware draws at most five. */
const MAX_TEXTS = 64;
export const MAX_TEXT_LENGTH = 1024;
const FRAME_DIGITS = 64;
export const MAX_MESSAGE = 64 * 1024;

/** A screen in a trace: its texts, and the SHA-256 of its 1024-byte frame in hex. */
export interface RecordedScreen {
  texts: string[];
  frame: string;
}

/**
 * One input of the device, with bytes in hex; `reply` is null if the command waits for the user. A command
 * with `elsewhere` came from another host during an upload, and must not change the upload.
 */
export type RecordedStep = (
  | { apdu: string; elsewhere?: true; reply: string | null }
  | { button: Button; reply?: string }
  | { cancel: true }
  | { restart: true }
) & {
  /** Time of the input, in milliseconds since the start of the trace. */
  atMs: number;
  /** How long the device took. */
  tookMs: number;
  screen: RecordedScreen;
};

/** The failed expectation of a test, and its place. */
export interface RecordedFailure {
  /** The step after which the screen differs; 0 is the start. */
  step: number;
  message: string;
  /** The test, if its runner reports it. */
  test?: string;
  /** The expected screen, if it is known. It has a `frame` only if a snapshot was compared. */
  expected?: { texts: string[]; frame?: string };
  /** The frame that a real device showed, if it differs from the step's. */
  shown?: string;
}

/** A recorded session (docs/TESTING.md), without the seed. */
export interface Trace {
  format: typeof FORMAT;
  version: typeof VERSION;
  seed: SeedKind;
  /** The 16 bytes of stored settings at the start, in hex, or null. */
  settings: string | null;
  start: RecordedScreen;
  steps: RecordedStep[];
  /** The first failure. */
  failure?: RecordedFailure;
  /** The 1024 bytes of every frame in base64, keyed by their SHA-256. */
  frames: Record<string, string>;
}

/** An invalid trace; the message names the place in it. */
export class TraceError extends EmulatorError {
  override readonly name = 'TraceError';
  constructor(message: string) {
    super('BAD_TRACE', `not a trace: ${message}`);
  }
}

/** The session had a seed other than that of the test mnemonic, and traces do not contain the seed. */
export class TraceSeedError extends EmulatorError {
  override readonly name = 'TraceSeedError';
  constructor() {
    super(
      'TRACE_SEED',
      'this session had a seed other than the test mnemonic, and traces do not contain the seed',
    );
  }
}

export function newTrace(settings: Uint8Array | undefined, seed: SeedKind, screen: Screen): Trace {
  const frames: Record<string, string> = {};
  return {
    format: FORMAT,
    version: VERSION,
    seed,
    settings: settings ? Buffer.from(settings).toString('hex') : null,
    start: recordScreen(screen, frames),
    steps: [],
    frames,
  };
}

/** Adds the screen's frame to `frames`, and returns the screen in its recorded form. */
export function recordScreen(screen: Screen, frames: Record<string, string>): RecordedScreen {
  return { texts: textsOf(screen), frame: recordFrame(screen.frame, frames) };
}

/** Adds a frame to `frames`, and returns its SHA-256. */
export function recordFrame(pixels: Uint8Array, frames: Record<string, string>): string {
  const frame = createHash('sha256').update(pixels).digest('hex');
  frames[frame] ??= Buffer.from(pixels).toString('base64');
  return frame;
}

/** Writes lines of JSON: the head, then the steps. Each frame comes before the first step that shows it. */
export function formatTrace(trace: Trace): string {
  const format = new TraceFormat(trace);
  return format.head() + trace.steps.map(step => format.step(step)).join('') + format.failure();
}

/** Formats a trace piece by piece. Every frame is written only once. */
export class TraceFormat {
  readonly #written = new Set<string>();

  constructor(private readonly trace: Trace) {}

  head(): string {
    const { steps: _, frames: _frames, failure: _failure, ...head } = this.trace;
    return this.#frameOf(head.start) + line(head);
  }

  step(step: RecordedStep): string {
    return this.#frameOf(step.screen) + line(step);
  }

  /** Returns an empty string without a failure. */
  failure(): string {
    const { failure } = this.trace;
    if (!failure) return '';
    const frames = [failure.expected?.frame, failure.shown];
    return (
      frames.map(frame => this.#frameOf(frame === undefined ? {} : { frame })).join('') + line({ failure })
    );
  }

  #frameOf({ frame }: { frame?: string }): string {
    if (frame === undefined || this.#written.has(frame)) return '';
    this.#written.add(frame);
    return line({ frame, pixels: this.trace.frames[frame] });
  }
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;

/** Parses a trace. Ignores an incomplete last line, left by a killed process. Throws TraceError. */
export function parseTrace(text: string): Trace {
  expectShape(text.length <= MAX_TEXT, `it is longer than ${MAX_TEXT} characters`);
  const values = text.split('\n').slice(0, -1).map(parseLine);
  const frames: [unknown, unknown][] = [];
  const steps: unknown[] = [];
  let head: object | undefined;
  let failure: unknown;
  for (const value of values) {
    if (value !== null && typeof value === 'object' && 'pixels' in value) {
      frames.push([Reflect.get(value, 'frame'), value.pixels]);
    } else if (value !== null && typeof value === 'object' && 'failure' in value) {
      failure ??= value.failure;
    } else if (head === undefined) head = Object(value) as object;
    else steps.push(value);
  }
  // Object.fromEntries makes even a key such as __proto__ an ordinary property.
  const failed = failure === undefined ? {} : { failure };
  return checkTrace({ ...head, ...failed, steps, frames: Object.fromEntries(frames) });
}

function parseLine(text: string, index: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TraceError(`invalid JSON in line ${index + 1}`);
  }
}

export function checkTrace(json: unknown): Trace {
  const { format, version, seed, settings, start, steps, failure, frames } = Object(json) as Partial<
    Record<keyof Trace, unknown>
  >;
  expectShape(format === FORMAT, `"format" is not "${FORMAT}"`);
  expectShape(version === VERSION, `"version" is not ${VERSION}`);
  expectShape(SEED_KINDS.includes(seed as SeedKind), `"seed" is not one of ${SEED_KINDS.join(', ')}`);
  expectShape(settings === null || isHex(settings, 32), '"settings" is neither null nor 32 hex digits');
  const known = checkFrames(frames);
  expectShape(isScreen(start, known), '"start" is not a screen');
  expectShape(
    Array.isArray(steps) && steps.length <= MAX_STEPS,
    `"steps" is not a list of at most ${MAX_STEPS} steps`,
  );
  let last = 0;
  for (const [index, step] of (steps as unknown[]).entries()) {
    expectShape(
      isStep(step, known),
      `step ${index + 1} is not an APDU, a button, a cancel or a restart with its times and its screen`,
    );
    const { atMs } = step as RecordedStep;
    expectShape(atMs >= last, `step ${index + 1} is earlier than the step before it`);
    last = atMs;
  }
  const isKnown = failure === undefined || isFailure(failure, (steps as unknown[]).length, known);
  expectShape(isKnown, '"failure" does not have a valid step, message and expected screen');
  return json as Trace;
}

function checkFrames(frames: unknown): ReadonlySet<string> {
  const known = new Set<string>();
  for (const [hash, pixels] of Object.entries(Object(frames) as object)) {
    const bytes = typeof pixels === 'string' ? Buffer.from(pixels, 'base64') : Buffer.alloc(0);
    const isFrame = bytes.length === FRAME_LENGTH && bytes.toString('base64') === pixels;
    expectShape(isFrame, 'a frame is not 1024 bytes in base64');
    expectShape(
      createHash('sha256').update(bytes).digest('hex') === hash,
      'a frame has another SHA-256 than its key',
    );
    known.add(hash);
  }
  return known;
}

function expectShape(holds: boolean, fault: string): void {
  if (!holds) throw new TraceError(fault);
}

function isStep(json: unknown, frames: ReadonlySet<string>): boolean {
  const { apdu, elsewhere, button, cancel, restart, reply, screen, atMs, tookMs } = Object(json) as Record<
    string,
    unknown
  >;
  const inputs = [apdu, button, cancel, restart].filter(input => input !== undefined);
  if (elsewhere !== undefined && (elsewhere !== true || apdu === undefined)) return false;
  if (inputs.length !== 1 || !isScreen(screen, frames) || !isTime(atMs) || !isTime(tookMs)) return false;
  if (apdu !== undefined) return isHex(apdu) && (reply === null || isReply(reply));
  if (button !== undefined) {
    return Object.hasOwn(BUTTON_BITS, `${button}`) && (reply === undefined || isReply(reply));
  }
  return (cancel ?? restart) === true && reply === undefined;
}

/** The limit is a year. */
const isTime = (json: unknown): boolean => typeof json === 'number' && json >= 0 && json < 3.2e10;

/** A reply has at least a status word. */
const isReply = (json: unknown): boolean => isHex(json) && (json as string).length >= 4;

function isFailure(json: unknown, steps: number, frames: ReadonlySet<string>): boolean {
  const { step, message, test, expected, shown } = Object(json) as Record<string, unknown>;
  const isIn = Number.isInteger(step) && (step as number) >= 0 && (step as number) <= steps;
  if (!isIn || typeof message !== 'string' || message.length > MAX_MESSAGE) return false;
  if (test !== undefined && !isText(test)) return false;
  const isFrame = (frame: unknown) =>
    frame === undefined || (isHex(frame, FRAME_DIGITS) && frames.has(frame as string));
  if (!isFrame(shown)) return false;
  if (expected === undefined) return true;
  const { texts, frame } = Object(expected) as Record<string, unknown>;
  return isTexts(texts) && isFrame(frame);
}

const isText = (text: unknown) => typeof text === 'string' && text.length <= MAX_TEXT_LENGTH;

const isTexts = (texts: unknown) => Array.isArray(texts) && texts.length <= MAX_TEXTS && texts.every(isText);

function isScreen(json: unknown, frames: ReadonlySet<string>): boolean {
  const { texts, frame } = Object(json) as Record<string, unknown>;
  return isTexts(texts) && isHex(frame, FRAME_DIGITS) && frames.has(frame as string);
}

function isHex(json: unknown, digits?: number): boolean {
  if (typeof json !== 'string' || json.length > MAX_APDU_DIGITS || json.length % 2 !== 0) return false;
  return /^[0-9a-f]*$/.test(json) && (digits === undefined || json.length === digits);
}
