import {
  MAX_INSTRUCTION,
  MAX_MESSAGE,
  MAX_TRANSACTION,
  PUBLIC_KEY,
  SIGNATURE,
} from '../../protocol/limits.js';
import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '../../protocol/transaction-types.js';
import {
  ACCOUNT_KINDS,
  type Account,
  hasKeySizedPayload,
  KIND_NONE,
  KIND_ZBC,
  NO_ACCOUNT,
  sameAccount,
} from './account.js';
import { readBody, readFlag } from './body-decoder.js';
import { FieldReader } from './field-reader.js';
import { type Escrow, TRANSACTION_VERSION, type Transaction, type TransactionBody } from './transaction.js';
import { TransactionError } from './transaction-error.js';

const LINKED_FIELD = 12;

/** What a signer accepts differs for the transaction to sign and for the one that it approves (signer-protocol §2). */
interface Rules {
  linked: boolean;
  /** The signer's account: the sender of what it signs, the approver of what it approves. */
  own?: Account | undefined;
}

/** A linked buffer split at its signature. */
export interface LinkedTransaction {
  transaction: Transaction;
  unsigned: Uint8Array;
  signature: Uint8Array;
}

/** The transaction when a signer would take the bytes (signer-protocol §2), with `own` also that it is the sender; throws TransactionError for the first fault in wire order. */
export function decodeTransaction(bytes: Uint8Array, own?: Account): Transaction {
  if (bytes.length === 0) {
    throw new TransactionError('tx-empty', 0, 0);
  }
  if (bytes.length > MAX_TRANSACTION) {
    throw new TransactionError('tx-too-large', 0, 0, { actual: bytes.length, allowed: MAX_TRANSACTION });
  }
  const reader = new FieldReader(bytes);
  const transaction = readTransaction(reader, { linked: false, own });
  if (reader.remaining > 0) {
    reader.refuse('trailing-bytes');
  }
  return transaction;
}

/** An escrowed transaction as the chain holds it, its signature behind it, with `own` also that it is the approver; throws TransactionError with field 12. */
export function decodeLinked(bytes: Uint8Array, own?: Account): LinkedTransaction {
  const reader = new FieldReader(bytes, LINKED_FIELD);
  const transaction = readTransaction(reader, { linked: true, own });
  if (reader.remaining !== SIGNATURE) {
    reader.refuse('linked-signature');
  }
  return { transaction, unsigned: reader.consumed, signature: reader.take(SIGNATURE) };
}

function readTransaction(reader: FieldReader, rules: Rules): Transaction {
  const type = readType(reader, rules);
  readVersion(reader);
  const timestamp = readTimestamp(reader);
  const sender = readSender(reader, rules);
  const recipient = readRecipient(reader, type);
  const fee = reader.enter(6).u64();
  const body = readBody(reader, type);
  const escrow = readEscrow(reader, rules, timestamp);
  const message = readMessage(reader, rules);
  return { ...body, timestamp, sender, recipient, fee, ...(escrow && { escrow }), message };
}

function readType(reader: FieldReader, rules: Rules): TransactionBody['type'] {
  const start = reader.enter(1).offset;
  const type = reader.u32();
  if (type === SEND_ZBC || type === TRANSFER_TOKEN || (type === APPROVAL_ESCROW && !rules.linked)) {
    return type;
  }
  return reader.refuse(rules.linked ? 'linked-type' : 'type-unsupported', start);
}

function readVersion(reader: FieldReader): void {
  const start = reader.enter(2).offset;
  if (reader.u8() !== TRANSACTION_VERSION) {
    reader.refuse('version', start);
  }
}

function readTimestamp(reader: FieldReader): bigint {
  const start = reader.enter(3).offset;
  const timestamp = reader.u64();
  return timestamp > 0n ? timestamp : reader.refuse('timestamp-zero', start);
}

function readSender(reader: FieldReader, rules: Rules): Account {
  const start = reader.enter(4).offset;
  const kind = reader.u32();
  if (rules.linked && kind !== KIND_ZBC) {
    reader.refuse('linked-sender-kind', start);
  }
  const sender = { kind, payload: reader.take(PUBLIC_KEY) };
  // A signer's own account is always of kind 0, so any other is somebody else's.
  if (kind !== KIND_ZBC || (!rules.linked && isOther(sender, rules))) {
    reader.refuse('sender-not-own', start);
  }
  return sender;
}

function readRecipient(reader: FieldReader, type: TransactionBody['type']): Account {
  const start = reader.enter(5).offset;
  const kind = reader.u32();
  const known = ACCOUNT_KINDS[kind] ?? reader.refuse('account-kind', start);
  if (type === APPROVAL_ESCROW) {
    return kind === KIND_NONE ? NO_ACCOUNT : reader.refuse('recipient-unexpected', start);
  }
  if (kind === KIND_NONE) {
    reader.refuse('recipient-missing', start);
  }
  return { kind, payload: reader.take(known.payloadLength) };
}

function readEscrow(reader: FieldReader, rules: Rules, timestamp: bigint): Escrow | undefined {
  const start = reader.enter(9).offset;
  const kind = reader.u32();
  if (kind === KIND_NONE) {
    return rules.linked ? reader.refuse('linked-without-escrow', start) : undefined;
  }
  if (!hasKeySizedPayload(kind)) {
    reader.refuse('account-kind', start);
  }
  const approver = { kind, payload: reader.take(PUBLIC_KEY) };
  if (rules.linked && isOther(approver, rules)) {
    reader.refuse('linked-approver', start);
  }
  const commission = reader.u64();
  const timeoutStart = reader.offset;
  const timeout = reader.u64();
  if (!rules.linked && timeout <= timestamp) {
    reader.refuse('escrow-timeout', timeoutStart);
  }
  const instruction = readCounted(reader, rules, 'instruction-too-long', MAX_INSTRUCTION);
  return { approver, commission, timeout, instruction, multiParty: readFlag(reader, 'multi-party') };
}

function isOther(account: Account, { own }: Rules): boolean {
  return own !== undefined && !sameAccount(account, own);
}

function readMessage(reader: FieldReader, rules: Rules): Uint8Array {
  reader.enter(10);
  return readCounted(reader, rules, 'message-too-long', MAX_MESSAGE, 11);
}

/** A u32 length and that many bytes, which may be a field of their own; the cap is the signer's, not the chain's. */
function readCounted(
  reader: FieldReader,
  rules: Rules,
  tooLong: 'instruction-too-long' | 'message-too-long',
  allowed: number,
  bytesField?: number,
): Uint8Array {
  const start = reader.offset;
  const actual = reader.u32();
  if (!rules.linked && actual > allowed) {
    reader.refuse(tooLong, start, { actual, allowed });
  }
  return (bytesField === undefined ? reader : reader.enter(bytesField)).take(actual);
}
