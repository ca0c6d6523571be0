import { toHex } from '@zbc-signer/chain';
import { formatTime, networkName, type PendingPayment, safeAfter } from '@zbc-signer/host';
import { formatTable } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { transactionJson, transactionRows } from '../../transaction/fields.js';
import { openJournal, readPending } from '../../transaction/sending.js';

/** A payment is kept only from the moment it is about to be sent, not from its approval. */
const NONE = 'Every payment that was about to be sent is settled.';

export const command = defineCommand({
  examples: [['$0 payments list', 'payments that were signed, and are not known to be on the chain']],

  async run() {
    const pending = await readPending(openJournal());
    return {
      json: { payments: pending.map(paymentJson) },
      text: pending.length === 0 ? NONE : pending.map(describePayment).join('\n\n'),
    };
  },
});

function paymentJson(payment: PendingPayment): Record<string, unknown> {
  const {
    transactionHash,
    account,
    genesisHash,
    transaction,
    sent,
    isInFlight = false,
    isHeld = false,
  } = payment;
  return {
    transaction_hash: transactionHash,
    sent,
    in_flight: isInFlight,
    held: isHeld,
    safe_after: safeAfter(transaction),
    account,
    ...transactionJson(transaction),
    genesis_hash: genesisHash,
  };
}

function describePayment(payment: PendingPayment): string {
  const { transactionHash, account, genesisHash, transaction } = payment;
  return formatTable([
    ['Hash', toHex(transactionHash)],
    ['State', stateOf(payment)],
    ['Network', networkName(genesisHash)],
    ['Account', `${account}`],
    ...transactionRows(transaction).filter(([, value]) => value !== 'none'),
  ]);
}

function stateOf({ isInFlight, isHeld, sent, transaction }: PendingPayment): string {
  if (isInFlight) return 'another command is sending it';
  if (isHeld) return 'it is looked up, and not sent: its recipient may have been paid by another payment';
  if (sent === 'yes') return 'a node has accepted it';
  return `may have been made; no node accepts it from ${formatTime(safeAfter(transaction))} on, by the chain's clock`;
}
