import { defineCommand } from '../command.js';
import { GATEWAY_OPTIONS, JSON_OPTION } from '../options.js';

export const nodeList = defineCommand({
  usage: 'list',
  summary: "List the machines in the chain's registry",
  configure: yargs =>
    yargs
      .options({
        kind: {
          choices: ['nodes', 'gateways', 'relays', 'archivals'] as const,
          describe: 'which of them [nodes]',
        },
        ...GATEWAY_OPTIONS,
        ...JSON_OPTION,
      })
      .example('$0 node list --kind relays', 'with address and public key'),
  run: async (options, terminal) => {
    const { listNodes } = await import('../actions/node-list.js');
    return listNodes(options, terminal);
  },
});
