import {
  accountText,
  type BodyField,
  formatAccount,
  formatCoinAmount,
  KIND_NONE,
  TRANSACTION_FORMATS,
  type Transaction,
  toHex,
  transactionTypeName,
} from '@zbc-signer/chain';
import { formatText, formatTime } from '@zbc-signer/host';
import type { Row } from '../output/table.js';

/** A transaction in JSON: amounts in atomic units, accounts in the form that `--to` accepts, bytes in hex. */
export function transactionJson(transaction: Transaction): Record<string, unknown> {
  const { type, timestamp, sender, recipient, fee, escrow, message } = transaction;
  return {
    transaction_type: type,
    timestamp,
    sender: accountText(sender),
    ...(recipient.kind !== KIND_NONE && { recipient: accountText(recipient) }),
    ...Object.fromEntries(bodyFields(transaction).map(({ key, value }) => [key, value])),
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

function bodyFields(transaction: Transaction): BodyField[] {
  return TRANSACTION_FORMATS[transaction.type].fields(transaction);
}

/** The fields of a transaction for the user, in wire order. */
export function transactionRows(transaction: Transaction): Row[] {
  const { type, timestamp, sender, recipient, fee, message } = transaction;
  return [
    ['Type', `${type} (${transactionTypeName(type)})`],
    ['Version', '1'],
    ['Timestamp', `${timestamp} (${formatTime(timestamp)})`],
    ['Sender', formatAccount(sender)],
    ['Recipient', recipient.kind === KIND_NONE ? 'none' : formatAccount(recipient)],
    ['Fee', coins(fee)],
    ...bodyFields(transaction).map(({ name, text }): Row => [name, text]),
    ...escrowRows(transaction),
    ['Message', message.length === 0 ? 'none' : formatText(message)],
  ];
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
  return `${formatCoinAmount(atoms)} (${atoms} atomic units)`;
}
