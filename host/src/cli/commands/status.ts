import { defineCommand } from '../command.js';
import { GATEWAY_OPTIONS, JSON_OPTION } from '../options.js';

export const status = defineCommand({
  usage: 'status <hash>',
  summary: 'Ask how far a transaction is: staging, mempool or confirmed',
  configure: yargs =>
    yargs
      .positional('hash', { type: 'string', demandOption: true, describe: 'transaction hash' })
      .options({ ...GATEWAY_OPTIONS, ...JSON_OPTION }),
  run: async (options, terminal) => {
    const [
      { toHex },
      { GatewayClient },
      { parseHash },
      { formatTable },
      { defaultApi },
      { UnknownTransactionError },
    ] = await Promise.all([
      import('../../../../chain/src/index.js'),
      import('../../gateway/index.js'),
      import('../values.js'),
      import('../table.js'),
      import('../defaults.js'),
      import('../errors.js'),
    ]);
    const hash = toHex(parseHash('the transaction hash', options.hash));
    const gateway = new GatewayClient(options.api ?? defaultApi());
    const found = await gateway.transactionStatus(hash, { signal: terminal.signal });
    if (found === undefined) {
      throw new UnknownTransactionError(hash);
    }
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
