import { formatTime } from '../../expected-review.js';
import type { Block } from '../../gateway/index.js';
import { UnknownBlockError } from '../errors.js';
import { openGateway } from '../gateway.js';
import { createReader, retryRead } from '../reading.js';
import { formatTable } from '../table.js';
import type { Outcome, Terminal } from '../terminal.js';
import { describeListed, listedJson, tokensOf } from '../transaction-list.js';
import { Units } from '../units.js';
import { parseHeight } from '../values.js';

interface BlockOptions {
  height?: string | undefined;
  api?: string | undefined;
}

export async function showBlock(options: BlockOptions, terminal: Terminal): Promise<Outcome> {
  const height = options.height === undefined ? undefined : parseHeight('the height', options.height);
  const gateway = openGateway(options);
  const reader = createReader(terminal);
  const block = await retryRead(reader, request => gateway.block(height, request));
  if (block === undefined) {
    throw new UnknownBlockError(height);
  }
  const units = await Units.read(gateway, reader, tokensOf(block.transactions));
  return { json: blockJson(block), text: describeBlock(block, units) };
}

function blockJson({ height, hash, previousHash, timestamp, transactions }: Block): Record<string, unknown> {
  return {
    height,
    ...(hash !== undefined && { block_hash: hash }),
    ...(previousHash !== undefined && { previous_block_hash: previousHash }),
    ...(timestamp !== undefined && { timestamp }),
    transactions: transactions.map(listedJson),
  };
}

function describeBlock({ height, hash, previousHash, timestamp, transactions }: Block, units: Units): string {
  const header = formatTable([
    ['Block', `${height}`],
    ...(hash === undefined ? [] : [['Hash', hash] as const]),
    ...(previousHash === undefined ? [] : [['Before it', previousHash] as const]),
    ...(timestamp === undefined ? [] : [['Time', formatTime(timestamp)] as const]),
    ['Transactions', `${transactions.length}`],
  ]);
  return [header, ...transactions.map(transaction => describeListed(transaction, units))].join('\n\n');
}
