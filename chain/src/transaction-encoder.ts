import { encodeAccount, NO_ACCOUNT } from './account.js';
import {
  type Escrow,
  TRANSACTION_FORMATS,
  TRANSACTION_VERSION,
  type Transaction,
  type TransactionBody,
} from './transaction.js';
import { WireWriter } from './wire-writer.js';

/**
 * Encodes fields 1 to 11, the unsigned bytes. Throws `INVALID_INPUT` only for a value that does not fit its
 * field; `decodeTransaction` checks all other rules.
 */
export function encodeTransaction(transaction: Transaction): Uint8Array {
  const { type, timestamp, sender, recipient, fee, escrow, message } = transaction;
  return new WireWriter()
    .u32(type)
    .u8(TRANSACTION_VERSION)
    .u64(timestamp)
    .bytes(encodeAccount(sender))
    .bytes(encodeAccount(recipient))
    .u64(fee)
    .counted(encodeBody(transaction))
    .bytes(escrow === undefined ? encodeAccount(NO_ACCOUNT) : encodeEscrow(escrow))
    .counted(message)
    .finish();
}

/** Encodes a body (field 8), which a broadcast contains as a field of its own. */
export function encodeBody(body: TransactionBody): Uint8Array {
  const writer = new WireWriter();
  TRANSACTION_FORMATS[body.type].write(writer, body);
  return writer.finish();
}

function encodeEscrow({ approver, commission, timeout, instruction, multiParty }: Escrow): Uint8Array {
  return new WireWriter()
    .bytes(encodeAccount(approver))
    .u64(commission)
    .u64(timeout)
    .counted(instruction)
    .u8(Number(multiParty))
    .finish();
}
