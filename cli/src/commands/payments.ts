import { formatAccount, toHex } from '@zbc-signer/chain';
import {
  formatTime,
  networkName,
  type PendingPayment,
  type ResumedPayment,
  resumePayments,
  safeAfter,
} from '@zbc-signer/host';
import { openGateway } from '../connection/gateway.js';
import { exitCode } from '../errors/exit-codes.js';
import { describeFailure, failureFields } from '../errors/failure.js';
import { hintOf } from '../errors/hints.js';
import { parseDurationMs } from '../input/values.js';
import { reportProgress } from '../output/progress.js';
import { formatTable } from '../output/table.js';
import { defineCommand } from '../parser/command.js';
import { GATEWAY_OPTIONS, SENDING_OPTIONS } from '../parser/options.js';
import { transactionJson, transactionRows } from '../transaction/fields.js';
import { openJournal, readPending } from '../transaction/sending.js';

/**
 * This text is not about all approved payments, because a payment is stored only when it is about to be sent.
 */
const NONE = 'Every payment that may have been sent is settled.';

const list = defineCommand({
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

const STATES: Readonly<Record<ResumedPayment['status'], string>> = {
  confirmed: 'confirmed',
  accepted: 'accepted, but not confirmed yet',
  expired: 'not made, according to the gateway: the chain does not have the payment and no longer accepts it',
  unknown: 'unknown',
  leftAlone:
    'left as it is: the payment is on another chain, another command is sending it, or another payment may have paid its recipient',
};

const resume = defineCommand({
  options: {
    'no-wait': SENDING_OPTIONS['no-wait'],
    timeout: SENDING_OPTIONS.timeout,
    ...GATEWAY_OPTIONS,
  },
  examples: [
    ['$0 payments resume', 'look up each payment, send the same bytes again, and wait for the confirmation'],
  ],
  notes: `The exit code is ${exitCode('notConfirmed')} while any payment is not settled.`,

  async run({ noWait, timeout, api }, terminal) {
    const waitsForConfirmation = noWait !== true;
    const journal = openJournal();
    // If the journal is unreadable, this call throws an error with advice for this command.
    await readPending(journal);
    const resumed = await resumePayments(journal, {
      gateway: openGateway({ api }),
      waitsForConfirmation,
      ...(timeout !== undefined && { confirmationTimeoutMs: parseDurationMs('--timeout', timeout) }),
      signal: terminal.signal,
      onProgress: reportProgress(terminal, false, waitsForConfirmation),
    });
    const isSettled = resumed.every(({ status }) => status === 'confirmed' || status === 'expired');
    if (!isSettled) terminal.exitCode = exitCode('notConfirmed');
    return {
      json: { payments: resumed.map(resumedJson) },
      text: resumed.length === 0 ? 'Every payment is settled.' : resumed.map(describeResumed).join('\n\n'),
      lastWords: resumed
        .map(({ payment, status }) => `Transaction ${toHex(payment.transactionHash)}: ${STATES[status]}`)
        .join('\n'),
    };
  },
});

function resumedJson({ payment, status, blockHeight, error }: ResumedPayment): Record<string, unknown> {
  return {
    transaction_hash: payment.transactionHash,
    status: status === 'leftAlone' ? 'left_alone' : status,
    ...(blockHeight !== undefined && { block_height: blockHeight }),
    ...(error && { error: failureFields(describeFailure(error)) }),
    ...transactionJson(payment.transaction),
  };
}

function describeResumed({ payment, status, blockHeight, error }: ResumedPayment): string {
  const { transactionHash, transaction } = payment;
  const hint = error && hintOf(error.code, error);
  return formatTable([
    ['Hash', toHex(transactionHash)],
    ['Recipient', formatAccount(transaction.recipient)],
    ['State', STATES[status]],
    ...(blockHeight === undefined ? [] : [['Block', `${blockHeight}`] as const]),
    ...(error ? [['Reason', error.message] as const] : []),
    ...(hint === undefined ? [] : [['What to do', hint] as const]),
  ]);
}

export const commands = { list, resume };
