import { addCommand, defineCommand } from '../command.js';
import { gatewayInit } from './gateway-init.js';
import { gatewayStatus } from './gateway-status.js';

export const gateway = defineCommand({
  usage: 'gateway',
  summary: 'Run a gateway in front of nodes, until Ctrl-C',
  subcommands: [
    (yargs, terminal) => addCommand(yargs, gatewayInit, terminal),
    (yargs, terminal) => addCommand(yargs, gatewayStatus, terminal),
  ],
  configure: yargs =>
    yargs
      .options({
        config: {
          type: 'string',
          requiresArg: true,
          global: false,
          describe: 'the configuration, such as gateway.json',
        },
        'log-level': {
          choices: ['debug', 'info', 'warn', 'error', 'silent'] as const,
          global: false,
          describe: 'what is logged on stderr, as JSON lines; info has every request [info]',
        },
        json: { type: 'boolean', global: false, describe: 'print one JSON line on stdout when ready' },
      })
      .example('$0 gateway init', 'writes gateway.json, for two nodes of node run')
      .example('$0 gateway --config gateway.json', 'runs it'),
  run: async (options, terminal) => {
    const { runGateway } = await import('../actions/gateway.js');
    return runGateway(options, terminal);
  },
});
