import {
  MAX_INSTRUCTION,
  MAX_MESSAGE,
  MAX_TRANSACTION,
  PUBLIC_KEY_LENGTH,
  SIGNATURE_LENGTH,
} from '@zbc-signer/protocol/limits';
import {
  ACCOUNT_KINDS,
  type Account,
  hasKeySizedPayload,
  KIND_NONE,
  KIND_ZBC,
  NO_ACCOUNT,
  sameAccount,
} from './account.js';
import {
  type Escrow,
  TRANSACTION_FORMATS,
  TRANSACTION_VERSION,
  type Transaction,
  type TransactionBody,
  type TransactionFormat,
} from './transaction.js';
import { TransactionError } from './transaction-error.js';
import { WireReader } from './wire-reader.js';

const LINKED_FIELD = 12;

/** The format of any type that a signer signs. */
type Format = TransactionFormat<TransactionBody>;

const FORMATS: Readonly<Record<number, Format>> = TRANSACTION_FORMATS;

/** Which rules apply: those for a linked transaction, or those for a transaction to sign. */
interface Rules {
  linked: boolean;
  /** The signer's account: the sender of a transaction to sign, or the approver of a linked transaction. */
  own?: Account | undefined;
}

/** A linked transaction, split at its signature. */
export interface LinkedTransaction {
  transaction: Transaction;
  unsigned: Uint8Array;
  signature: Uint8Array;
}

/**
 * Decodes and validates unsigned bytes as a signer does. If `own` is given, it must be the sender.
 * Throws TransactionError for the first fault in wire order.
 */
export function decodeTransaction(bytes: Uint8Array, own?: Account): Transaction {
  if (bytes.length === 0) throw new TransactionError('tx-empty', 0, 0);
  if (bytes.length > MAX_TRANSACTION) {
    throw new TransactionError('tx-too-large', 0, 0, { actual: bytes.length, allowed: MAX_TRANSACTION });
  }
  const reader = new WireReader(bytes);
  const transaction = readTransaction(reader, { linked: false, own });
  if (reader.remaining > 0) reader.refuse('trailing-bytes');
  return transaction;
}

/**
 * Decodes and validates the unsigned bytes and signature of an escrowed transaction. If `own` is given, it
 * must be the approver. Throws TransactionError with field 12.
 */
export function decodeLinked(bytes: Uint8Array, own?: Account): LinkedTransaction {
  const reader = new WireReader(bytes, LINKED_FIELD);
  const transaction = readTransaction(reader, { linked: true, own });
  if (reader.remaining !== SIGNATURE_LENGTH) reader.refuse('linked-signature');
  return { transaction, unsigned: reader.consumed, signature: reader.take(SIGNATURE_LENGTH) };
}

function readTransaction(reader: WireReader, rules: Rules): Transaction {
  const format = readFormat(reader, rules);
  readVersion(reader);
  const timestamp = readTimestamp(reader);
  const sender = readSender(reader, rules);
  const recipient = readRecipient(reader, format);
  const fee = reader.enter(6).u64();
  const body = readBody(reader, format);
  const escrow = readEscrow(reader, rules, format, timestamp);
  const message = readMessage(reader, rules);
  return { ...body, timestamp, sender, recipient, fee, ...(escrow && { escrow }), message };
}

function readFormat(reader: WireReader, rules: Rules): Format {
  const start = reader.enter(1).offset;
  const format = FORMATS[reader.u32()];
  if (rules.linked) return format?.isPayment ? format : reader.refuse('linked-type', start);
  return format ?? reader.refuse('type-unsupported', start);
}

function readVersion(reader: WireReader): void {
  const start = reader.enter(2).offset;
  if (reader.u8() !== TRANSACTION_VERSION) reader.refuse('bad-version', start);
}

function readTimestamp(reader: WireReader): bigint {
  const start = reader.enter(3).offset;
  const timestamp = reader.u64();
  return timestamp > 0n ? timestamp : reader.refuse('timestamp-zero', start);
}

function readSender(reader: WireReader, rules: Rules): Account {
  const start = reader.enter(4).offset;
  const kind = reader.u32();
  if (rules.linked && kind !== KIND_ZBC) reader.refuse('linked-sender-kind', start);
  const sender = { kind, payload: reader.take(PUBLIC_KEY_LENGTH) };
  // A signer's account always has the kind ZBC.
  if (kind !== KIND_ZBC || (!rules.linked && isOther(sender, rules))) reader.refuse('sender-not-own', start);
  return sender;
}

function readRecipient(reader: WireReader, format: Format): Account {
  const start = reader.enter(5).offset;
  const kind = reader.u32();
  const known = ACCOUNT_KINDS[kind] ?? reader.refuse('account-kind', start);
  if (!format.isPayment) {
    return kind === KIND_NONE ? NO_ACCOUNT : reader.refuse('recipient-unexpected', start);
  }
  if (kind === KIND_NONE) reader.refuse('recipient-missing', start);
  return { kind, payload: reader.take(known.payloadLength) };
}

/**
 * Decodes the bytes of a body (field 8), which a broadcast contains as a field of its own. Throws
 * TransactionError if a signer would refuse the body.
 */
export function decodeBody(type: number, bytes: Uint8Array): TransactionBody {
  const format = FORMATS[type];
  if (format === undefined) throw new TransactionError('type-unsupported', 1, 0);
  if (!format.bodyLengths.includes(bytes.length)) throw new TransactionError('body-length', 7, 0);
  return format.read(new WireReader(bytes, 8), bytes.length);
}

/** Reads fields 7 and 8: the body's length and the body. */
function readBody(reader: WireReader, format: Format): TransactionBody {
  const start = reader.enter(7).offset;
  const length = reader.u32();
  if (!format.bodyLengths.includes(length)) reader.refuse('body-length', start);
  return format.read(reader.enter(8), length);
}

function readEscrow(reader: WireReader, rules: Rules, format: Format, timestamp: bigint): Escrow | undefined {
  const start = reader.enter(9).offset;
  const kind = reader.u32();
  if (kind === KIND_NONE) return rules.linked ? reader.refuse('linked-without-escrow', start) : undefined;
  if (!format.isPayment) reader.refuse('escrow-unexpected', start);
  if (!hasKeySizedPayload(kind)) reader.refuse('account-kind', start);
  const approver = { kind, payload: reader.take(PUBLIC_KEY_LENGTH) };
  if (rules.linked && isOther(approver, rules)) reader.refuse('linked-approver', start);
  const commission = reader.u64();
  const timeoutStart = reader.offset;
  const timeout = reader.u64();
  if (!rules.linked && timeout <= timestamp) reader.refuse('escrow-timeout', timeoutStart);
  const instruction = readCounted(reader, rules, 'instruction-too-long', MAX_INSTRUCTION);
  return { approver, commission, timeout, instruction, multiParty: reader.flag('multi-party') };
}

function isOther(account: Account, { own }: Rules): boolean {
  return own !== undefined && !sameAccount(account, own);
}

function readMessage(reader: WireReader, rules: Rules): Uint8Array {
  reader.enter(10);
  return readCounted(reader, rules, 'message-too-long', MAX_MESSAGE, 11);
}

/**
 * Reads a u32 length, and then that many bytes. `allowed` is the signer's limit of the length. If
 * `bytesField` is given, it is the number of the bytes' own field.
 */
function readCounted(
  reader: WireReader,
  rules: Rules,
  tooLong: 'instruction-too-long' | 'message-too-long',
  allowed: number,
  bytesField?: number,
): Uint8Array {
  const start = reader.offset;
  const actual = reader.u32();
  if (!rules.linked && actual > allowed) reader.refuse(tooLong, start, { actual, allowed });
  return (bytesField === undefined ? reader : reader.enter(bytesField)).take(actual);
}
