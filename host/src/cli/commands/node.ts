import { addCommand, defineCommand } from '../command.js';
import { UsageError } from '../errors.js';
import { nodeInfo } from './node-info.js';
import { nodeList } from './node-list.js';
import { nodeRun } from './node-run.js';

export const node = defineCommand({
  usage: 'node',
  summary: 'Ask about the nodes of the chain, or run one: info, list, run',
  subcommands: [
    (yargs, terminal) => addCommand(yargs, nodeInfo, terminal),
    (yargs, terminal) => addCommand(yargs, nodeList, terminal),
    (yargs, terminal) => addCommand(yargs, nodeRun, terminal),
  ],
  configure: yargs => yargs.example('$0 node info', 'which chain it is on'),
  run: async () => {
    throw new UsageError('say what about the nodes: node info, node list or node run');
  },
});
