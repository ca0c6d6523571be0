import { type BroadcastState, toHex } from '@zbc-signer/chain';
import { type Draft, formatTime, safeAfter } from '@zbc-signer/host';
import { SEND_ZBC } from '@zbc-signer/protocol/transaction-types';
import { createReader, openGateway, retryRead } from '../connection/gateway.js';
import { UsageError, unknownTransactionError } from '../errors/errors.js';
import { parseHash } from '../input/values.js';
import { formatTable } from '../output/table.js';
import { defineCommand } from '../parser/command.js';
import {
  DEVICE_OPTIONS,
  ESCROW_OPTIONS,
  FEE_IN_TOKEN_OPTIONS,
  GATEWAY_OPTIONS,
  SENDING_OPTIONS,
  SIGNING_OPTIONS,
} from '../parser/options.js';
import type { FindContacts } from '../transaction/contacts.js';
import {
  openJournal,
  parseCoinsOption,
  parseDraftBase,
  parseEscrow,
  parseRecipient,
  readTokenDraft,
  sendFromDevice,
} from '../transaction/sending.js';

/** Options that exclude `--json-input`, because their values come from stdin or do not apply. */
const NOT_WITH_JSON_INPUT = [
  'to',
  'amount',
  'fee',
  'message',
  'device',
  'account',
  ...Object.keys(ESCROW_OPTIONS),
  ...Object.keys(SIGNING_OPTIONS),
];

const send = defineCommand({
  options: {
    to: { describe: 'recipient: a ZBC_ address, an account in hex or the name of a contact' },
    amount: { describe: 'coins to send, such as 1.5' },
    ...SENDING_OPTIONS,
    ...ESCROW_OPTIONS,
    ...SIGNING_OPTIONS,
    'json-input': {
      type: 'boolean',
      describe:
        'sign without a device: read {"sender_privkey","recipient","amount"} from stdin, in atomic units',
    },
    ...DEVICE_OPTIONS,
    ...GATEWAY_OPTIONS,
  },
  conflicts: { 'json-input': NOT_WITH_JSON_INPUT },
  examples: [
    ['$0 send --to ZBC_7VCH… --amount 1.5', 'send one and a half coins'],
    ['$0 send --to ZBC_7VCH… --amount 1 --message "invoice 42" --json', 'for a script'],
    ['$0 send --to Bob --amount 1.5', 'to a contact: see `contact add`'],
    [
      '$0 send --to ZBC_7VCH… --amount 20 --escrow-approver ZBC_JHXE… --escrow-timeout 3d',
      'the coins are held until the approver decides',
    ],
    ['$0 send --json-input --api https://gateway.example < payment.json', 'sign and send without a device'],
  ],

  async run(options, terminal) {
    if (options.jsonInput) {
      // The input was written by a program, so the output is JSON too.
      terminal.json = true;
      const { sendJsonInput } = await import('../transaction/json-input.js');
      return sendJsonInput(options, terminal);
    }
    const makeDraft = async (findContacts: FindContacts): Promise<Draft> => {
      const base = parseDraftBase(options);
      const { to, amount = '' } = options;
      if (to !== undefined && amount === '')
        throw new UsageError('--amount is missing: give the number of coins to send, such as 1.5');
      return {
        type: SEND_ZBC,
        recipient: await parseRecipient(to, findContacts),
        amount: parseCoinsOption('--amount', amount),
        escrow: await parseEscrow(options, findContacts),
        ...base,
      };
    };
    return sendFromDevice(makeDraft, options, terminal);
  },
});

const sendToken = defineCommand({
  options: {
    token: {
      demandOption: true,
      describe: 'token id; write a negative id as --token=-42',
    },
    to: {
      demandOption: true,
      describe: 'recipient: a ZBC_ address, an account in hex or the name of a contact',
    },
    amount: {
      demandOption: true,
      describe: 'amount in whole units of the token, such as 2.5',
    },
    ...FEE_IN_TOKEN_OPTIONS,
    ...SENDING_OPTIONS,
    ...ESCROW_OPTIONS,
    ...SIGNING_OPTIONS,
    ...DEVICE_OPTIONS,
    ...GATEWAY_OPTIONS,
  },
  examples: [['$0 send-token --token 1 --to ZBC_7VCH… --amount 2.5', 'send 2.5 of token 1']],

  async run(options, terminal) {
    const makeDraft = (findContacts: FindContacts) => readTokenDraft(options, terminal, findContacts);
    return sendFromDevice(makeDraft, options, terminal);
  },
});

/** The state of an escrow whose transfer is not in a block yet. */
const NOT_CONFIRMED = 'not confirmed';

const status = defineCommand({
  arguments: { hash: { demandOption: true, describe: 'transaction hash' } },
  options: { ...GATEWAY_OPTIONS },
  examples: [
    [
      '$0 status 042c33017d19…',
      'prints staging, mempool or confirmed, with the block, and the state of the escrow',
    ],
  ],

  async run(options, terminal) {
    const hash = parseHash('the transaction hash', options.hash);
    const gateway = openGateway(options);
    const reader = createReader(terminal);
    const [found, transaction] = await Promise.all([
      retryRead(reader, request => gateway.transactionStatus(hash, request)),
      retryRead(reader, request => gateway.transaction(hash, request)),
    ]);
    if (found === undefined) throw unknownTransactionError(toHex(hash), await findPending(toHex(hash)));
    const { stage, blockHeight, mempoolPosition } = found;
    const { escrow } = transaction ?? {};
    const escrowState = transaction?.escrowState ?? (escrow && NOT_CONFIRMED);
    return {
      json: {
        transaction_hash: hash,
        status: stage,
        ...(blockHeight !== undefined && { block_height: blockHeight }),
        ...(mempoolPosition !== undefined && { mempool_position: mempoolPosition }),
        ...(escrowState !== undefined && { escrow_status: escrowState }),
        ...(escrow && { escrow_approver: escrow.approver, escrow_timeout: escrow.timeout }),
      },
      text: formatTable([
        ['Status', stage],
        ...(blockHeight === undefined ? [] : [['Block', `${blockHeight}`] as const]),
        ...(mempoolPosition === undefined ? [] : [['Mempool position', `${mempoolPosition}`] as const]),
        ...(escrowState === undefined ? [] : [['Escrow', escrowState] as const]),
        ...(escrow === undefined ? [] : [['Approver', escrow.approver] as const]),
        ...(escrow === undefined ? [] : [['Decide until', formatTime(escrow.timeout)] as const]),
      ]),
    };
  },
});

/** Finds the payment with this hash in this computer's journal. An unreadable journal counts as empty. */
async function findPending(hash: string): Promise<{ sent: BroadcastState; safeAfter: bigint } | undefined> {
  const pending = await openJournal()
    .pending()
    .catch(() => []);
  const own = pending.find(({ transactionHash }) => toHex(transactionHash) === hash);
  return own && { sent: own.sent, safeAfter: safeAfter(own.transaction) };
}

export const commands = { send, 'send-token': sendToken, status };
