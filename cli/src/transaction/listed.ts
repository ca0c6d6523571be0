import { EscrowDecision, formatCoinAmount, TRANSACTION_TYPE_NAMES, toHex } from '@zbc-signer/chain';
import { formatText, formatTime, type ListedTransaction, type TransactionContent } from '@zbc-signer/host';
import { formatTable, type Row } from '../output/table.js';
import type { Units } from './units.js';

/** The ids of the tokens that the transactions move. */
export function tokensOf(transactions: readonly ListedTransaction[]): bigint[] {
  return transactions.flatMap(({ content }) => (content.kind === 'token' ? [content.tokenId] : []));
}

/** A listed transaction in JSON; amounts are in atomic units. */
export function listedJson(transaction: ListedTransaction): Record<string, unknown> {
  const { hash, type, timestamp, sender, recipient, fee, message, stage, blockHeight } = transaction;
  return {
    transaction_hash: hash,
    transaction_type: type,
    timestamp,
    sender,
    ...(recipient !== undefined && { recipient }),
    ...contentJson(transaction.content),
    fee,
    ...(message !== undefined && message.length > 0 && { message_hex: toHex(message) }),
    ...(stage !== undefined && { status: stage }),
    ...(blockHeight !== undefined && { block_height: blockHeight }),
    ...escrowJson(transaction),
  };
}

function escrowJson({ escrow, escrowState }: ListedTransaction): Record<string, unknown> {
  return {
    ...(escrow !== undefined && {
      escrow: {
        approver: escrow.approver,
        commission: escrow.commission,
        timeout: escrow.timeout,
        ...(escrow.instruction !== undefined && { instruction: escrow.instruction }),
      },
    }),
    ...(escrowState !== undefined && { escrow_status: escrowState }),
  };
}

function contentJson(content: TransactionContent): Record<string, unknown> {
  switch (content.kind) {
    case 'coins':
      return { amount: content.amount };
    case 'token':
      return { token_id: `${content.tokenId}`, amount: content.amount };
    case 'decision':
      return {
        approval: content.approval,
        escrowed_transaction_hash: content.escrowHash,
      };
    case 'other':
      return {};
  }
}

/** Formats a heading and indented details. */
export function describeListed(transaction: ListedTransaction, units: Units): string {
  const { hash, timestamp, sender, recipient, fee, message, stage, blockHeight, escrowState } = transaction;
  const place = blockHeight === undefined ? (stage ?? 'unconfirmed') : `block ${blockHeight}`;
  const parts = [formatTime(timestamp), place, describeContent(transaction, units)];
  const escrow = escrowState === undefined ? '' : `, in escrow: ${escrowState}`;
  const details: Row[] = [
    ['from', sender],
    ...(recipient === undefined ? [] : [['to', recipient] as const]),
    ['fee', formatCoinAmount(fee)],
    ...(message === undefined || message.length === 0
      ? []
      : [['message', formatText(message).replaceAll('\n', ' ')] as const]),
    ['hash', toHex(hash)],
  ];
  const heading = parts.join('  ');
  return `${heading}${escrow}\n${formatTable(details, '  ')}`;
}

export function describeContent({ type, content }: ListedTransaction, units: Units): string {
  switch (content.kind) {
    case 'coins':
      return units.format(0n, content.amount);
    case 'token':
      return units.format(content.tokenId, content.amount);
    case 'decision':
      return `${content.approval === EscrowDecision.Approve ? 'approved' : 'rejected'} the escrow ${toHex(content.escrowHash)}`;
    case 'other':
      return TRANSACTION_TYPE_NAMES.get(type) ?? `transaction of type ${type}`;
  }
}
