import { defineCommand } from '../command.js';
import { GATEWAY_OPTIONS, JSON_OPTION } from '../options.js';

export const block = defineCommand({
  usage: 'block [height]',
  summary: 'Show a block with its transactions',
  configure: yargs =>
    yargs
      .positional('height', { type: 'string', describe: 'height of the block [the newest]' })
      .options({ ...GATEWAY_OPTIONS, ...JSON_OPTION })
      .example('$0 block', 'the newest')
      .example('$0 block 0', 'the genesis'),
  run: async (options, terminal) => {
    const { showBlock } = await import('../actions/block.js');
    return showBlock(options, terminal);
  },
});
