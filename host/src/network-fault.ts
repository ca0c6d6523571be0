// Explains failed connections of Node's fetch; browser-network-fault.ts replaces it in browsers.
import type { GatewayError } from './errors.js';
import { GatewayMalformedError, GatewayUnreachableError, gatewayUntrustedError } from './gateway/errors.js';

const UNKNOWN_ISSUER = 'unknown certificate issuer';
/** Faults by Node's error code, which is OpenSSL's. */
const CERTIFICATE_FAULTS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the issuer certificate is missing',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
};

const CLOSED = 'it closed the connection';
const NO_ANSWER = 'it does not answer';
const NO_ROUTE = 'there is no route to it';
const NO_TLS = 'it does not speak TLS: is it an http:// URL?';
/** Faults by the error code of Node's network, of undici or of OpenSSL. */
const CONNECTION_FAULTS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host name',
  EAI_AGAIN: 'its host name cannot be looked up now',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  EHOSTUNREACH: NO_ROUTE,
  EHOSTDOWN: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
  ENETDOWN: NO_ROUTE,
  EADDRNOTAVAIL: NO_ROUTE,
  ETIMEDOUT: NO_ANSWER,
  UND_ERR_CONNECT_TIMEOUT: NO_ANSWER,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
};
/**
 * The codes of a failed connection. An error for several addresses of a host has a code, but no `syscall`.
 */
const NOT_CONNECTED = ['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'];
const BAD_PORT = 'bad port';
/**
 * Error codes for a response that is not HTTP. HPE_INVALID_EOF_STATE means that the response is incomplete.
 */
const NOT_HTTP = /^HPE_INVALID_(?!EOF)/;
/** The message of the same error in undici 7, where it has no code. */
const NOT_HTTP_MESSAGE = /^Response does not match the HTTP\/1\.1 protocol \((?!Invalid EOF)/;
/** Error codes of zlib for invalid data. A connection that closes early causes another code. */
const BROKEN_ENCODING = /^(?:Z_DATA_ERROR$|ERR__ERROR_FORMAT)/;

/** A failed request. */
export interface FailedRequest {
  /** The URL of the gateway. */
  url: string;
  route: string;
  /** Fetches within the time limit of the request. */
  fetch: (url: string, init: { mode: 'no-cors' }) => Promise<unknown>;
  /** Whether the request is a read, and no response of this gateway was readable yet. */
  isFirstRead: boolean;
}

/** The error for a failed fetch. */
export async function fetchError(error: unknown, { url, route }: FailedRequest): Promise<GatewayError> {
  const code = codeOf(error);
  const untrusted = wordsOf(CERTIFICATE_FAULTS, code);
  if (untrusted !== undefined) return gatewayUntrustedError(url, untrusted, error);
  const malformed = answerFault(code, messageOf(error));
  if (malformed !== undefined) return new GatewayMalformedError(route, malformed);
  const reason = connectionFault(code, messageOf(error), url);
  return new GatewayUnreachableError(url, reason, error, !failedToConnect(error, code));
}

/** Whether the connection was never made, so that no byte of the request has left. */
function failedToConnect(error: unknown, code: string): boolean {
  const { syscall } = Object(causeOf(error)) as { syscall?: unknown };
  return (
    syscall === 'connect' ||
    syscall === 'getaddrinfo' ||
    NOT_CONNECTED.includes(code) ||
    messageOf(error) === BAD_PORT
  );
}

/** The reason why the response is invalid; undefined if the error has another cause. */
function answerFault(code: string, message: string): string | undefined {
  if (code === '' ? NOT_HTTP_MESSAGE.test(message) : NOT_HTTP.test(code)) return 'it is not HTTP';
  return BROKEN_ENCODING.test(code) ? 'its content encoding is broken' : undefined;
}

/** The reason why there is no answer, followed by the system's error code. */
function connectionFault(code: string, message: string, url: string): string {
  if (message === BAD_PORT) return 'fetch does not allow this port';
  const words = describeConnectionCode(code);
  return words === CLOSED && isRemote(url) ? `${CLOSED}: is it an https:// URL? (${code})` : inWords(code);
}

/** Describes the system's error code of a failed connection, and appends the code. */
export function inWords(code: string): string {
  const words = describeConnectionCode(code);
  if (words !== undefined) return `${words} (${code})`;
  return code === '' ? 'the connection failed' : code;
}

function describeConnectionCode(code: string): string | undefined {
  const words = wordsOf(CONNECTION_FAULTS, code);
  return words ?? (/^(?:ERR_SSL_|EPROTO$)/.test(code) ? 'no TLS connection can be made' : undefined);
}

function wordsOf(words: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(words, code) ? words[code] : undefined;
}

/** Whether the URL is plain HTTP to another machine. */
function isRemote(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(?:127\.|\[::1\]|(?:.*\.)?localhost$)/.test(hostname);
}

/** The system's error code, such as ECONNREFUSED; empty if there is none. */
function codeOf(error: unknown): string {
  const { code } = Object(causeOf(error)) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** The message of an error's cause; empty if there is no cause. */
function messageOf(error: unknown): string {
  const { message } = Object(causeOf(error)) as { message?: unknown };
  return typeof message === 'string' ? message : '';
}

function causeOf(error: unknown): unknown {
  return (Object(error) as { cause?: unknown }).cause;
}
