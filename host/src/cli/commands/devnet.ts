import { defineCommand } from '../command.js';
import { DEVNET_ARCHIVAL_PORT, DEVNET_NODE_PORT, DEVNET_PORT } from '../defaults.js';

export const devnet = defineCommand({
  usage: 'devnet',
  summary: 'Run a development network: a gateway with a faucet, a full and an archival node, until Ctrl-C',
  configure: yargs =>
    yargs
      .options({
        port: {
          type: 'string',
          requiresArg: true,
          describe: `port of the gateway; 0 is any, for the nodes too [${DEVNET_PORT}]`,
        },
        'node-port': {
          type: 'string',
          requiresArg: true,
          describe: `port of the full node [${DEVNET_NODE_PORT}]`,
        },
        'archival-port': {
          type: 'string',
          requiresArg: true,
          describe: `port of the archival node [${DEVNET_ARCHIVAL_PORT}]`,
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
          describe: 'seconds from one block to the next [2]',
        },
        'rate-limit': {
          type: 'string',
          requiresArg: true,
          describe: 'requests that one client may make in a minute [no limit]',
        },
        'admin-key-file': {
          type: 'string',
          requiresArg: true,
          describe: "new file for the admin panel's key, removed at the end [the key is told nowhere]",
        },
        json: { type: 'boolean', describe: 'print one JSON line on stdout when ready' },
      })
      .example('$0 devnet --data ./chain --block-time 0.5', 'a chain that stays, with fast blocks')
      .example('$0 devnet --port 0 --json', 'beside another one, on ports that are free'),
  run: async (options, terminal) => {
    const { runDevnet } = await import('../actions/devnet.js');
    return runDevnet(options, terminal);
  },
});
