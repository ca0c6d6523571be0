import type { ErrorCode as LibraryErrorCode } from '@zbc-signer/chain';
import type { DevnetErrorCode } from '@zbc-signer/devnet';
import type { ChaosError } from '@zbc-signer/devnet/chaos';
import type { ConfigErrorCode } from '@zbc-signer/gateway';
import type { ImageErrorCode } from '@zbc-signer/image';
import type { ExitName } from '../exit-codes.js';
import type * as own from './errors.js';

type OwnErrorCode = InstanceType<(typeof own)[keyof typeof own]>['code'];

/** The code of every error class; a class's code that is missing in EXITS below does not compile. */
type ErrorCode =
  | OwnErrorCode
  | LibraryErrorCode
  | ImageErrorCode
  | ConfigErrorCode
  | DevnetErrorCode
  | ChaosError['code'];

const EXITS: Readonly<Record<ErrorCode, ExitName>> = {
  USAGE: 'usage',
  BAD_COVERAGE: 'usage',
  DEVICE_TAKEN: 'usage',
  NOBODY_THERE: 'usage',
  NOT_ON_DEVICE: 'usage',
  UNKNOWN_OPTION: 'usage',
  BAD_RECORDING: 'usage',
  TRACE_SEED: 'usage',
  SNAPSHOT_UNWRITABLE: 'usage',
  TRACE_UNWRITABLE: 'usage',
  INVALID_INPUT: 'usage',
  INVALID_DOCUMENT: 'usage',
  TRANSACTION_EXPIRED: 'usage',
  TRANSACTION_POSTDATED: 'usage',
  INVALID_TRANSACTION: 'usage',
  ACCOUNT_KIND: 'usage',
  ACCOUNT_LENGTH: 'usage',
  ACCOUNT_NONE: 'usage',
  ADDRESS_ALPHABET: 'usage',
  ADDRESS_CHECKSUM: 'usage',
  ADDRESS_LENGTH: 'usage',
  ADDRESS_PREFIX: 'usage',
  AMOUNT_DECIMALS: 'usage',
  AMOUNT_FORMAT: 'usage',
  AMOUNT_RANGE: 'usage',
  MNEMONIC: 'usage',
  GATEWAY_URL: 'usage',
  FEE_TOO_LOW: 'usage',
  FEE_TOO_HIGH: 'usage',
  ZERO_AMOUNT: 'usage',
  CLOCK_MISMATCH: 'usage',
  ESCROW_DECIDED: 'usage',
  INSTRUCTION_NOT_UTF8: 'usage',
  NOT_THE_APPROVER: 'usage',
  BAD_SEED: 'usage',
  BAD_IMAGE: 'usage',
  BAD_SIGNING_KEY: 'usage',
  SEED_EXISTS: 'usage',
  PORT_IN_USE: 'usage',
  LISTEN_FAILED: 'usage',
  DATA_IN_USE: 'usage',
  DATA_OF_ANOTHER_NETWORK: 'usage',
  DATA_OF_ANOTHER_VERSION: 'usage',
  DATA_BROKEN: 'usage',
  DATA_UNUSABLE: 'usage',
  FOLLOWED_NODE_UNKNOWN: 'usage',
  FIRMWARE_MISSING: 'usage',
  PANEL_MISSING: 'usage',
  BAD_AUTOMATION: 'usage',
  BAD_CHAOS: 'usage',
  CONFIG_UNREADABLE: 'usage',
  CONFIG_INVALID: 'usage',
  CONFIG_EXISTS: 'usage',
  TLS_UNUSABLE: 'usage',
  ALLOWLIST_UNUSABLE: 'usage',
  REDIS_UNREACHABLE: 'usage',

  TRANSPORT_FAILED: 'noDevice',
  DEVICE_NOT_FOUND: 'noDevice',
  DEVICE_UNSUITABLE: 'noDevice',
  DEVICE_NOT_ACCESSIBLE: 'noDevice',
  DEVICE_DISCONNECTED: 'noDevice',
  DEVICE_UNRESPONSIVE: 'noDevice',
  DEVICE_HELD: 'noDevice',
  WRONG_INTERFACE: 'noDevice',
  REPLY_LOST: 'noDevice',
  SESSION_CLOSED: 'noDevice',
  INVALID_REPLY: 'noDevice',

  USER_REJECTED: 'rejected',

  MALFORMED: 'refused',
  SENDER_MISMATCH: 'refused',
  UNSUPPORTED_TYPE: 'refused',
  TOO_LARGE: 'refused',
  ESCROW_HASH_MISMATCH: 'refused',
  WRONG_APP: 'refused',
  PROTOCOL_VERSION: 'refused',
  WRONG_LENGTH: 'refused',
  WRONG_P1P2: 'refused',
  BAD_STATE: 'refused',
  INTERNAL: 'refused',
  UNKNOWN_STATUS: 'refused',

  LOCKED: 'locked',
  BUSY: 'busy',

  GATEWAY_UNREACHABLE: 'noGateway',
  GATEWAY_ORIGIN_REFUSED: 'noGateway',
  GATEWAY_UNTRUSTED: 'noGateway',
  GATEWAY_BUSY: 'noGateway',
  BROADCAST_UNCERTAIN: 'noGateway',

  GATEWAY_STATUS: 'gatewayRefused',
  GATEWAY_MALFORMED: 'gatewayRefused',
  BROADCAST_REFUSED: 'gatewayRefused',
  DUPLICATE_TRANSACTION: 'gatewayRefused',

  SIGNING_VERSION: 'wrongChain',
  SIGNING_TAG: 'wrongChain',
  WRONG_CHAIN: 'wrongChain',
  NODE_CHAIN_MISMATCH: 'wrongChain',
  RELAY_CHAIN_MISMATCH: 'wrongChain',

  ADDRESS_MISMATCH: 'integrity',
  PUBLIC_KEY_MISMATCH: 'integrity',
  TOKEN_MISMATCH: 'integrity',
  INVALID_SIGNATURE: 'integrity',
  TRANSACTION_HASH_MISMATCH: 'integrity',
  SIGNATURE_REFUSED: 'integrity',
  FALSE_STATUS: 'integrity',
  ESCROW_MISMATCH: 'integrity',
  NOT_PUBLISHED: 'integrity',
  IMAGE_BROKEN: 'integrity',
  IMAGE_NOT_SIGNED: 'integrity',
  IMAGE_SIGNATURE: 'integrity',
  IMAGE_TOO_OLD: 'integrity',
  NOT_RELEASED: 'integrity',
  MESSAGE_SIGNATURE: 'integrity',

  NOT_CONFIRMED: 'notConfirmed',
  UNSETTLED_PAYMENT: 'notConfirmed',
  JOURNAL_FAILED: 'usage',
  INSUFFICIENT_BALANCE: 'insufficient',

  UNKNOWN_TRANSACTION: 'notFound',
  UNKNOWN_TOKEN: 'notFound',
  UNKNOWN_BLOCK: 'notFound',
  UNKNOWN_MARKET: 'notFound',
  ESCROW_NOT_FOUND: 'notFound',
  NO_RELAY: 'notFound',
  NO_FAUCET: 'notFound',

  HASH_MISMATCH: 'altered',
  ABORTED: 'interrupted',
  SUBMISSION_INTERRUPTED: 'interrupted',

  DEVICE_MISMATCH: 'nonconforming',
  REPLAY_MISMATCH: 'nonconforming',

  FIRMWARE_CRASH: 'unexpected',
  EMULATOR_STOPPED: 'unexpected',
  NO_REVIEW: 'unexpected',
  DOCKER: 'unexpected',
  RECORD_DURING_REVIEW: 'unexpected',
  REVIEW_MISMATCH: 'unexpected',
  SNAPSHOT_MISMATCH: 'unexpected',
};

/** `unexpected` for a code of no error class of this project. */
export function exitOf(code: string | undefined): ExitName {
  return code !== undefined && Object.hasOwn(EXITS, code) ? EXITS[code as ErrorCode] : 'unexpected';
}
