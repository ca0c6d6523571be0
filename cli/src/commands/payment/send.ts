import type { Draft } from '@zbc-signer/host';
import { SEND_ZBC } from '@zbc-signer/protocol/transaction-types';
import { UsageError } from '../../errors/errors.js';
import { defineCommand } from '../../parser/command.js';
import { DEVICE_OPTIONS, ESCROW_OPTIONS, GATEWAY_OPTIONS, SENDING_OPTIONS } from '../../parser/options.js';
import type { FindContacts } from '../../transaction/contacts.js';
import {
  parseCoinsOption,
  parseDraftBase,
  parseEscrow,
  parseRecipient,
  sendFromDevice,
} from '../../transaction/sending.js';

/** Options that exclude `--json-input`, because their values come from stdin or do not apply. */
const NOT_WITH_JSON_INPUT = [
  'to',
  'amount',
  'fee',
  'message',
  'device',
  'account',
  ...Object.keys(ESCROW_OPTIONS),
];

export const command = defineCommand({
  options: {
    to: { describe: 'recipient: a ZBC_ address, an account in hex or the name of a contact' },
    amount: { describe: 'coins to send, such as 1.5' },
    ...SENDING_OPTIONS,
    ...ESCROW_OPTIONS,
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
      const { sendJsonInput } = await import('../../transaction/json-input.js');
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
