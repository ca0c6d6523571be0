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
