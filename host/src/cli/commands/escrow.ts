import { defineCommand } from '../command.js';
import { DEVICE_OPTIONS, GATEWAY_OPTIONS, JSON_OPTION, SENDING_OPTIONS } from '../options.js';

export const escrow = defineCommand({
  usage: 'escrow <decision> <hash>',
  summary: 'Approve or reject an escrow, confirmed on the device',
  configure: yargs =>
    yargs
      .positional('decision', {
        choices: ['approve', 'reject'] as const,
        demandOption: true,
        describe: 'approve pays the recipient, reject returns it to the sender',
      })
      .positional('hash', {
        type: 'string',
        demandOption: true,
        describe: 'transaction hash of the escrowed transfer',
      })
      .options({ ...SENDING_OPTIONS, ...DEVICE_OPTIONS, ...GATEWAY_OPTIONS, ...JSON_OPTION })
      .example(
        '$0 escrow approve 042c33017d19…',
        'the device shows what was escrowed, from the verified bytes',
      ),
  run: async (options, terminal) => {
    const { decideEscrow } = await import('../actions/send.js');
    return decideEscrow(options, terminal);
  },
});
