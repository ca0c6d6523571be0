import { accountFromHex, hasKeySizedPayload, KIND_NONE, toHex } from '@zbc-signer/chain';
import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { ValidationError } from '../../errors.js';
import { COIN } from '../genesis.js';
import type { Broadcast } from './broadcast.js';

/** Pays `amount` atomic units of a token (0 for the coin) to an account, given in the wire form as hex. */
export interface Payment {
  kind: 'payment';
  tokenId: bigint;
  amount: bigint;
  recipient: string;
}

/** Settles the escrow of the transaction with this hash, which is lower-case hex. */
export interface Decision {
  kind: 'decision';
  approves: boolean;
  escrowHash: string;
}

export type Operation = Payment | Decision;

const SEND_BODY = 8;
const TRANSFER_BODY = 16;
const APPROVAL_BODY = 36;
const APPROVE = 0;
const REJECT = 1;

/**
 * Parses the body of a broadcast by its type. Throws ValidationError for an invalid type, recipient or body.
 */
export function parseOperation(broadcast: Broadcast): Operation {
  switch (Number(broadcast.type)) {
    case SEND_ZBC:
      return parseSend(broadcast);
    case TRANSFER_TOKEN:
      return parseTransfer(broadcast);
    case APPROVAL_ESCROW:
      return parseDecision(broadcast);
    default:
      throw new ValidationError(`transaction type ${broadcast.type} is not supported on this network`);
  }
}

/**
 * Parses a payment of coins. A body may be longer than 8 bytes; the rest is ignored
 * (docs/TRANSACTION.md#transaction-types).
 */
function parseSend({ body, recipient }: Broadcast): Payment {
  checkBody(body.length >= SEND_BODY, 'SendZBC', `at least ${SEND_BODY}`, body);
  return {
    kind: 'payment',
    tokenId: COIN,
    amount: viewOf(body).getBigUint64(0, true),
    recipient: parseRecipient(recipient),
  };
}

function parseTransfer({ body, recipient }: Broadcast): Payment {
  const fits = body.length === TRANSFER_BODY || body.length === TRANSFER_BODY + 1;
  checkBody(fits, 'TransferToken', `${TRANSFER_BODY} or ${TRANSFER_BODY + 1}`, body);
  // To charge the fee in ZBC instead would not match what was signed.
  if ((body[TRANSFER_BODY] ?? 0) !== 0) {
    throw new ValidationError('fee_in_token must be 0: this network accepts fees only in ZBC');
  }
  const tokenId = viewOf(body).getBigInt64(0, true);
  if (tokenId === COIN) {
    throw new ValidationError('token 0 does not exist: the native coin is sent with SendZBC');
  }
  const amount = viewOf(body).getBigInt64(8, true);
  if (amount < 0n) throw new ValidationError('token amount is negative');
  return { kind: 'payment', tokenId, amount, recipient: parseRecipient(recipient) };
}

function parseDecision({ body, recipient, escrow }: Broadcast): Decision {
  checkBody(body.length === APPROVAL_BODY, 'ApprovalEscrow', `${APPROVAL_BODY}`, body);
  const approval = viewOf(body).getUint32(0, true);
  if (approval !== APPROVE && approval !== REJECT) {
    throw new ValidationError('approval must be 0 (approve) or 1 (reject)');
  }
  if (decodeKind(recipient) !== KIND_NONE)
    throw new ValidationError('ApprovalEscrow must not have a recipient');
  if (escrow) throw new ValidationError('ApprovalEscrow must not have an escrow');
  return { kind: 'decision', approves: approval === APPROVE, escrowHash: toHex(body.subarray(4)) };
}

function parseRecipient(recipient: Uint8Array): string {
  if (decodeKind(recipient) === KIND_NONE) throw new ValidationError('a recipient is required');
  return toHex(recipient);
}

/** Throws unless the approver is a 36-byte account. Another length would shift the fields after it. */
export function checkApprover(approver: Uint8Array): void {
  if (!hasKeySizedPayload(decodeKind(approver))) {
    throw new ValidationError('escrow approver is not a 36-byte account');
  }
}

function decodeKind(account: Uint8Array): number {
  try {
    return accountFromHex(toHex(account)).kind;
  } catch (error) {
    throw new ValidationError(`invalid account: ${error instanceof Error ? error.message : 'unknown'}`);
  }
}

function checkBody(fits: boolean, type: string, wanted: string, body: Uint8Array): void {
  if (!fits) throw new ValidationError(`${type} body must be ${wanted} bytes, not ${body.length}`);
}

function viewOf(body: Uint8Array): DataView {
  return new DataView(body.buffer, body.byteOffset, body.length);
}
