import { defineCommand } from '../command.js';
import { GATEWAY_OPTIONS, JSON_OPTION } from '../options.js';

export const relay = defineCommand({
  usage: 'relay <action>',
  summary: "Check, before paying, that a gateway's relay is on your node's chain",
  configure: yargs =>
    yargs
      .positional('action', { choices: ['check'] as const, demandOption: true, describe: 'what to do' })
      .options({
        node: {
          type: 'string',
          requiresArg: true,
          describe: "address of your own node [the gateway's]",
        },
        ...GATEWAY_OPTIONS,
        ...JSON_OPTION,
      })
      .example('$0 relay check', 'OK, or exit code 10 and both genesis hashes')
      .example('$0 relay check --node http://127.0.0.1:8884', 'against a node that you run'),
  run: async (options, terminal) => {
    const { checkRelay } = await import('../actions/relay-check.js');
    return checkRelay(options, terminal);
  },
});
