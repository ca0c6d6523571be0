import { ConnectError } from './errors.js';

/** The parts of a signed text (docs/CONNECT.md#the-signed-text). */
export interface SignedTextParts {
  /** Origin of the page that asked, as reported by the browser. */
  origin: string;
  /** Time by the wallet's clock, such as `2026-11-27T12:00:00.000Z`. */
  time: string;
  /**
   * Chosen by the page or its server, which accepts each nonce once: 8 to 64 letters, digits, `-` and `_`.
   */
  nonce: string;
  /** Printable ASCII and line feeds. */
  message: string;
}

/** Maximum length of a message that a device signs. */
const MAX_LENGTH = 2048;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/.source;
const NONCE = /[\w-]{8,64}/.source;
const MESSAGE = /[\n -~]+/.source;
const FORM = `ZBC signed message 1\nOrigin: ([!-~]+)\nTime: (${TIME})\nNonce: (${NONCE})\n\n(${MESSAGE})`;

const match = (form: string, text: string) => new RegExp(`^${form}$`).exec(text);

/** The whole text that the device shows and signs; throws ConnectError `INVALID_SIGNED_TEXT`. */
export function formatSignedText({ origin, time, nonce, message }: SignedTextParts): string {
  if (!match(NONCE, nonce)) throw invalidError('its nonce is not 8 to 64 letters, digits, - and _');
  if (!match(MESSAGE, message)) {
    throw invalidError('its message is empty, or has characters other than printable ASCII and line feeds');
  }
  const text = `ZBC signed message 1\nOrigin: ${origin}\nTime: ${time}\nNonce: ${nonce}\n\n${message}`;
  parse(text);
  return text;
}

/**
 * Reads the parts of a signed text. Throws ConnectError `INVALID_SIGNED_TEXT` if its form is invalid, or if
 * origin or nonce are not the expected ones. Does not check the signature: use `verify` of
 * `@zbc-signer/chain`.
 */
export function readSignedText(
  text: string,
  expected: Pick<SignedTextParts, 'origin' | 'nonce'>,
): SignedTextParts {
  const parts = parse(text);
  for (const name of ['origin', 'nonce'] as const) {
    if (parts[name] !== expected[name]) {
      throw invalidError(`its ${name} is ${parts[name]}, expected ${expected[name]}`);
    }
  }
  return parts;
}

/** Reads a text. Its type is checked, because a server may pass a value of any type that a browser sent. */
function parse(text: unknown): SignedTextParts {
  if (typeof text !== 'string' || text.length > MAX_LENGTH) {
    throw invalidError(`it is not a text of at most ${MAX_LENGTH} characters`);
  }
  const [, origin, time, nonce, message] = match(FORM, text) ?? [];
  if (message === undefined) throw invalidError('it does not have the form of a signed text');
  return { origin: origin!, time: time!, nonce: nonce!, message };
}

function invalidError(reason: string): ConnectError {
  return new ConnectError('INVALID_SIGNED_TEXT', `the signed text is not valid for this page: ${reason}`);
}
