import { defineCommand } from '../command.js';
import { GATEWAY_OPTIONS, JSON_OPTION } from '../options.js';

export const verify = defineCommand({
  usage: 'verify <file>',
  summary: 'Check that a downloaded file is one that the chain has published',
  configure: yargs =>
    yargs
      .positional('file', { type: 'string', demandOption: true, describe: 'the file; it is hashed here' })
      .options({ ...GATEWAY_OPTIONS, ...JSON_OPTION })
      .example('$0 verify zbc-node-0.4.0.tar.gz', 'its release, or exit code 11'),
  run: async (options, terminal) => {
    const { verifyFile } = await import('../actions/verify.js');
    return verifyFile(options, terminal);
  },
});
