import { MAX_I64, parseUnits } from '@zbc-signer/chain';
import { type Token, unknownTokenError } from '@zbc-signer/host';
import { TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { openGateway } from '../connection/gateway.js';
import { createReader, retryRead } from '../connection/reader.js';
import { parseTokenId } from '../input/values.js';
import type { Terminal } from '../output/terminal.js';
import { defineCommand } from '../parser/command.js';
import {
  DEVICE_OPTIONS,
  ESCROW_OPTIONS,
  GATEWAY_OPTIONS,
  JSON_OPTION,
  SENDING_OPTIONS,
} from '../parser/options.js';
import { parseDraftBase, parseEscrow, parseRecipient, sendFromDevice } from '../transaction/sending.js';

export const command = defineCommand({
  configure: yargs =>
    yargs
      .options({
        token: {
          type: 'string',
          requiresArg: true,
          demandOption: true,
          describe: 'token id; a negative one as --token=-42',
        },
        to: {
          type: 'string',
          requiresArg: true,
          demandOption: true,
          describe: 'recipient: a ZBC_ address or an account in hex',
        },
        amount: {
          type: 'string',
          requiresArg: true,
          demandOption: true,
          describe: "amount in the token's units, scaled by its decimals",
        },
        'fee-in-token': { choices: ['yes', 'no'] as const, describe: 'add the fee-in-token flag' },
        ...SENDING_OPTIONS,
        ...ESCROW_OPTIONS,
        ...DEVICE_OPTIONS,
        ...GATEWAY_OPTIONS,
        ...JSON_OPTION,
      })
      .example('$0 send-token --token 1 --to ZBC_7VCH… --amount 2.5', 'send 2.5 of token 1'),

  async run(options, terminal) {
    const tokenId = parseTokenId(options.token);
    const recipient = parseRecipient(options.to);
    const { decimals } = await readToken(options, terminal, tokenId);
    const draft = {
      type: TRANSFER_TOKEN,
      tokenId,
      recipient,
      amount: parseUnits(options.amount, decimals, MAX_I64),
      decimals,
      feeInToken: options.feeInToken === undefined ? undefined : options.feeInToken === 'yes',
      escrow: parseEscrow(options),
      ...parseDraftBase(options),
    } as const;
    return sendFromDevice(draft, options, terminal);
  },
});

async function readToken(
  options: { api?: string | undefined },
  terminal: Terminal,
  id: bigint,
): Promise<Token> {
  const gateway = openGateway(options);
  const token = await retryRead(createReader(terminal), request => gateway.token(id, request));
  if (token?.id !== id) throw unknownTokenError(id);
  return token;
}
