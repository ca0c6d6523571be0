import { defineCommand } from '../command.js';
import { GATEWAY_OPTIONS, JSON_OPTION } from '../options.js';

export const offers = defineCommand({
  usage: 'offers',
  summary: 'List the open swap packages: what each gives and wants',
  configure: yargs =>
    yargs
      .options({ ...GATEWAY_OPTIONS, ...JSON_OPTION })
      .example('$0 offers', 'with the time until which they stand'),
  run: async (options, terminal) => {
    const { showOffers } = await import('../actions/offers.js');
    return showOffers(options, terminal);
  },
});
