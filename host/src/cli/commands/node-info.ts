import { defineCommand } from '../command.js';
import { GATEWAY_OPTIONS, JSON_OPTION } from '../options.js';

export const nodeInfo = defineCommand({
  usage: 'info',
  summary: 'Show which chain a node is on, its height, and how it signs',
  configure: yargs =>
    yargs
      .options({ ...GATEWAY_OPTIONS, ...JSON_OPTION })
      .example('$0 node info --api https://gateway.example', 'the node behind a gateway'),
  run: async (options, terminal) => {
    const { showNodeInfo } = await import('../actions/node-info.js');
    return showNodeInfo(options, terminal);
  },
});
