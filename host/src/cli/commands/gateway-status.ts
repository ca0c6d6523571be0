import { defineCommand } from '../command.js';
import { GATEWAY_OPTIONS, JSON_OPTION } from '../options.js';

export const gatewayStatus = defineCommand({
  usage: 'status',
  summary: 'Show how a gateway does, and which of its nodes answer',
  configure: yargs =>
    yargs
      .options({ ...GATEWAY_OPTIONS, ...JSON_OPTION })
      .example('$0 gateway status --api https://gateway.example', 'needs no key'),
  run: async (options, terminal) => {
    const { showGatewayStatus } = await import('../actions/gateway-status.js');
    return showGatewayStatus(options, terminal);
  },
});
