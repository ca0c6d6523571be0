// What Node's fetch reports of a failed connection; browser-network-fault.ts takes its place in browsers.
import type { GatewayError } from './errors.js';
import { GatewayMalformedError, GatewayUnreachableError, gatewayUntrustedError } from './gateway/errors.js';

const UNKNOWN_ISSUER = 'unknown certificate issuer';
/** By Node's error code, which is OpenSSL's. */
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
const NO_ROUTE = 'no network leads to it';
const NO_TLS = 'it does not speak TLS: is it an http:// URL?';
/** By the code of Node's network, of undici or of OpenSSL. */
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
/** Also of the error for several addresses of a host, which names no system call. */
const NOT_CONNECTED = ['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'];
const BAD_PORT = 'bad port';
const NOT_HTTP = /^HPE_INVALID_(?!EOF)/;
/** The message of that error: release 7 of the package undici gives it no code. */
const NOT_HTTP_MESSAGE = /^Response does not match the HTTP\/1\.1 protocol \((?!Invalid EOF)/;
/** Of zlib; a connection that closes early has another. */
const BROKEN_ENCODING = /^(?:Z_DATA_ERROR$|ERR__ERROR_FORMAT)/;

/** A request of which fetch has failed. */
export interface FailedRequest {
  /** The gateway's. */
  url: string;
  route: string;
  /** As for the request, within its time. */
  fetch: (url: string, init: { mode: 'no-cors' }) => Promise<unknown>;
  /** Whether it is a read, before anything of this gateway could be read. */
  isFirstRead: boolean;
}

/** The error for one of fetch. */
export async function fetchError(error: unknown, { url, route }: FailedRequest): Promise<GatewayError> {
  const code = codeOf(error);
  const untrusted = wordsOf(CERTIFICATE_FAULTS, code);
  if (untrusted !== undefined) return gatewayUntrustedError(url, untrusted, error);
  const malformed = answerFault(code, messageOf(error));
  if (malformed !== undefined) return new GatewayMalformedError(route, malformed);
  const reason = connectionFault(code, messageOf(error), url);
  return new GatewayUnreachableError(url, reason, error, !failedToConnect(error, code));
}

/** Whether no connection was made, so that no byte of the request has left. */
function failedToConnect(error: unknown, code: string): boolean {
  const { syscall } = Object(causeOf(error)) as { syscall?: unknown };
  return (
    syscall === 'connect' ||
    syscall === 'getaddrinfo' ||
    NOT_CONNECTED.includes(code) ||
    messageOf(error) === BAD_PORT
  );
}

/** Why bytes that came are no answer; undefined if none came. */
function answerFault(code: string, message: string): string | undefined {
  if (code === '' ? NOT_HTTP_MESSAGE.test(message) : NOT_HTTP.test(code)) return 'it is not HTTP';
  return BROKEN_ENCODING.test(code) ? 'its content encoding is broken' : undefined;
}

/** Why there is no answer: in words, with the system's code. */
function connectionFault(code: string, message: string, url: string): string {
  if (message === BAD_PORT) return 'fetch does not allow this port';
  const words = describeConnectionCode(code);
  return words === CLOSED && isRemote(url) ? `${CLOSED}: is it an https:// URL? (${code})` : inWords(code);
}

/** The system's code of a failed connection in words, with the code. */
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

/** Of plain HTTP to another machine. */
function isRemote(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(?:127\.|\[::1\]|(?:.*\.)?localhost$)/.test(hostname);
}

/** The system's error code, such as ECONNREFUSED; empty if there is none. */
function codeOf(error: unknown): string {
  const { code } = Object(causeOf(error)) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Of the cause of an error; empty if there is none. */
function messageOf(error: unknown): string {
  const { message } = Object(causeOf(error)) as { message?: unknown };
  return typeof message === 'string' ? message : '';
}

function causeOf(error: unknown): unknown {
  return (Object(error) as { cause?: unknown }).cause;
}
