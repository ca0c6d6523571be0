import {
  accountFromPublicKey,
  decodeAddress,
  encodeAccount,
  fromHex,
  MAX_U64,
  toHex,
} from '@zbc-signer/chain';
import { type JsonFields, readFields } from './fields.js';

/**
 * The escrow of a broadcast. `approver` has the bytes of the wire format, `commission` is in atomic units,
 * `timeout` in Unix seconds, and `instruction` is UTF-8.
 */
export interface BroadcastEscrow {
  approver: Uint8Array;
  commission: bigint;
  timeout: bigint;
  instruction: Uint8Array;
  multiParty: boolean;
}

/**
 * The fields of a broadcast, read from its JSON or decoded from stored bytes. Only their types were checked:
 * byte fields may have any length, and each integer is in the range of its type.
 */
export interface Broadcast {
  version: bigint;
  timestamp: bigint;
  type: bigint;
  fee: bigint;
  sender: Uint8Array;
  recipient: Uint8Array;
  body: Uint8Array;
  signature: Uint8Array;
  message: Uint8Array;
  escrow?: BroadcastEscrow;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const MAX_U8 = 0xffn;
const MAX_U32 = 0xffff_ffffn;

/**
 * Parses a broadcast (docs/gateway/routes.md#broadcast-request). Ignores unknown fields. Throws
 * ValidationError.
 */
export function parseBroadcast(json: unknown): Broadcast {
  const fields = readFields(json, '');
  const escrow = fields.has('escrow') ? { escrow: parseEscrow(fields.object('escrow')) } : {};
  return {
    version: fields.integer('version', MAX_U8),
    timestamp: fields.integer('timestamp', MAX_U64),
    type: fields.integer('transaction_type', MAX_U32),
    fee: fields.integer('fee', MAX_U64),
    sender: fields.hex('sender_account_address'),
    recipient: fields.hex('recipient_account_address'),
    body: fields.hex('transaction_body_bytes'),
    signature: fields.hex('signature'),
    message: fields.has('message_hex') ? fields.hex('message_hex') : new Uint8Array(0),
    ...escrow,
  };
}

/** Parses an escrow. `instruction` and `multi_party` are optional; their defaults are empty and false. */
function parseEscrow(fields: JsonFields): BroadcastEscrow {
  return {
    approver: parseApprover(fields),
    commission: fields.integer('commission', MAX_U64),
    timeout: fields.integer('timeout', MAX_U64),
    instruction: new TextEncoder().encode(fields.has('instruction') ? fields.string('instruction') : ''),
    multiParty: fields.has('multi_party') && fields.boolean('multi_party'),
  };
}

function parseApprover(fields: JsonFields): Uint8Array {
  const text = fields.string('approver_address');
  if (/^([0-9a-f]{2})*$/i.test(text)) return fromHex(text);
  return fields.convert('approver_address', () => encodeAccount(accountFromPublicKey(decodeAddress(text))));
}

/** Converts a broadcast to its JSON, with hex in lower case. This is the inverse of `parseBroadcast`. */
export function formatBroadcast(broadcast: Broadcast): Record<string, unknown> {
  const { version, timestamp, type, fee, sender, recipient, body, signature, message, escrow } = broadcast;
  return {
    version,
    timestamp,
    transaction_type: type,
    fee,
    sender_account_address: toHex(sender),
    recipient_account_address: toHex(recipient),
    transaction_body_bytes: toHex(body),
    signature: toHex(signature),
    message_hex: toHex(message),
    ...(escrow && { escrow: formatEscrow(escrow) }),
  };
}

function formatEscrow({ approver, commission, timeout, instruction, multiParty }: BroadcastEscrow) {
  return {
    approver_address: toHex(approver),
    commission,
    timeout,
    instruction: UTF8.decode(instruction),
    multi_party: multiParty,
  };
}
