import { toHex } from '../../../../chain/src/index.js';
import { UnknownTransactionError } from '../errors.js';
import { openGateway } from '../gateway.js';
import { createReader, retryRead } from '../reading.js';
import { formatTable } from '../table.js';
import type { Outcome, Terminal } from '../terminal.js';
import { parseHash } from '../values.js';

interface StatusOptions {
  hash: string;
  api?: string | undefined;
}

export async function showStatus(options: StatusOptions, terminal: Terminal): Promise<Outcome> {
  const hash = toHex(parseHash('the transaction hash', options.hash));
  const gateway = openGateway(options);
  const found = await retryRead(createReader(terminal), request => gateway.transactionStatus(hash, request));
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
}
