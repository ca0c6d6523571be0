import { formatAccount, toHex } from '@zbc-signer/chain';
import { type ResumedPayment, resumePayments } from '@zbc-signer/host';
import { openGateway } from '../../connection/gateway.js';
import { exitCode } from '../../errors/exit-codes.js';
import { describeFailure, failureFields } from '../../errors/failure.js';
import { hintOf } from '../../errors/hints.js';
import { parseDurationMs } from '../../input/values.js';
import { reportProgress } from '../../output/progress.js';
import { formatTable } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { GATEWAY_OPTIONS, SENDING_OPTIONS } from '../../parser/options.js';
import { transactionJson } from '../../transaction/fields.js';
import { openJournal, readPending } from '../../transaction/sending.js';

const STATES: Readonly<Record<ResumedPayment['status'], string>> = {
  confirmed: 'confirmed',
  accepted: 'accepted, but not confirmed yet',
  expired: 'not made, according to the gateway: the chain does not have the payment and no longer accepts it',
  unknown: 'unknown',
  leftAlone:
    'left as it is: the payment is on another chain, another command is sending it, or another payment may have paid its recipient',
};

export const command = defineCommand({
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
      text: resumed.length === 0 ? 'Every payment is settled.' : resumed.map(describe).join('\n\n'),
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

function describe({ payment, status, blockHeight, error }: ResumedPayment): string {
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
