import {
  decodeTransaction,
  EscrowDecision,
  encodeAccount,
  encodeTransaction,
  formatJson,
  parseJson,
  type Transaction,
  toHex,
} from '@zbc-signer/chain';
import { APPROVAL_ESCROW, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { parseBroadcast } from '#devnet/node/transaction/broadcast.js';
import type { Operation } from '#devnet/node/transaction/operation.js';
import { broadcastRequest } from '#host/gateway/broadcast.js';
import type { Upload } from '../case/upload.js';
import { nameFields } from './naming.js';
import type { AcceptedLayout } from './node-oracle.js';

const SIGNATURE = 64;

/** Describes the fault if signer and node accept the bytes with different meanings; undefined otherwise. */
export function meaningFault(upload: Upload, { layout, operation }: AcceptedLayout): string | undefined {
  const transaction = decodeTransaction(upload.transaction);
  if (!upload.transaction.equals(encodeTransaction(transaction))) {
    return 'chain/ decodes the transaction, but encodes it to other bytes';
  }
  if (formatJson(operation) !== formatJson(operationOf(transaction))) {
    return `the node would apply a different operation: ${formatJson(operation)}`;
  }
  const signature = new Uint8Array(SIGNATURE);
  const named = nameFields(layout, signature);
  const hosts = parseBroadcast(parseJson(formatJson(broadcastRequest(transaction, signature))));
  const same = 'fields' in named && formatJson(parseBroadcast(named.fields)) === formatJson(hosts);
  return same ? undefined : 'the host library would broadcast other fields';
}

function operationOf(transaction: Transaction): Operation {
  if (transaction.type === APPROVAL_ESCROW) {
    const approves = transaction.approval === EscrowDecision.Approve;
    return { kind: 'decision', approves, escrowHash: toHex(transaction.escrowHash) };
  }
  const tokenId = transaction.type === TRANSFER_TOKEN ? transaction.tokenId : 0n;
  const recipient = toHex(encodeAccount(transaction.recipient));
  return { kind: 'payment', tokenId, amount: transaction.amount, recipient };
}
