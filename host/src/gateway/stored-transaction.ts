import {
  decodeBody,
  type Escrow,
  encodeAccount,
  encodeTransaction,
  NO_ACCOUNT,
  TRANSACTION_FORMATS,
  type TransactionBody,
  TransactionError,
  toHex,
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
  if (!TRANSACTION_FORMATS[readBody(answer).type].isPayment) throw unsupportedError(answer);
  return {
    unsigned: encodeFields(answer),
    signature: answer.hex('signature', SIGNATURE_LENGTH),
    escrowState: answer.optional('escrow_status', 'text'),
  };
}

/** The unsigned bytes of a transaction of a supported type, from the fields of its broadcast. */
export function encodeFields(answer: Answer): Uint8Array {
  const isNone = answer.optional('recipient_account_address', 'text') === toHex(encodeAccount(NO_ACCOUNT));
  return encodeTransaction({
    ...readBody(answer),
    timestamp: answer.amount('timestamp'),
    sender: answer.account('sender_account_address'),
    recipient: isNone ? NO_ACCOUNT : answer.account('recipient_account_address'),
    fee: answer.amount('fee'),
    message: answer.has('message_hex') ? answer.hex('message_hex') : new Uint8Array(0),
    ...(answer.has('escrow') && { escrow: readEscrow(answer.object('escrow')) }),
  });
}

function readBody(answer: Answer): TransactionBody {
  try {
    return decodeBody(answer.count('transaction_type'), answer.hex('transaction_body_bytes'));
  } catch (error) {
    throw error instanceof TransactionError ? unsupportedError(answer) : error;
  }
}

function unsupportedError({ route }: Answer): GatewayMalformedError {
  return new GatewayMalformedError(route, 'it is not a payment of a supported type');
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
