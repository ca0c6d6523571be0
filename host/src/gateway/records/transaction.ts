import { toHex } from '../../../../chain/src/index.js';
import { HASH } from '../../../../protocol/limits.js';
import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '../../../../protocol/transaction-types.js';
import type { Answer } from '../answer.js';
import { GatewayAnswerError } from '../errors.js';

/** `transactionHash` is lower hex; `duplicate` means that the node already had the transaction. */
export interface BroadcastReceipt {
  transactionHash: string;
  duplicate: boolean;
}

/** `staging`, `mempool` or `confirmed`; a stage that interface.md does not list is passed on, cleaned. */
export interface TransactionStatus {
  stage: string;
  blockHeight?: bigint;
  mempoolPosition?: bigint;
}

/** What a transaction moves or decides, by its type; amounts in atomic units, the hash in lower hex. */
export type TransactionContent =
  | { kind: 'coins'; amount: bigint }
  | { kind: 'token'; tokenId: bigint; amount: bigint }
  | { kind: 'decision'; approval: number; escrowHash: string }
  | { kind: 'other' };

/**
 * A transaction as a gateway lists it: nothing of it is checked against its hash. Accounts are `ZBC_` addresses or wire hex,
 * hashes lower hex, times Unix seconds.
 */
export interface ListedTransaction {
  hash: string;
  type: number;
  timestamp: bigint;
  sender: string;
  recipient?: string | undefined;
  fee: bigint;
  content: TransactionContent;
  message?: Uint8Array | undefined;
  stage?: string | undefined;
  blockHeight?: bigint | undefined;
  escrowState?: string | undefined;
}

export function readReceipt(answer: Answer): BroadcastReceipt {
  if (answer.text('status') !== 'success') {
    throw new GatewayAnswerError(answer.route, 'status is not success');
  }
  return {
    transactionHash: answer.hash('transaction_hash'),
    duplicate: answer.has('duplicate') && answer.flag('duplicate'),
  };
}

/** Of the 32-byte lower hex hash that was asked for; an answer about another one is not taken. */
export function readStatus(answer: Answer, hash: string): TransactionStatus {
  if (answer.has('transaction_hash') && answer.hash('transaction_hash') !== hash) {
    throw new GatewayAnswerError(answer.route, 'it is about another transaction');
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
    escrowState: answer.optional('escrow_status', 'text'),
  };
}

/** The marker that stands for no account. */
const NO_RECIPIENT = '02000000';

function readContent(answer: Answer, type: number): TransactionContent {
  const body = answer.has('transaction_body_bytes')
    ? answer.hex('transaction_body_bytes')
    : new Uint8Array(0);
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  // The chain ignores what follows the amount of coins (interface.md "Transaction types").
  if (type === SEND_ZBC && body.length >= 8) {
    return { kind: 'coins', amount: view.getBigUint64(0, true) };
  }
  if (type === TRANSFER_TOKEN && body.length >= 16) {
    return { kind: 'token', tokenId: view.getBigInt64(0, true), amount: view.getBigInt64(8, true) };
  }
  if (type === APPROVAL_ESCROW && body.length === 4 + HASH) {
    return { kind: 'decision', approval: view.getUint32(0, true), escrowHash: toHex(body.slice(4)) };
  }
  return { kind: 'other' };
}
