import { toHex } from '@zbc-signer/chain';
import { formatTime, type ListedTransaction, type Movement } from '@zbc-signer/host';
import { findAddress } from '../../connection/device.js';
import { createReader, openGateway, retryRead } from '../../connection/gateway.js';
import { UsageError } from '../../errors/errors.js';
import { parseHeight, parseWhole } from '../../input/values.js';
import { formatTable } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { DEVICE_OPTIONS, GATEWAY_OPTIONS } from '../../parser/options.js';
import { describeListed, listedJson, tokensOf } from '../../transaction/listed.js';
import { allTransactions, MAX_LISTED, patiently, type Search } from '../../transaction/search.js';
import { Units } from '../../transaction/units.js';

/** Limit for one account, for which the command searches all blocks. */
const MAX_OF_ACCOUNT = 10_000;
const DEFAULT_LIMIT = '20';

export const command = defineCommand({
  options: {
    limit: {
      describe: `maximum number of entries: 1 to ${MAX_LISTED}, or 1 to ${MAX_OF_ACCOUNT} for an account [${DEFAULT_LIMIT}]`,
    },
    address: {
      describe: 'list only this account, each entry marked as incoming or outgoing',
    },
    'from-block': {
      describe: 'height of the oldest block to search for an account [0]',
    },
    ...DEVICE_OPTIONS,
    ...GATEWAY_OPTIONS,
  },
  conflicts: { address: ['device', 'account'] },
  examples: [
    ['$0 history --limit 5', 'the newest activity of the whole chain'],
    ['$0 history --address ZBC_7VCH…', 'the newest activity of one account'],
    ['$0 history --address ZBC_7VCH… --limit 1000', 'up to 1000 entries of the account'],
    ['$0 history --account 0', "the newest activity of the device's account"],
  ],

  async run(options, terminal) {
    const isOfAccount = isOneAccount(options);
    const limit = parseLimit(options.limit, isOfAccount ? MAX_OF_ACCOUNT : MAX_LISTED);
    const fromBlock = parseHeight('--from-block', options.fromBlock ?? '0');
    if (!isOfAccount && options.fromBlock !== undefined) {
      throw new UsageError('--from-block is for the history of an account', 'Add --address or --account.');
    }
    const gateway = openGateway(options);
    const reader = createReader(terminal);
    const own = isOfAccount ? await findAddress(options, terminal.signal, '--address') : undefined;
    const search = { gateway, reader, terminal, fromBlock };
    const entries = own === undefined ? await readNewest(search, limit) : await readOwn(search, own, limit);
    const shown = entries.slice(0, limit);
    const tokenIds = shown.flatMap(tokensOfEntry);
    const units = await patiently(search, () => Units.read(gateway, reader, tokenIds));
    return {
      json: {
        ...(own !== undefined && { address: own }),
        entries: shown.map(entry => entryJson(entry, own)),
      },
      text: shown.map(entry => describeEntry(entry, units, own)).join('\n\n') || describeNothing(own),
    };
  },
});

type Entry = { of: 'transaction'; record: ListedTransaction } | { of: 'movement'; record: Movement };

function isOneAccount({ address, device, account }: Record<string, unknown>): boolean {
  return [address, device, account].some(option => option !== undefined);
}

function describeNothing(own: string | undefined): string {
  return own === undefined ? 'This chain has no activity yet.' : `No activity of ${own} was found.`;
}

function parseLimit(text: string | undefined, maximum: number): number {
  return parseWhole('--limit', text ?? DEFAULT_LIMIT, maximum, 1);
}

async function readNewest({ gateway, reader }: Search, limit: number): Promise<Entry[]> {
  const [transactions, movements] = await Promise.all([
    retryRead(reader, request => gateway.recentTransactions(limit, request)),
    retryRead(reader, request => gateway.movements(limit, request)),
  ]);
  return merge(transactions, movements);
}

/**
 * Reads the activity of one account. A gateway lists only the chain's newest movements, which blocks do not
 * have.
 */
async function readOwn(search: Search, own: string, limit: number): Promise<Entry[]> {
  const { gateway, reader, fromBlock } = search;
  const movements = await patiently(search, () =>
    retryRead(reader, request => gateway.movements(MAX_LISTED, request)),
  );
  const transactions: ListedTransaction[] = [];
  for await (const transaction of allTransactions(search)) {
    if (transaction.sender === own || transaction.recipient === own) transactions.push(transaction);
    if (transactions.length === limit) break;
  }
  const isOwn = ({ account, blockHeight = fromBlock }: Movement) =>
    account === own && blockHeight >= fromBlock;
  return merge(transactions, movements.filter(isOwn));
}

/** Merges the lists, newest first. Unconfirmed entries count as the newest. */
function merge(transactions: readonly ListedTransaction[], movements: readonly Movement[]): Entry[] {
  // Movements happen at the end of a block, after its transactions.
  const entries: Entry[] = [
    ...movements.map(record => ({ of: 'movement', record }) as const),
    ...transactions.map(record => ({ of: 'transaction', record }) as const),
  ];
  return entries.sort((one, other) => compareHeights(other.record.blockHeight, one.record.blockHeight));
}

function compareHeights(one: bigint | undefined, other: bigint | undefined): number {
  if (one === other) return 0;
  return one === undefined || (other !== undefined && one > other) ? 1 : -1;
}

function tokensOfEntry({ of, record }: Entry): bigint[] {
  return of === 'movement' ? [record.tokenId] : tokensOf([record]);
}

function directionOf({ sender, recipient }: ListedTransaction, own: string | undefined): string | undefined {
  if (own === undefined) return undefined;
  return sender === own ? (recipient === own ? 'self' : 'out') : 'in';
}

function entryJson({ of, record }: Entry, own: string | undefined): Record<string, unknown> {
  if (of === 'movement') {
    const { kind, account, tokenId, amount, blockHeight, timestamp, transactionHash } = record;
    return {
      entry: of,
      kind,
      account,
      token_id: `${tokenId}`,
      amount,
      ...(blockHeight !== undefined && { block_height: blockHeight }),
      ...(timestamp !== undefined && { timestamp }),
      ...(transactionHash !== undefined && { transaction_hash: transactionHash }),
    };
  }
  const direction = directionOf(record, own);
  return { entry: of, ...(direction !== undefined && { direction }), ...listedJson(record) };
}

function describeEntry({ of, record }: Entry, units: Units, own: string | undefined): string {
  if (of === 'transaction') return describeListed(record, units, directionOf(record, own));
  const { kind, account, tokenId, amount, blockHeight, timestamp, transactionHash } = record;
  const parts = [
    ...(timestamp === undefined ? [] : [formatTime(timestamp)]),
    ...(blockHeight === undefined ? [] : [`block ${blockHeight}`]),
    ...(own === undefined ? [] : ['in']),
    `${kind} of ${units.format(tokenId, amount)}`,
  ];
  const source = transactionHash === undefined ? [] : [['hash', toHex(transactionHash)] as const];
  return `${parts.join('  ')}\n${formatTable([['to', account], ...source], '  ')}`;
}
