import { defineCommand } from '../command.js';
import { JSON_OPTION } from '../options.js';

export const tx = defineCommand({
  usage: 'tx <action> <hex>',
  summary: 'Decode unsigned transaction bytes, offline',
  configure: yargs =>
    yargs
      .positional('action', { choices: ['decode'] as const, demandOption: true, describe: 'what to do' })
      .positional('hex', {
        type: 'string',
        demandOption: true,
        describe: 'the bytes in hex; - reads them from stdin',
      })
      .options({
        genesis: {
          type: 'string',
          requiresArg: true,
          describe: 'genesis hash, to compute the signing digest',
        },
        ...JSON_OPTION,
      })
      .example('$0 tx decode 0100000001…', 'the fields, or the place and reason of the first fault'),
  run: async options => {
    const { decodeHex } = await import('../actions/tx.js');
    return decodeHex(options);
  },
});
