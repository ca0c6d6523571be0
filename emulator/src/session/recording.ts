import { createHash } from 'node:crypto';
import { BUTTON_BITS, type Button } from '../device/buttons.js';
import { type Screen, textsOf } from '../device/platform.js';
import { EmulatorError } from '../errors.js';

const FORMAT = 'zbc-signer-session';
const VERSION = 1;
const MAX_STEPS = 100_000;
const MAX_APDU_DIGITS = 8192;

/** A screen in a recording: its texts, and the SHA-256 of its 1024-byte frame in hex. */
export interface RecordedScreen {
  texts: string[];
  frame: string;
}

/** One input of the device, bytes in hex; `reply` is null for a command that waits for the user. */
export type RecordedStep = (
  | { apdu: string; reply: string | null }
  | { button: Button; reply?: string }
  | { cancel: true }
) & { screen: RecordedScreen };

/** A session as JSON (docs/TESTING.md), without the seed. */
export interface Recording {
  format: typeof FORMAT;
  version: typeof VERSION;
  /** The 16 bytes of stored settings at the start, in hex, or null. */
  settings: string | null;
  start: RecordedScreen;
  steps: RecordedStep[];
}

/** An invalid recording; the message names the place in it. */
export class RecordingError extends EmulatorError {
  override readonly name = 'RecordingError';
  constructor(message: string) {
    super('BAD_RECORDING', `not a recording: ${message}`);
  }
}

export function newRecording(settings: Uint8Array | undefined, screen: Screen): Recording {
  return {
    format: FORMAT,
    version: VERSION,
    settings: settings ? Buffer.from(settings).toString('hex') : null,
    start: recordScreen(screen),
    steps: [],
  };
}

export function recordScreen(screen: Screen): RecordedScreen {
  return { texts: textsOf(screen), frame: createHash('sha256').update(screen.frame).digest('hex') };
}

/** JSON with one step a line, for line-by-line comparison. */
export function formatRecording({ steps, ...head }: Recording): string {
  const lines = steps.map(step => `    ${JSON.stringify(step)}`).join(',\n');
  const opening = JSON.stringify(head, undefined, 2).slice(0, -2);
  return `${opening},\n  "steps": [${lines === '' ? '' : `\n${lines}\n  `}]\n}\n`;
}

/** Throws RecordingError. */
export function parseRecording(text: string): Recording {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new RecordingError('invalid JSON');
  }
  return checkRecording(json);
}

export function checkRecording(json: unknown): Recording {
  const { format, version, settings, start, steps } = Object(json) as Partial<
    Record<keyof Recording, unknown>
  >;
  expectShape(format === FORMAT, `"format" is not "${FORMAT}"`);
  expectShape(version === VERSION, `"version" is not ${VERSION}`);
  expectShape(settings === null || isHex(settings, 32), '"settings" is neither null nor 32 hex digits');
  expectShape(isScreen(start), '"start" is not a screen');
  expectShape(
    Array.isArray(steps) && steps.length <= MAX_STEPS,
    `"steps" is not a list of at most ${MAX_STEPS}`,
  );
  for (const [index, step] of (steps as unknown[]).entries()) {
    expectShape(isStep(step), `step ${index + 1} is not an APDU, a button or a cancel with its screen`);
  }
  return json as Recording;
}

function expectShape(holds: boolean, fault: string): void {
  if (!holds) throw new RecordingError(fault);
}

function isStep(json: unknown): boolean {
  const { apdu, button, cancel, reply, screen } = Object(json) as Record<string, unknown>;
  const inputs = [apdu, button, cancel].filter(input => input !== undefined);
  if (inputs.length !== 1 || !isScreen(screen)) return false;
  if (apdu !== undefined) return isHex(apdu) && (reply === null || isHex(reply));
  if (button !== undefined) {
    return Object.hasOwn(BUTTON_BITS, `${button}`) && (reply === undefined || isHex(reply));
  }
  return cancel === true && reply === undefined;
}

function isScreen(json: unknown): boolean {
  const { texts, frame } = Object(json) as Record<string, unknown>;
  return Array.isArray(texts) && texts.every(text => typeof text === 'string') && isHex(frame, 64);
}

function isHex(json: unknown, digits?: number): boolean {
  if (typeof json !== 'string' || json.length > MAX_APDU_DIGITS || json.length % 2 !== 0) return false;
  return /^[0-9a-f]*$/.test(json) && (digits === undefined || json.length === digits);
}
