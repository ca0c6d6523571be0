import { toHex } from '@zbc-signer/chain';
import { formatTime, networkName, type PendingPayment, safeAfter } from '@zbc-signer/host';
import { formatTable } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { transactionJson, transactionRows } from '../../transaction/fields.js';
import { openJournal, readPending } from '../../transaction/sending.js';

/**
 * This text is not about all approved payments, because a payment is stored only when it is about to be sent.
 */
const NONE = 'Every payment that may have been sent is settled.';

export const command = defineCommand({
  examples: [['$0 payments list', 'the payments that were signed and are not known to be on the chain']],

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
  if (isInFlight) return 'another command is sending this payment';
  if (isHeld) return 'looked up but not sent, because another payment may have paid the recipient';
  if (sent === 'yes') return 'accepted by a node';
  return `may have been made; from ${formatTime(safeAfter(transaction))} on, by the chain's clock, no node accepts it`;
}
