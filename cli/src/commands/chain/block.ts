import { toHex } from '@zbc-signer/chain';
import { type Block, formatTime } from '@zbc-signer/host';

import { createReader, openGateway, retryRead } from '../../connection/gateway.js';
import { UnknownBlockError } from '../../errors/errors.js';
import { parseHeight } from '../../input/values.js';
import { formatTable } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { GATEWAY_OPTIONS } from '../../parser/options.js';
import { describeListed, listedJson, tokensOf } from '../../transaction/listed.js';
import { Units } from '../../transaction/units.js';

export const command = defineCommand({
  arguments: { height: { describe: 'height of the block [the newest]' } },
  options: { ...GATEWAY_OPTIONS },
  examples: [
    ['$0 block', 'the newest block'],
    ['$0 block 0', 'the genesis block'],
  ],

  async run(options, terminal) {
    const height = options.height === undefined ? undefined : parseHeight('the height', options.height);
    const gateway = openGateway(options);
    const reader = createReader(terminal);
    const block = await retryRead(reader, request => gateway.block(height, request));
    if (block === undefined) throw new UnknownBlockError(height);
    const units = await Units.read(gateway, reader, tokensOf(block.transactions));
    return { json: blockJson(block), text: describeBlock(block, units) };
  },
});

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
    ...(hash === undefined ? [] : [['Hash', toHex(hash)] as const]),
    ...(previousHash === undefined ? [] : [['Previous hash', toHex(previousHash)] as const]),
    ...(timestamp === undefined ? [] : [['Time', formatTime(timestamp)] as const]),
    ['Transactions', `${transactions.length}`],
  ]);
  return [header, ...transactions.map(transaction => describeListed(transaction, units))].join('\n\n');
}
