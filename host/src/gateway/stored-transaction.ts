import {
  decodeBody,
  type Escrow,
  encodeTransaction,
  TRANSACTION_FORMATS,
  type TransactionBody,
  TransactionError,
} from '@zbc-signer/chain';
import { SIGNATURE_LENGTH } from '@zbc-signer/protocol/limits';
import type { Answer } from './answer.js';
import { GatewayMalformedError } from './errors.js';

/** A transaction on the chain, whose hash the caller must check. */
export interface StoredTransaction {
  unsigned: Uint8Array;
  signature: Uint8Array;
  /** `held`, `approved`, `rejected`, `expired` or another text; undefined if not reported. */
  escrowState?: string | undefined;
}

/** Rebuilds the bytes of a transfer from the fields of its broadcast. */
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
  return {
    unsigned,
    signature: answer.hex('signature', SIGNATURE_LENGTH),
    escrowState: answer.optional('escrow_status', 'text'),
  };
}

function readBody(answer: Answer): TransactionBody {
  try {
    const body = decodeBody(answer.count('transaction_type'), answer.hex('transaction_body_bytes'));
    if (TRANSACTION_FORMATS[body.type].isPayment) return body;
  } catch (error) {
    if (!(error instanceof TransactionError)) throw error;
  }
  throw new GatewayMalformedError(answer.route, 'it is not a payment of a supported type');
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
