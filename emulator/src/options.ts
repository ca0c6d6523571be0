import { invalidInputError } from '@zbc-signer/chain';
import { closestMatch } from 'leven';
import { EmulatorError } from './errors.js';

/** Largest edit distance of a suggestion. A transposition counts as two edits. */
const MAX_DISTANCE = 2;

/** Throws UNKNOWN_OPTION for an unknown option. If it were ignored, the test would test something else. */
export function checkOptions<Options extends object>(
  options: Options,
  known: Readonly<Record<keyof Options, true>>,
): void {
  const names = Object.keys(known);
  const unknown = Object.keys(Object(options)).find(name => !names.includes(name));
  if (unknown === undefined) return;
  const near = closestMatch(unknown, names, { maxDistance: MAX_DISTANCE });
  const hint = near === undefined ? `the known options are ${names.join(', ')}` : `did you mean "${near}"?`;
  throw new EmulatorError('UNKNOWN_OPTION', `unknown option "${unknown}"; ${hint}`);
}

/** Throws INVALID_INPUT for an unknown value, so that a typo is not silently accepted. */
export function checkChoice(name: string, value: unknown, choices: readonly unknown[]): void {
  if (choices.includes(value)) return;
  const words = choices.map(choice => JSON.stringify(choice)).join(', ');
  throw invalidInputError(`${name} must be one of ${words}, not ${describe(value)}`);
}

/** Throws INVALID_INPUT if the value is not a Uint8Array of that length, or of any length if omitted. */
export function checkBytes(name: string, value: unknown, length?: number): void {
  // The check works across realms: each test file of Jest has its own Uint8Array.
  const isRight = isUint8Array(value) && (length === undefined || value.length === length);
  if (isRight) return;
  throw invalidInputError(`${name} must be a Uint8Array${length === undefined ? '' : ` of ${length} bytes`}`);
}

const isUint8Array = (value: unknown): value is Uint8Array =>
  Object.prototype.toString.call(value) === '[object Uint8Array]';

/** The length is limited, because the value may be anything. */
const describe = (value: unknown): string => JSON.stringify(String(value).slice(0, 40));
