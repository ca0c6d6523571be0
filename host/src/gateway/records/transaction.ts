import { decisionOf, type EscrowDecision, toHex } from '@zbc-signer/chain';
import { HASH_LENGTH } from '@zbc-signer/protocol/limits';
import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import type { Answer } from '../answer.js';
import { falseStatusError, GatewayMalformedError } from '../errors.js';

/**
 * The answer to a broadcast. `transactionHash` is 32 bytes; `duplicate` is true if the node already had it.
 */
export interface BroadcastReceipt {
  transactionHash: Uint8Array;
  duplicate: boolean;
}

/** The status of a transaction. `stage` is `staging`, `mempool`, `confirmed` or another text. */
export interface TransactionStatus {
  stage: string;
  blockHeight?: bigint;
  mempoolPosition?: bigint;
}

/**
 * The body of a transaction. Amounts are in atomic units; the hash is 32 bytes. With `feeInToken`, the node
 * charges the fee in the token, at its own rate.
 */
export type TransactionContent =
  | { kind: 'coins'; amount: bigint }
  | { kind: 'token'; tokenId: bigint; amount: bigint; feeInToken?: true }
  | { kind: 'decision'; approval: EscrowDecision; escrowHash: Uint8Array }
  | { kind: 'other' };

/**
 * The escrow of a listed transaction. `commission` is in atomic units of the coin, `timeout` in Unix seconds.
 */
export interface ListedEscrow {
  approver: string;
  commission: bigint;
  timeout: bigint;
  instruction?: string | undefined;
}

/**
 * A transaction from a list, not checked against its hash. Accounts are `ZBC_` addresses or the wire form in
 * hex. The hash is 32 bytes; times are in Unix seconds.
 */
export interface ListedTransaction {
  hash: Uint8Array;
  type: number;
  timestamp: bigint;
  sender: string;
  recipient?: string | undefined;
  fee: bigint;
  content: TransactionContent;
  message?: Uint8Array | undefined;
  stage?: string | undefined;
  blockHeight?: bigint | undefined;
  /** The escrow of a transfer, if any. */
  escrow?: ListedEscrow | undefined;
  escrowState?: string | undefined;
}

export function readReceipt(answer: Answer): BroadcastReceipt {
  if (answer.text('status') !== 'success') {
    throw new GatewayMalformedError(answer.route, 'status is not success');
  }
  return {
    transactionHash: answer.hash('transaction_hash'),
    duplicate: answer.has('duplicate') && answer.flag('duplicate'),
  };
}

/**
 * Reads a status. Throws `FALSE_STATUS` if the answer is about another transaction than the requested one.
 */
export function readStatus(answer: Answer, hash: Uint8Array): TransactionStatus {
  if (answer.has('transaction_hash') && toHex(answer.hash('transaction_hash')) !== toHex(hash)) {
    throw falseStatusError('it is about another transaction', { transactionHash: toHex(hash) });
  }
  return {
    stage: answer.text('status'),
    ...(answer.has('block_height') && { blockHeight: answer.amount('block_height') }),
    ...(answer.has('mempool_position') && { mempoolPosition: answer.amount('mempool_position') }),
  };
}

export function readListedTransaction(answer: Answer): ListedTransaction {
  const type = answer.count('transaction_type');
  const recipient = answer.optional('recipient_account_address', 'holder');
  return {
    hash: answer.hash('transaction_hash'),
    type,
    timestamp: answer.amount('timestamp'),
    sender: answer.holder('sender_account_address'),
    recipient: recipient === NO_RECIPIENT ? undefined : recipient,
    fee: answer.amount('fee'),
    content: readContent(answer, type),
    message: answer.has('message_hex') ? answer.hex('message_hex') : undefined,
    stage: answer.optional('status', 'text'),
    blockHeight: answer.optional('block_height', 'amount'),
    escrow: answer.has('escrow') ? readListedEscrow(answer.object('escrow')) : undefined,
    escrowState: answer.optional('escrow_status', 'text'),
  };
}

function readListedEscrow(answer: Answer): ListedEscrow {
  return {
    approver: answer.holder('approver_address'),
    commission: answer.amount('commission'),
    timeout: answer.amount('timeout'),
    instruction: answer.optional('instruction', 'text'),
  };
}

/** The wire form of an absent recipient. */
const NO_RECIPIENT = '02000000';

function readContent(answer: Answer, type: number): TransactionContent {
  const body = answer.has('transaction_body_bytes')
    ? answer.hex('transaction_body_bytes')
    : new Uint8Array(0);
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  // In a transfer of coins, the chain ignores bytes after the amount.
  if (type === SEND_ZBC && body.length >= 8) return { kind: 'coins', amount: view.getBigUint64(0, true) };
  if (type === TRANSFER_TOKEN && body.length >= 16) {
    const isFeeInToken = body[16] === 1;
    return {
      kind: 'token',
      tokenId: view.getBigInt64(0, true),
      amount: view.getBigInt64(8, true),
      ...(isFeeInToken && { feeInToken: true }),
    };
  }
  if (type === APPROVAL_ESCROW && body.length === 4 + HASH_LENGTH) {
    const approval = decisionOf(view.getUint32(0, true));
    if (approval !== undefined) return { kind: 'decision', approval, escrowHash: body.slice(4) };
  }
  return { kind: 'other' };
}
