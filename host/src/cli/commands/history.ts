import { defineCommand } from '../command.js';
import { DEVICE_OPTIONS, GATEWAY_OPTIONS, JSON_OPTION } from '../options.js';

export const history = defineCommand({
  usage: 'history',
  summary: 'List what happened last: transactions, rewards, unlocks and refunds',
  configure: yargs =>
    yargs
      .options({
        limit: { type: 'string', requiresArg: true, describe: 'how many at most, up to 100 [20]' },
        address: {
          type: 'string',
          requiresArg: true,
          describe: 'only of this account, among the newest 100 of the chain, with in and out',
        },
        ...DEVICE_OPTIONS,
        ...GATEWAY_OPTIONS,
        ...JSON_OPTION,
      })
      .conflicts('address', ['device', 'account'])
      .example('$0 history --limit 5', 'of the whole chain')
      .example('$0 history --address ZBC_7VCH…', 'of one account')
      .example('$0 history --account 0', "of the device's account"),
  run: async (options, terminal) => {
    const { showHistory } = await import('../actions/history.js');
    return showHistory(options, terminal);
  },
});
