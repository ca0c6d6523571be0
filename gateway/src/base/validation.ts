import { isIP } from 'node:net';
import { Ajv, type ErrorObject } from 'ajv';

interface Format {
  validate: (text: string) => boolean;
  /** How a fault of this format is described. */
  words: string;
}

const FORMATS: Readonly<Record<string, Format>> = {
  ip: { validate: text => isIP(text) !== 0, words: 'must be an IP address such as 192.0.2.10' },
  sha256: {
    validate: text => /^[0-9a-f]{64}$/i.test(text),
    words: "must be the 64 hex digits of a file's SHA-256",
  },
};

/** Validates requests. It reports the first fault of a value. */
export const ajv = new Ajv({ formats: FORMATS });

/**
 * Describes a fault, with the path of the invalid value. The text never contains the value, which may be secret;
 * `whole` names the value that has no path.
 */
export function describeFault(
  { instancePath, keyword, params, message = '' }: ErrorObject,
  whole: string,
): string {
  const path = instancePath.slice(1).replaceAll('/', '.');
  const at = (name: unknown) => `${path && `${path}.`}${printable(String(name))}`;
  switch (keyword) {
    case 'required':
      return `${at(params.missingProperty)} is missing`;
    case 'additionalProperties':
      return `${at(params.additionalProperty)} is not a known field`;
    case 'enum':
      return `${path} must be ${params.allowedValues.map((value: unknown) => JSON.stringify(value)).join(' or ')}`;
    case 'format':
      return `${path} ${FORMATS[params.format]!.words}`;
    case 'type':
      return `${path || whole} must be ${params.type === 'object' ? 'a JSON object' : `of type ${params.type}`}`;
    default:
      return `${path || whole} ${message}`;
  }
}

/** Escapes the name of a field that the sender chose. */
function printable(name: string): string {
  return /^\w{1,64}$/.test(name) ? name : `"${name.slice(0, 32).replace(/[^ -~]/g, '?')}"`;
}
