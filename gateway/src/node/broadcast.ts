import {
  accountFromPublicKey,
  decodeAddress,
  encodeAccount,
  fromHex,
  MAX_U64,
  toHex,
} from '../../../chain/src/index.js';
import { type FieldReader, readFields } from './fields.js';

/** Amounts in atomic units, `timeout` in Unix seconds, `approver` the bytes of the wire format. */
export interface BroadcastEscrow {
  approver: Uint8Array;
  commission: bigint;
  timeout: bigint;
  instruction: string;
  multiParty: boolean;
}

/** The named fields of a broadcast with their types checked and nothing else: bytes of any length, integers in their width. */
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

const MAX_U8 = 0xffn;
const MAX_U32 = 0xffff_ffffn;

/** Reads interface.md "Broadcast request"; fields it does not name are ignored. Throws ValidationError naming the field. */
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

/** `instruction` and `multi_party` are the two that interface.md does not show: empty and false when left out. */
function parseEscrow(fields: FieldReader): BroadcastEscrow {
  return {
    approver: parseApprover(fields),
    commission: fields.integer('commission', MAX_U64),
    timeout: fields.integer('timeout', MAX_U64),
    instruction: fields.has('instruction') ? fields.string('instruction') : '',
    multiParty: fields.has('multi_party') && fields.boolean('multi_party'),
  };
}

function parseApprover(fields: FieldReader): Uint8Array {
  const text = fields.string('approver_address');
  if (/^([0-9a-f]{2})*$/i.test(text)) {
    return fromHex(text);
  }
  return fields.convert('approver_address', () => encodeAccount(accountFromPublicKey(decodeAddress(text))));
}

/** The same named fields again, hex in lower case: `parseBroadcast` of it gives the same broadcast. */
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
    instruction,
    multi_party: multiParty,
  };
}
