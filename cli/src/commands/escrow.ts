import { EscrowDecision, formatCoinAmount, TRANSACTION_TYPE_NAMES, toHex } from '@zbc-signer/chain';
import { formatTime, type ListedTransaction, type TransactionContent } from '@zbc-signer/host';
import { APPROVAL_ESCROW } from '@zbc-signer/protocol/transaction-types';
import { findAddress } from '../connection/device.js';
import { createReader, openGateway } from '../connection/gateway.js';
import { parseHash, parseHeight } from '../input/values.js';
import { formatTable } from '../output/table.js';
import { type Command, defineCommand } from '../parser/command.js';
import { DEVICE_OPTIONS, GATEWAY_OPTIONS, SENDING_OPTIONS, SIGNING_OPTIONS } from '../parser/options.js';
import { patiently, searchMovements, Units } from '../transaction/search.js';
import { parseDraftBase, sendFromDevice } from '../transaction/sending.js';

const { 'allow-zero': _allowZero, ...DECISION_OPTIONS } = SENDING_OPTIONS;

/** Builds the command for a decision on an escrow. */
function decisionCommand(approval: EscrowDecision): Command {
  return defineCommand({
    arguments: {
      hash: {
        demandOption: true,
        describe: 'transaction hash of the escrowed transfer',
      },
    },
    options: { ...DECISION_OPTIONS, ...SIGNING_OPTIONS, ...DEVICE_OPTIONS, ...GATEWAY_OPTIONS },
    examples: [
      [`$0 escrow ${approval} 042c33017d19…`, 'the device shows the escrowed transfer, from verified bytes'],
    ],

    async run(options, terminal) {
      const escrowHash = parseHash('the transaction hash', options.hash);
      const draft = { type: APPROVAL_ESCROW, approval, escrowHash, ...parseDraftBase(options) } as const;
      return sendFromDevice(() => draft, options, terminal);
    },
  });
}

export const approve = { command: decisionCommand('approve') };
export const reject = { command: decisionCommand('reject') };

/** The states of an escrow that may still be decided. */
const OPEN = ['held', 'undetermined'];
/** The states of a movement whose escrow's state only the gateway knows. */
const OF_GATEWAY: readonly string[] = ['pending', 'reported'];

const list = defineCommand({
  options: {
    address: {
      describe: "account whose escrows are listed [the device's]",
    },
    all: { type: 'boolean', describe: 'include decided and expired escrows' },
    'from-block': {
      describe: 'height of the oldest block to search [0]',
    },
    ...DEVICE_OPTIONS,
    ...GATEWAY_OPTIONS,
  },
  conflicts: { address: ['device', 'account'] },
  examples: [
    ['$0 escrow list', "escrows that wait for the device's account, and those that it has opened"],
    ['$0 escrow list --address ZBC_7VCH… --all', 'all escrows of any account, including decided ones'],
  ],

  async run(options, terminal) {
    const fromBlock = parseHeight('--from-block', options.fromBlock ?? '0');
    const gateway = openGateway(options);
    const reader = createReader(terminal);
    const own = await findAddress(options, terminal.signal, '--address');
    const search = { gateway, reader, terminal, fromBlock };
    const { movements } = await searchMovements(search, own);
    const escrows = movements.flatMap(({ kind, status, transaction }) => {
      if (kind !== 'escrow' || transaction === undefined) return [];
      const escrowState = OF_GATEWAY.includes(status) ? transaction.escrowState : status;
      const isOpen = escrowState === undefined || OPEN.includes(escrowState);
      return isOpen || options.all === true ? [{ ...transaction, escrowState }] : [];
    });
    const units = await patiently(search, () => Units.read(gateway, reader, tokensOf(escrows)));
    const byApprover = escrows.filter(({ escrow }) => escrow?.approver === own);
    const bySender = escrows.filter(({ sender }) => sender === own);
    return {
      json: {
        address: own,
        to_decide: byApprover.map(listedJson),
        opened: bySender.map(listedJson),
      },
      text: [
        `To be decided by ${own}:`,
        describeEscrows(byApprover, units),
        `Opened by ${own}:`,
        describeEscrows(bySender, units),
      ].join('\n\n'),
    };
  },
});

function describeEscrows(escrows: readonly ListedTransaction[], units: Units): string {
  return escrows.map(transaction => describeEscrow(transaction, units)).join('\n\n') || '  none';
}

function describeEscrow(transaction: ListedTransaction, units: Units): string {
  const { hash, sender, recipient, escrow, escrowState } = transaction;
  return formatTable(
    [
      ['Amount', describeContent(transaction, units)],
      ['State', escrowState ?? 'not confirmed yet'],
      ['From', sender],
      ['To', recipient ?? 'none'],
      ['Approver', escrow?.approver ?? 'none'],
      ['Commission', formatCoinAmount(escrow?.commission ?? 0n)],
      ...(escrow === undefined ? [] : [['Decide until', formatTime(escrow.timeout)] as const]),
      ...(escrow?.instruction ? [['Instruction', escrow.instruction] as const] : []),
      ['Hash', toHex(hash)],
    ],
    '  ',
  );
}

/** The ids of the tokens that the transactions move. */
function tokensOf(transactions: readonly ListedTransaction[]): bigint[] {
  return transactions.flatMap(({ content }) => (content.kind === 'token' ? [content.tokenId] : []));
}

/** A listed transaction in JSON; amounts are in atomic units. */
function listedJson(transaction: ListedTransaction): Record<string, unknown> {
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

function describeContent({ type, content }: ListedTransaction, units: Units): string {
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

export const commands = { approve: decisionCommand('approve'), reject: decisionCommand('reject'), list };
