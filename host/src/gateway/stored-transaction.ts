import { type Escrow, encodeTransaction, type SendZbcBody, type TransferTokenBody } from '@zbc-signer/chain';
import { SIGNATURE_LENGTH } from '@zbc-signer/protocol/limits';
import { SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import type { Answer } from './answer.js';
import { GatewayMalformedError } from './errors.js';

/** A transaction on the chain; the caller checks its hash. */
export interface StoredTransaction {
  unsigned: Uint8Array;
  signature: Uint8Array;
  /** `held`, `approved`, `rejected`, `expired` or other cleaned text; undefined if not reported. */
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

function readBody(answer: Answer): SendZbcBody | TransferTokenBody {
  const type = answer.count('transaction_type');
  const body = answer.hex('transaction_body_bytes');
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  if (type === SEND_ZBC && body.length === 8) return { type, amount: view.getBigUint64(0, true) };
  if (type === TRANSFER_TOKEN && (body.length === 16 || body.length === 17)) {
    const transfer = { type, tokenId: view.getBigInt64(0, true), amount: view.getBigInt64(8, true) } as const;
    return body.length === 16 ? transfer : { ...transfer, feeInToken: view.getUint8(16) === 1 };
  }
  throw new GatewayMalformedError(answer.route, 'not a transfer of coins or of a token');
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
