import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { encodeAccount, NO_ACCOUNT } from './account.js';
import { type Escrow, TRANSACTION_VERSION, type Transaction, type TransactionBody } from './transaction.js';
import { WireWriter } from './wire-writer.js';

/**
 * The unsigned bytes, fields 1 to 11. Throws `INVALID_INPUT` for a value that does not fit;
 * `decodeTransaction` validates.
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

/** Field 8 alone, as in a broadcast. */
export function encodeBody(transaction: TransactionBody): Uint8Array {
  const body = new WireWriter();
  switch (transaction.type) {
    case SEND_ZBC:
      return body.u64(transaction.amount).finish();
    case TRANSFER_TOKEN:
      body.i64(transaction.tokenId).i64(transaction.amount);
      return transaction.feeInToken === undefined
        ? body.finish()
        : body.u8(Number(transaction.feeInToken)).finish();
    case APPROVAL_ESCROW:
      return body.u32(transaction.approval).bytes(transaction.escrowHash).finish();
  }
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
