import { isIP } from 'node:net';
import { isWebOrigin } from '@zbc-signer/chain';
import { Ajv, type ErrorObject, type Options } from 'ajv';
import ipaddr from 'ipaddr.js';
import { isDomainName, isHost, isPublicUrl, parseListen, parseNodeUrl } from './host.js';

/** The least length of a key. */
const MIN_KEY = 32;

interface Format {
  validate: (text: string) => boolean;
  /** How a fault of this format is described. */
  words: string;
}

const FORMATS = {
  ip: { validate: text => isIP(text) !== 0, words: 'must be an IP address such as 192.0.2.10' },
  sha256: {
    validate: text => /^[0-9a-f]{64}$/i.test(text),
    words: "must be the 64 hex digits of a file's SHA-256",
  },
  genesis: { validate: text => /^(?:0x)?[0-9a-f]{64}$/i.test(text), words: 'must be 64 hex digits' },
  domain: {
    validate: isDomainName,
    words: 'must be a domain name of at most 227 characters, without a port',
  },
  host: { validate: isHost, words: 'must be a domain name or an IPv4 address, without a port' },
  'public-url': { validate: isPublicUrl, words: 'must be an origin such as https://gateway.example:8443' },
  'web-origin': {
    validate: isWebOrigin,
    words: 'must be one exact origin such as https://app.example, without a path or a wildcard',
  },
  network: {
    validate: text => (/[.:]/.test(text) && ipaddr.isValid(text)) || ipaddr.isValidCIDR(text),
    words: 'must be an IP address or a network such as 192.0.2.0/24',
  },
  listen: {
    validate: text => parseListen(text) !== undefined,
    words: 'must be HOST:PORT such as 127.0.0.1:8883 or [::]:443',
  },
  'node-url': {
    validate: text => parseNodeUrl(text) !== undefined,
    words: 'must be a URL without a path, such as http://192.0.2.10:8884 or https://node.example',
  },
  // The key is sent in a header.
  key: {
    validate: text => /^[!-~]{1,256}$/.test(text) && text.length >= MIN_KEY,
    words: 'must be 32 to 256 printable ASCII characters without spaces',
  },
  text: { validate: text => /^[^\0]{1,1024}$/.test(text), words: 'must be a string of 1 to 1024 characters' },
} as const satisfies Record<string, Format>;

/** The formats of strings, for schemas. */
export type FormatName = keyof typeof FORMATS;

/** Creates a validator that knows the formats, and the keyword `atoms` for amounts, which may be bigint. */
export function createAjv(options: Options): Ajv {
  const made = new Ajv({ formats: FORMATS, verbose: true, ...options });
  return made.addKeyword({
    keyword: 'atoms',
    validate: (_schema: true, value: unknown) =>
      (typeof value === 'bigint' && value >= 0n && value < 2n ** 64n) ||
      (Number.isSafeInteger(value) && Number(value) >= 0),
    error: { message: 'must be an integer number of atomic units' },
  });
}

/** Validates requests. It reports the first fault of a value. */
export const ajv = createAjv({});

/**
 * Describes a fault, with the path of the invalid value. The text never contains the value, which may be secret;
 * `whole` names the value that has no path.
 */
export function describeFault(
  { instancePath, keyword, params, message = '', parentSchema }: ErrorObject,
  whole: string,
): string {
  const path = instancePath
    .slice(1)
    .replace(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.');
  const at = (name: unknown) => `${path && `${path}.`}${printable(String(name))}`;
  const format: FormatName | undefined = parentSchema?.format;
  if (format !== undefined && format in FORMATS) return `${path} ${FORMATS[format].words}`;
  switch (keyword) {
    case 'required':
      return `${at(params.missingProperty)} is missing`;
    case 'additionalProperties':
      return `${at(params.additionalProperty)} is not a known field`;
    case 'enum':
      return `${path} must be ${params.allowedValues.map((value: unknown) => JSON.stringify(value)).join(' or ')}`;
    case 'type':
      return `${path || whole} must be ${params.type === 'object' ? 'a JSON object' : `of type ${params.type}`}`;
    default:
      return `${path || whole} ${message}`;
  }
}

/** Converts the integers of JSON that `parseJson` reads as bigint to numbers, except those above 2^53. */
export function withNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return BigInt(Number(value)) === value ? Number(value) : value;
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withNumbers(field)]));
}

/** Escapes the name of a field that the sender chose. Omits a name that is long enough to be a key. */
function printable(name: string): string {
  if (name.length >= MIN_KEY) return '"…"';
  return /^\w+$/.test(name) ? name : `"${name.replace(/[^ -~]/g, '?')}"`;
}
