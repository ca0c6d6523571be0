import { defineCommand } from '../command.js';
import { DEVNET_ARCHIVAL_PORT, DEVNET_NODE_PORT } from '../defaults.js';

export const nodeRun = defineCommand({
  usage: 'run',
  summary: 'Run one node of a development network, until Ctrl-C',
  configure: yargs =>
    yargs
      .options({
        archival: { type: 'boolean', describe: 'an archival node, which follows a full node' },
        follow: {
          type: 'string',
          requiresArg: true,
          describe: `the full node that an archival node follows [http://127.0.0.1:${DEVNET_NODE_PORT}]`,
        },
        port: {
          type: 'string',
          requiresArg: true,
          describe: `port; 0 is any [${DEVNET_NODE_PORT}, archival ${DEVNET_ARCHIVAL_PORT}]`,
        },
        host: { type: 'string', requiresArg: true, describe: 'address to listen on [127.0.0.1]' },
        data: {
          type: 'string',
          requiresArg: true,
          describe: 'directory that keeps the chain [a temporary one, removed at the end]',
        },
        'block-time': {
          type: 'string',
          requiresArg: true,
          describe: 'seconds from one block of a full node to the next [2]',
        },
        json: { type: 'boolean', describe: 'print one JSON line on stdout when ready' },
      })
      .example('$0 node run --data ./full', 'a full node')
      .example('$0 node run --archival --data ./history', 'an archival node that follows it'),
  run: async (options, terminal) => {
    const { runNode } = await import('../actions/node-run.js');
    return runNode(options, terminal);
  },
});
