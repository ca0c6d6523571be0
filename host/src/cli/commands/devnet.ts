import { defineCommand } from '../command.js';
import { DEVNET_PORT } from '../defaults.js';

export const devnet = defineCommand({
  usage: 'devnet',
  summary: 'Run a development network with a gateway and a faucet, until Ctrl-C',
  configure: yargs =>
    yargs
      .options({
        port: {
          type: 'string',
          requiresArg: true,
          describe: `port of the gateway; 0 is any [${DEVNET_PORT}]`,
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
        json: { type: 'boolean', describe: 'print one JSON line on stdout when ready' },
      })
      .example('$0 devnet --data ./chain --block-time 0.5', 'a chain that stays, with fast blocks'),
  run: async (options, terminal) => {
    const { runDevnet } = await import('../actions/devnet.js');
    return runDevnet(options, terminal);
  },
});
