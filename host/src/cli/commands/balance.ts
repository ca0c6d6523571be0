import { defineCommand } from '../command.js';
import { DEVICE_OPTIONS, GATEWAY_OPTIONS, JSON_OPTION } from '../options.js';

export const balance = defineCommand({
  usage: 'balance [address]',
  summary: 'Show what an account holds, coins and tokens',
  configure: yargs =>
    yargs
      .positional('address', { type: 'string', describe: "account to look at [the device's own]" })
      .options({ ...DEVICE_OPTIONS, ...GATEWAY_OPTIONS, ...JSON_OPTION }),
  run: async (options, terminal) => {
    const { showBalance } = await import('../actions/balance.js');
    return showBalance(options, terminal);
  },
});
