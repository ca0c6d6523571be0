import { defineCommand } from '../command.js';
import { GATEWAY_OPTIONS, JSON_OPTION } from '../options.js';

export const markets = defineCommand({
  usage: 'markets',
  summary: 'List the open markets with their last prices',
  configure: yargs =>
    yargs
      .options({ ...GATEWAY_OPTIONS, ...JSON_OPTION })
      .example('$0 markets --json', 'ids for the orderbook command, prices in atomic units'),
  run: async (options, terminal) => {
    const { showMarkets } = await import('../actions/markets.js');
    return showMarkets(options, terminal);
  },
});
