import { defineCommand } from '../command.js';
import { GATEWAY_OPTIONS, JSON_OPTION } from '../options.js';

export const tokens = defineCommand({
  usage: 'tokens [id]',
  summary: "List the chain's tokens, or show one",
  configure: yargs =>
    yargs
      .positional('id', { type: 'string', describe: 'token id, which can be negative [all of them]' })
      .options({ ...GATEWAY_OPTIONS, ...JSON_OPTION })
      .example('$0 tokens', 'ids, symbols, decimals and supplies')
      .example('$0 tokens 1', 'one token'),
  run: async (options, terminal) => {
    const { showTokens } = await import('../actions/tokens.js');
    return showTokens(options, terminal);
  },
});
