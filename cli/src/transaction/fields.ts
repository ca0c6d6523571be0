import {
  type Account,
  encodeAccount,
  formatAccount,
  formatCoins,
  KIND_NONE,
  KIND_ZBC,
  type Transaction,
  toHex,
} from '@zbc-signer/chain';
import { formatText, formatTime } from '@zbc-signer/host';
import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import type { Row } from '../output/table.js';

const TYPE_NAMES: Readonly<Record<Transaction['type'], string>> = {
  [SEND_ZBC]: 'SendZBC',
  [TRANSFER_TOKEN]: 'TransferToken',
  [APPROVAL_ESCROW]: 'ApprovalEscrow',
};

/** For programs: amounts in atomic units, accounts as `--to` takes them, bytes in hex. */
export function transactionJson(transaction: Transaction): Record<string, unknown> {
  const { type, timestamp, sender, recipient, fee, escrow, message } = transaction;
  return {
    transaction_type: type,
    timestamp,
    sender: accountText(sender),
    ...(recipient.kind !== KIND_NONE && { recipient: accountText(recipient) }),
    ...bodyJson(transaction),
    fee,
    ...(escrow && {
      escrow: {
        approver: accountText(escrow.approver),
        commission: escrow.commission,
        timeout: escrow.timeout,
        instruction_hex: toHex(escrow.instruction),
        multi_party: escrow.multiParty,
      },
    }),
    ...(message.length > 0 && { message_hex: toHex(message) }),
  };
}

function bodyJson(transaction: Transaction): Record<string, unknown> {
  switch (transaction.type) {
    case SEND_ZBC:
      return { amount: transaction.amount };
    case TRANSFER_TOKEN: {
      const { tokenId, amount, feeInToken } = transaction;
      return {
        token_id: `${tokenId}`,
        amount,
        ...(feeInToken !== undefined && { fee_in_token: feeInToken }),
      };
    }
    case APPROVAL_ESCROW:
      return {
        approval: transaction.approval,
        escrowed_transaction_hash: toHex(transaction.escrowHash),
      };
  }
}

/** An address, or the wire form in hex for an account that is not ZBC's. */
function accountText(account: Account): string {
  return account.kind === KIND_ZBC ? formatAccount(account) : toHex(encodeAccount(account));
}

/** The same fields for the user, in wire order. */
export function transactionRows(transaction: Transaction): Row[] {
  const { type, timestamp, sender, recipient, fee, message } = transaction;
  return [
    ['Type', `${type} (${TYPE_NAMES[type]})`],
    ['Version', '1'],
    ['Timestamp', `${timestamp} (${formatTime(timestamp)})`],
    ['Sender', formatAccount(sender)],
    ['Recipient', recipient.kind === KIND_NONE ? 'none' : formatAccount(recipient)],
    ['Fee', coins(fee)],
    ...bodyRows(transaction),
    ...escrowRows(transaction),
    ['Message', message.length === 0 ? 'none' : formatText(message)],
  ];
}

function bodyRows(transaction: Transaction): Row[] {
  switch (transaction.type) {
    case SEND_ZBC:
      return [['Amount', coins(transaction.amount)]];
    case TRANSFER_TOKEN: {
      const { tokenId, amount, feeInToken } = transaction;
      const flag: Row[] = feeInToken === undefined ? [] : [['Fee in token', feeInToken ? 'yes' : 'no']];
      return [['Token', `${tokenId}`], ['Token amount', `${amount} atomic units`], ...flag];
    }
    case APPROVAL_ESCROW:
      return [
        ['Decision', transaction.approval],
        ['Escrowed transaction', toHex(transaction.escrowHash)],
      ];
  }
}

function escrowRows({ escrow }: Transaction): Row[] {
  if (escrow === undefined) return [['Escrow', 'none']];
  return [
    ['Escrow approver', formatAccount(escrow.approver)],
    ['Escrow commission', coins(escrow.commission)],
    ['Escrow timeout', `${escrow.timeout} (${formatTime(escrow.timeout)})`],
    ['Escrow instruction', escrow.instruction.length === 0 ? 'none' : formatText(escrow.instruction)],
    ['Escrow multi-party', escrow.multiParty ? 'yes' : 'no'],
  ];
}

function coins(atoms: bigint): string {
  return `${formatCoins(atoms)} ZBC (${atoms} atomic units)`;
}
