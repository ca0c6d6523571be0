import {
  ACCOUNT_KINDS,
  type Account,
  encodeAccount,
  KIND_NONE,
  NO_ACCOUNT,
  WireReader,
  WireWriter,
} from '@zbc-signer/chain';
import type { Broadcast, BroadcastEscrow } from './broadcast.js';

/** The signed fields: a broadcast without its signature. */
type Unsigned = Omit<Broadcast, 'signature'>;

const NO_ESCROW = encodeAccount(NO_ACCOUNT);

/**
 * Encodes the 11 fields in the wire format (docs/TRANSACTION.md#wire-format). Byte fields are written without
 * a check.
 */
export function encodeEnvelope(fields: Unsigned): Uint8Array {
  const { version, timestamp, type, fee, sender, recipient, body, message, escrow } = fields;
  return new WireWriter()
    .u32(Number(type))
    .u8(Number(version))
    .u64(timestamp)
    .bytes(sender)
    .bytes(recipient)
    .u64(fee)
    .counted(body)
    .bytes(escrow ? encodeEscrow(escrow) : NO_ESCROW)
    .counted(message)
    .finish();
}

function encodeEscrow({ approver, commission, timeout, instruction, multiParty }: BroadcastEscrow) {
  return new WireWriter()
    .bytes(approver)
    .u64(commission)
    .u64(timeout)
    .counted(instruction)
    .u8(Number(multiParty))
    .finish();
}

/**
 * Decodes transactions that passed the rules; this is the inverse of `encodeEnvelope`. Unlike the signer's
 * decoder, it accepts bodies, instructions and messages of any length. Throws TransactionError.
 */
export function decodeEnvelope(unsigned: Uint8Array): Unsigned {
  const reader = new WireReader(unsigned);
  const type = BigInt(reader.u32());
  const version = BigInt(reader.u8());
  const timestamp = reader.u64();
  const sender = encodeAccount(readAccount(reader));
  const recipient = encodeAccount(readAccount(reader));
  const fee = reader.u64();
  const body = reader.take(reader.u32());
  const escrow = readEscrow(reader);
  const message = reader.take(reader.u32());
  if (reader.remaining > 0) reader.refuse('trailing-bytes');
  return { version, timestamp, type, fee, sender, recipient, body, message, ...(escrow && { escrow }) };
}

function readEscrow(reader: WireReader): BroadcastEscrow | undefined {
  const approver = readAccount(reader);
  if (approver.kind === KIND_NONE) return undefined;
  return {
    approver: encodeAccount(approver),
    commission: reader.u64(),
    timeout: reader.u64(),
    instruction: reader.take(reader.u32()),
    multiParty: reader.u8() === 1,
  };
}

function readAccount(reader: WireReader): Account {
  const kind = reader.u32();
  const { payloadLength } = ACCOUNT_KINDS[kind] ?? reader.refuse('account-kind');
  return { kind, payload: reader.take(payloadLength) };
}
