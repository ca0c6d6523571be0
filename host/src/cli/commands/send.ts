import { defineCommand } from '../command.js';
import { DEVICE_OPTIONS, ESCROW_OPTIONS, GATEWAY_OPTIONS, JSON_OPTION, SENDING_OPTIONS } from '../options.js';

/** What `--json-input` takes from stdin instead, or does not have. */
const NOT_WITH_JSON_INPUT = [
  'to',
  'amount',
  'fee',
  'message',
  'device',
  'account',
  ...Object.keys(ESCROW_OPTIONS),
];

export const send = defineCommand({
  usage: 'send',
  summary: 'Send coins, approved on the device',
  configure: yargs =>
    yargs
      .options({
        to: { type: 'string', requiresArg: true, describe: 'recipient: a ZBC_ address or an account in hex' },
        amount: { type: 'string', requiresArg: true, describe: 'coins to send, such as 1.5' },
        ...SENDING_OPTIONS,
        ...ESCROW_OPTIONS,
        'json-input': {
          type: 'boolean',
          describe:
            'sign here, without a device: {"sender_privkey","recipient","amount"} on stdin, in atomic units',
        },
        ...DEVICE_OPTIONS,
        ...GATEWAY_OPTIONS,
        ...JSON_OPTION,
      })
      .conflicts('json-input', NOT_WITH_JSON_INPUT)
      .example('$0 send --to ZBC_7VCH… --amount 1.5', 'send one and a half coins')
      .example('$0 send --to ZBC_7VCH… --amount 1 --message "invoice 42" --json', 'for a program')
      .example(
        '$0 send --to ZBC_7VCH… --amount 20 --escrow-approver ZBC_JHXE… --escrow-timeout 3d',
        'held until the approver decides',
      )
      .example('$0 send --json-input --api https://gateway.example < payment.json', 'without a device'),
  run: async (options, terminal) => {
    if (options.jsonInput) {
      // It is a program's interface: what it prints is for a program too.
      terminal.json = true;
      const { sendJsonInput } = await import('../actions/send-json-input.js');
      return sendJsonInput(options, terminal);
    }
    const { sendCoins } = await import('../actions/send.js');
    return sendCoins(options, terminal);
  },
});
