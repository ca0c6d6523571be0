import { ConnectError } from './errors.js';

/** What a signed text says (docs/CONNECT.md#the-signed-text). */
export interface SignedTextParts {
  /** Of the page that asked, as its browser says it. */
  origin: string;
  /** Of the wallet's clock, such as `2026-11-27T12:00:00.000Z`. */
  time: string;
  /** Chosen by who asked, to take each text once: 8 to 64 letters, digits, `-` and `_`. */
  nonce: string;
  /** Printable ASCII and line feeds. */
  message: string;
}

/** What a device signs at most. */
const MAX_LENGTH = 2048;
const FORM =
  /^ZBC signed message 1\nOrigin: ([!-~]+)\nTime: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\nNonce: ([\w-]{8,64})\n\n([\n -~]+)$/;

/** The text that the device shows and signs, whole; throws ConnectError `INVALID_SIGNED_TEXT`. */
export function formatSignedText({ origin, time, nonce, message }: SignedTextParts): string {
  const text = `ZBC signed message 1\nOrigin: ${origin}\nTime: ${time}\nNonce: ${nonce}\n\n${message}`;
  parse(text);
  return text;
}

/**
 * What a signed text says; throws ConnectError `INVALID_SIGNED_TEXT` for one of another form, origin or nonce than
 * expected. Whether the signature is one of it says `verify` of `@zbc-signer/chain`.
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
  if (message === undefined) throw invalidError('it has another form, is too long, or has more than ASCII');
  return { origin: origin!, time: time!, nonce: nonce!, message };
}

function invalidError(reason: string): ConnectError {
  return new ConnectError('INVALID_SIGNED_TEXT', `this is no signed text for this page: ${reason}`);
}
