import { defineCommand } from '../command.js';
import { GATEWAY_OPTIONS, JSON_OPTION } from '../options.js';

export const orderbook = defineCommand({
  usage: 'orderbook <market>',
  summary: 'Show what a market offers and wants at which price',
  configure: yargs =>
    yargs
      .positional('market', {
        type: 'string',
        demandOption: true,
        describe: 'market id, as `markets` lists it',
      })
      .options({ ...GATEWAY_OPTIONS, ...JSON_OPTION })
      .example('$0 orderbook -5283193210384519936', 'the ids can be negative'),
  run: async (options, terminal) => {
    const { showOrderBook } = await import('../actions/orderbook.js');
    return showOrderBook(options, terminal);
  },
});
