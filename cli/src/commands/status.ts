import { toHex } from '@zbc-signer/chain';
import { openGateway } from '../connection/gateway.js';
import { createReader, retryRead } from '../connection/reader.js';
import { UnknownTransactionError } from '../errors/errors.js';
import { parseHash } from '../input/values.js';
import { formatTable } from '../output/table.js';
import { defineCommand } from '../parser/command.js';
import { GATEWAY_OPTIONS, JSON_OPTION } from '../parser/options.js';

export const command = defineCommand({
  configure: yargs =>
    yargs
      .positional('hash', { type: 'string', demandOption: true, describe: 'transaction hash' })
      .options({ ...GATEWAY_OPTIONS, ...JSON_OPTION })
      .example('$0 status 042c33017d19…', 'staging, mempool or confirmed, with its block'),

  async run(options, terminal) {
    const hash = parseHash('the transaction hash', options.hash);
    const gateway = openGateway(options);
    const found = await retryRead(createReader(terminal), request =>
      gateway.transactionStatus(hash, request),
    );
    if (found === undefined) throw new UnknownTransactionError(toHex(hash));
    const { stage, blockHeight, mempoolPosition } = found;
    return {
      json: {
        transaction_hash: hash,
        status: stage,
        ...(blockHeight !== undefined && { block_height: blockHeight }),
        ...(mempoolPosition !== undefined && { mempool_position: mempoolPosition }),
      },
      text: formatTable([
        ['Status', stage],
        ...(blockHeight === undefined ? [] : [['Block', `${blockHeight}`] as const]),
        ...(mempoolPosition === undefined ? [] : [['Mempool position', `${mempoolPosition}`] as const]),
      ]),
    };
  },
});
