import { defineCommand } from '../../parser/command.js';
import { DEVICE_OPTIONS, GATEWAY_OPTIONS, JSON_OPTION, SENDING_OPTIONS } from '../../parser/options.js';
import { sendDecision } from '../../transaction/decision.js';

export const command = defineCommand({
  configure: yargs =>
    yargs
      .positional('hash', {
        type: 'string',
        demandOption: true,
        describe: 'transaction hash of the escrowed transfer',
      })
      .options({ ...SENDING_OPTIONS, ...DEVICE_OPTIONS, ...GATEWAY_OPTIONS, ...JSON_OPTION })
      .example(
        '$0 escrow approve 042c33017d19…',
        'the device shows the escrowed transfer, from verified bytes',
      ),

  run: (options, terminal) => sendDecision(0, options, terminal),
});
