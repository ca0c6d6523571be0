import { ConnectError } from './errors.js';

/** The parts of a signed text (docs/CONNECT.md#the-signed-text). */
export interface SignedTextParts {
  /** Origin of the page that asked, as reported by the browser. */
  origin: string;
  /** Time by the wallet's clock, such as `2026-11-27T12:00:00.000Z`. */
  time: string;
  /** The requester's choice, so that it accepts each text once: 8 to 64 letters, digits, `-` and `_`. */
  nonce: string;
  /** Printable ASCII and line feeds. */
  message: string;
}

/** The longest message that a device signs. */
const MAX_LENGTH = 2048;
const FORM =
  /^ZBC signed message 1\nOrigin: ([!-~]+)\nTime: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\nNonce: ([\w-]{8,64})\n\n([\n -~]+)$/;

/** The whole text that the device shows and signs; throws ConnectError `INVALID_SIGNED_TEXT`. */
export function formatSignedText({ origin, time, nonce, message }: SignedTextParts): string {
  const text = `ZBC signed message 1\nOrigin: ${origin}\nTime: ${time}\nNonce: ${nonce}\n\n${message}`;
  parse(text);
  return text;
}

/**
 * Reads the parts of a signed text; throws ConnectError `INVALID_SIGNED_TEXT` if form, origin or nonce are not as
 * expected. It does not check the signature: use `verify` of `@zbc-signer/chain`.
 */
export function readSignedText(
  text: string,
  expected: Pick<SignedTextParts, 'origin' | 'nonce'>,
): SignedTextParts {
  const parts = parse(text);
  for (const name of ['origin', 'nonce'] as const) {
    if (parts[name] !== expected[name]) throw invalidError(`its ${name} is ${parts[name]}`);
  }
  return parts;
}

function parse(text: string): SignedTextParts {
  const [, origin, time, nonce, message] = (text.length <= MAX_LENGTH && FORM.exec(text)) || [];
  if (message === undefined) throw invalidError('it is malformed, too long or not ASCII');
  return { origin: origin!, time: time!, nonce: nonce!, message };
}

function invalidError(reason: string): ConnectError {
  return new ConnectError('INVALID_SIGNED_TEXT', `the signed text is not valid for this page: ${reason}`);
}
