import { defineCommand } from '../command.js';
import { GATEWAY_OPTIONS, JSON_OPTION } from '../options.js';

export const status = defineCommand({
  usage: 'status <hash>',
  summary: 'Ask how far a transaction is: staging, mempool or confirmed',
  configure: yargs =>
    yargs
      .positional('hash', { type: 'string', demandOption: true, describe: 'transaction hash' })
      .options({ ...GATEWAY_OPTIONS, ...JSON_OPTION }),
  run: async (options, terminal) => {
    const { showStatus } = await import('../actions/status.js');
    return showStatus(options, terminal);
  },
});
