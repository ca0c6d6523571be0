import {
  type Escrow,
  encodeTransaction,
  type SendZbcBody,
  type TransferTokenBody,
} from '../../../chain/src/index.js';
import { SIGNATURE } from '../../../protocol/limits.js';
import { SEND_ZBC, TRANSFER_TOKEN } from '../../../protocol/transaction-types.js';
import type { Answer } from './answer.js';
import { GatewayAnswerError } from './errors.js';

/** A transaction as the chain holds it; whether it hashes to the hash that was asked for is the caller's to check. */
export interface StoredTransaction {
  unsigned: Uint8Array;
  signature: Uint8Array;
}

/** Rebuilds the bytes of a transfer from its named fields, those of interface.md "Broadcast request". */
export function readStoredTransaction(answer: Answer): StoredTransaction {
  const unsigned = encodeTransaction({
    ...readBody(answer),
    timestamp: answer.amount('timestamp'),
    sender: answer.account('sender_account_address'),
    recipient: answer.account('recipient_account_address'),
    fee: answer.amount('fee'),
    message: answer.has('message_hex') ? answer.hex('message_hex') : new Uint8Array(0),
    ...(answer.has('escrow') && { escrow: readEscrow(answer.object('escrow')) }),
  });
  return { unsigned, signature: answer.hex('signature', SIGNATURE) };
}

function readBody(answer: Answer): SendZbcBody | TransferTokenBody {
  const type = answer.count('transaction_type');
  const body = answer.hex('transaction_body_bytes');
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  if (type === SEND_ZBC && body.length === 8) {
    return { type, amount: view.getBigUint64(0, true) };
  }
  if (type === TRANSFER_TOKEN && (body.length === 16 || body.length === 17)) {
    const transfer = { type, tokenId: view.getBigInt64(0, true), amount: view.getBigInt64(8, true) } as const;
    return body.length === 16 ? transfer : { ...transfer, feeInToken: view.getUint8(16) === 1 };
  }
  throw new GatewayAnswerError(answer.route, 'it is not a transfer of coins or of a token');
}

function readEscrow(answer: Answer): Escrow {
  return {
    approver: answer.account('approver_address'),
    commission: answer.amount('commission'),
    timeout: answer.amount('timeout'),
    instruction: new TextEncoder().encode(answer.has('instruction') ? answer.rawText('instruction') : ''),
    multiParty: answer.has('multi_party') && answer.flag('multi_party'),
  };
}
