import { cleanText } from '../../../chain/src/index.js';
import { writeJson } from '../gateway/json.js';
import { type ExitName, exitCode } from './exit-codes.js';

/** How a failure is told: the JSON object's fields in their order. */
export interface Failure {
  exit: number;
  code: string;
  message: string;
  hint?: string;
  facts: Record<string, unknown>;
}

/** The stable codes of errors, by what the process's exit code says of them. */
const CODES: Readonly<Partial<Record<ExitName, readonly string[]>>> = {
  usage: [
    'USAGE',
    'INVALID_INPUT',
    'GATEWAY_URL',
    'FEE_TOO_LOW',
    'INSTRUCTION_NOT_UTF8',
    'NOT_THE_APPROVER',
    'BAD_SEED',
    'PORT_IN_USE',
    'LISTEN_FAILED',
    'DATA_IN_USE',
    'DATA_OF_ANOTHER_NETWORK',
    'DATA_OF_ANOTHER_VERSION',
    'DATA_BROKEN',
    'DATA_UNUSABLE',
    'FIRMWARE_MISSING',
    'PANEL_MISSING',
    'BAD_AUTOMATION',
    'BAD_CHAOS',
    'CONFIG_UNREADABLE',
    'CONFIG_INVALID',
    'CONFIG_EXISTS',
    'TLS_UNUSABLE',
    'ALLOWLIST_UNUSABLE',
    'REDIS_UNREACHABLE',
    'CANNOT_LISTEN',
  ],
  noDevice: [
    'TRANSPORT_FAILED',
    'DEVICE_NOT_FOUND',
    'DEVICE_NOT_ACCESSIBLE',
    'DEVICE_DISCONNECTED',
    'INVALID_REPLY',
  ],
  rejected: ['USER_REJECTED'],
  refused: [
    'MALFORMED',
    'SENDER_MISMATCH',
    'UNSUPPORTED_TYPE',
    'TOO_LARGE',
    'ESCROW_HASH_MISMATCH',
    'WRONG_APP',
    'WRONG_LENGTH',
    'WRONG_P1P2',
    'BAD_STATE',
    'INTERNAL',
    'UNKNOWN_STATUS',
  ],
  locked: ['LOCKED'],
  busy: ['BUSY'],
  noGateway: ['GATEWAY_UNREACHABLE', 'GATEWAY_UNTRUSTED', 'GATEWAY_BUSY', 'BROADCAST_UNCERTAIN'],
  gatewayRefused: ['GATEWAY_STATUS', 'GATEWAY_ANSWER', 'BROADCAST_REFUSED'],
  wrongChain: [
    'SIGNING_VERSION',
    'SIGNING_TAG',
    'WRONG_CHAIN',
    'NODE_CHAIN_MISMATCH',
    'RELAY_CHAIN_MISMATCH',
  ],
  integrity: [
    'ADDRESS_MISMATCH',
    'INVALID_SIGNATURE',
    'TRANSACTION_HASH_MISMATCH',
    'SIGNATURE_REFUSED',
    'ESCROW_MISMATCH',
    'NOT_PUBLISHED',
  ],
  notConfirmed: ['NOT_CONFIRMED'],
  insufficient: ['INSUFFICIENT_BALANCE'],
  notFound: [
    'UNKNOWN_TRANSACTION',
    'UNKNOWN_TOKEN',
    'UNKNOWN_BLOCK',
    'UNKNOWN_MARKET',
    'ESCROW_NOT_FOUND',
    'NO_RELAY',
  ],
  altered: ['HASH_MISMATCH'],
  interrupted: ['ABORTED'],
};

/** chain/'s errors: always about what was typed. Their codes are of several kinds, so the name goes before them. */
const INPUT_ERRORS = ['AddressError', 'AccountError', 'AmountError', 'MnemonicError', 'TransactionError'];

const EXITS = new Map(
  Object.entries(CODES).flatMap(([name, codes]) => codes.map(code => [code, name as ExitName] as const)),
);

/** Words and exit code for whatever was thrown; never a stack trace. */
export function describeFailure(error: unknown): Failure {
  if (!(error instanceof Error)) {
    return unexpected(String(error));
  }
  if (INPUT_ERRORS.includes(error.name)) {
    return describeInputError(error);
  }
  const code = textOf(error, 'code');
  const exit = code === undefined ? undefined : EXITS.get(code);
  if (code === undefined || exit === undefined) {
    return unexpected(error.message);
  }
  const hint = textOf(error, 'hint');
  return {
    exit: exitCode(exit),
    code,
    message: cleanText(error.message, 1000),
    ...(hint !== undefined && { hint }),
    facts: snakeCase(Reflect.get(error, 'facts')),
  };
}

/** Ctrl-C, whatever was thrown because of it. */
export function describeInterruption(hint: string | undefined): Failure {
  const exit = exitCode('interrupted');
  return {
    exit,
    code: 'INTERRUPTED',
    message: 'interrupted',
    ...(hint !== undefined && { hint }),
    facts: {},
  };
}

function describeInputError(error: Error): Failure {
  // AddressError with code checksum is ADDRESS_CHECKSUM.
  const kind = error.name.replace(/Error$/, '').toUpperCase();
  const detail = textOf(error, 'reason') ?? textOf(error, 'code');
  const place =
    error.name === 'TransactionError' ? snakeCase(error, ['reason', 'field', 'offset', 'status']) : {};
  return {
    exit: exitCode('usage'),
    code: detail === undefined ? kind : `${kind}_${detail.replaceAll('-', '_').toUpperCase()}`,
    message: error.message,
    facts: place,
  };
}

function unexpected(message: string): Failure {
  return {
    exit: exitCode('unexpected'),
    code: 'UNEXPECTED',
    message: `unexpected error: ${cleanText(message, 1000)}`,
    hint: 'This is a bug; set ZBC_SIGNER_TRACE=1 to see where it happened.',
    facts: {},
  };
}

function textOf(error: Error, property: string): string | undefined {
  const value: unknown = Reflect.get(error, property);
  return typeof value === 'string' ? value : undefined;
}

function snakeCase(facts: unknown, names = Object.keys(Object(facts))): Record<string, unknown> {
  return Object.fromEntries(
    names.map(name => [
      name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
      Reflect.get(Object(facts), name),
    ]),
  );
}

/** `{"error": {code, message, …}}` on one line. */
export function failureJson({ exit, code, message, hint, facts }: Failure): string {
  return writeJson({
    error: { code, message, ...(hint !== undefined && { hint }), exit_code: exit, ...facts },
  });
}
