import { APPROVAL_ESCROW } from '../../../../protocol/transaction-types.js';
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
    const [{ parseHash }, { parseDraftBase, sendFromDevice }] = await Promise.all([
      import('../values.js'),
      import('../sending.js'),
    ]);
    const approval = options.decision === 'approve' ? 0 : 1;
    const escrowHash = parseHash('the transaction hash', options.hash);
    const draft = { type: APPROVAL_ESCROW, approval, escrowHash, ...parseDraftBase(options) } as const;
    return sendFromDevice(draft, options, terminal);
  },
});
