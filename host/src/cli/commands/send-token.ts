import { defineCommand } from '../command.js';
import { DEVICE_OPTIONS, ESCROW_OPTIONS, GATEWAY_OPTIONS, JSON_OPTION, SENDING_OPTIONS } from '../options.js';

export const sendToken = defineCommand({
  usage: 'send-token',
  summary: 'Send a token, approved on the device',
  configure: yargs =>
    yargs
      .options({
        token: {
          type: 'string',
          requiresArg: true,
          demandOption: true,
          describe: 'token id; it may be negative: --token=-42',
        },
        to: {
          type: 'string',
          requiresArg: true,
          demandOption: true,
          describe: 'recipient: a ZBC_ address or an account in hex',
        },
        amount: {
          type: 'string',
          requiresArg: true,
          demandOption: true,
          describe: "amount in the token's own units, scaled by its decimals",
        },
        'fee-in-token': { choices: ['yes', 'no'] as const, describe: 'add the fee-in-token flag' },
        ...SENDING_OPTIONS,
        ...ESCROW_OPTIONS,
        ...DEVICE_OPTIONS,
        ...GATEWAY_OPTIONS,
        ...JSON_OPTION,
      })
      .example('$0 send-token --token 1 --to ZBC_7VCH… --amount 2.5', 'send 2.5 of token 1'),
  run: async (options, terminal) => {
    const { sendTokens } = await import('../actions/send.js');
    return sendTokens(options, terminal);
  },
});
