import { types } from 'node:util';
import { invalidInputError } from '@zbc-signer/chain';
import { closestMatch } from 'leven';
import { EmulatorError } from './errors.js';

/** Two letters in the wrong order are two changes. */
const MAX_DISTANCE = 2;

/** Throws UNKNOWN_OPTION for an option that there is not: ignored, it would test something else. */
export function checkOptions<Options extends object>(
  options: Options,
  known: Readonly<Record<keyof Options, true>>,
): void {
  const names = Object.keys(known);
  const unknown = Object.keys(Object(options)).find(name => !names.includes(name));
  if (unknown === undefined) return;
  const near = closestMatch(unknown, names, { maxDistance: MAX_DISTANCE });
  const hint = near === undefined ? `there are ${names.join(', ')}` : `did you mean "${near}"?`;
  throw new EmulatorError('UNKNOWN_OPTION', `unknown option "${unknown}"; ${hint}`);
}

/** Throws INVALID_INPUT for what is none of the values, as a mistyped one: read as another, it would pass. */
export function checkChoice(name: string, value: unknown, choices: readonly unknown[]): void {
  if (choices.includes(value)) return;
  const words = choices.map(choice => JSON.stringify(choice)).join(', ');
  throw invalidInputError(`${name} must be one of ${words}, not ${describe(value)}`);
}

/** Throws INVALID_INPUT for what is not a Uint8Array of that length, or of any. */
export function checkBytes(name: string, value: unknown, length?: number): void {
  // Of whatever realm: each test file of Jest has a Uint8Array of its own.
  const isRight = types.isUint8Array(value) && (length === undefined || value.length === length);
  if (isRight) return;
  throw invalidInputError(`${name} must be a Uint8Array${length === undefined ? '' : ` of ${length} bytes`}`);
}

/** Bounded: the value may be anything. */
const describe = (value: unknown): string => JSON.stringify(String(value).slice(0, 40));
