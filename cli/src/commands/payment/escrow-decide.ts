import type { EscrowDecision } from '@zbc-signer/chain';
import { APPROVAL_ESCROW } from '@zbc-signer/protocol/transaction-types';
import { parseHash } from '../../input/values.js';
import { type Command, defineCommand } from '../../parser/command.js';
import { DEVICE_OPTIONS, GATEWAY_OPTIONS, SENDING_OPTIONS } from '../../parser/options.js';
import { parseDraftBase, sendFromDevice } from '../../transaction/sending.js';

const { 'allow-zero': _allowZero, ...DECISION_OPTIONS } = SENDING_OPTIONS;

/** Builds the command for a decision on an escrow. */
function decisionCommand(approval: EscrowDecision): Command {
  return defineCommand({
    arguments: {
      hash: {
        demandOption: true,
        describe: 'transaction hash of the escrowed transfer',
      },
    },
    options: { ...DECISION_OPTIONS, ...DEVICE_OPTIONS, ...GATEWAY_OPTIONS },
    examples: [
      [`$0 escrow ${approval} 042c33017d19…`, 'the device shows the escrowed transfer, from verified bytes'],
    ],

    async run(options, terminal) {
      const escrowHash = parseHash('the transaction hash', options.hash);
      const draft = { type: APPROVAL_ESCROW, approval, escrowHash, ...parseDraftBase(options) } as const;
      return sendFromDevice(() => draft, options, terminal);
    },
  });
}

export const approve = { command: decisionCommand('approve') };
export const reject = { command: decisionCommand('reject') };
