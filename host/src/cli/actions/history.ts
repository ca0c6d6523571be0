import { formatTime } from '../../expected-review.js';
import type { Reader } from '../../flow/retry.js';
import type { GatewayClient, ListedTransaction, Movement } from '../../gateway/index.js';
import { findAddress } from '../device-address.js';
import { openGateway } from '../gateway.js';
import { createReader, retryRead } from '../reading.js';
import { formatTable } from '../table.js';
import type { Outcome, Terminal } from '../terminal.js';
import { describeListed, listedJson, tokensOf } from '../transaction-list.js';
import { Units } from '../units.js';
import { parseWhole } from '../values.js';

/** What a gateway gives at most. */
const MAX_LIMIT = 100;
const DEFAULT_LIMIT = '20';

interface HistoryOptions {
  limit?: string | undefined;
  address?: string | undefined;
  device?: string | undefined;
  account?: string | undefined;
  api?: string | undefined;
}

type Entry = { of: 'transaction'; record: ListedTransaction } | { of: 'movement'; record: Movement };

export async function showHistory(options: HistoryOptions, terminal: Terminal): Promise<Outcome> {
  const limit = parseWhole('--limit', options.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
  const gateway = openGateway(options);
  const reader = createReader(terminal);
  const own = isOneAccount(options) ? await findAddress(options, terminal.signal) : undefined;
  const entries = await readEntries(gateway, reader, own === undefined ? limit : MAX_LIMIT);
  const shown = entries.filter(entry => own === undefined || concerns(entry, own)).slice(0, limit);
  const units = await Units.read(gateway, reader, shown.flatMap(tokensOfEntry));
  return {
    json: {
      ...(own !== undefined && { address: own }),
      entries: shown.map(entry => entryJson(entry, own)),
    },
    text: shown.map(entry => describeEntry(entry, units, own)).join('\n\n') || describeNothing(own),
  };
}

function isOneAccount({ address, device, account }: HistoryOptions): boolean {
  return [address, device, account].some(option => option !== undefined);
}

function describeNothing(own: string | undefined): string {
  return own === undefined
    ? 'Nothing has happened on this chain yet.'
    : `Nothing of ${own} is among the newest ${MAX_LIMIT} of the chain.`;
}

/** Newest first; what is not in a block yet is newer than what is. */
async function readEntries(gateway: GatewayClient, reader: Reader, limit: number): Promise<Entry[]> {
  const [transactions, movements] = await Promise.all([
    retryRead(reader, request => gateway.recentTransactions(limit, request)),
    retryRead(reader, request => gateway.movements(limit, request)),
  ]);
  // At the end of a block the chain moves what its transactions and its clock have set free.
  const entries: Entry[] = [
    ...movements.map(record => ({ of: 'movement', record }) as const),
    ...transactions.map(record => ({ of: 'transaction', record }) as const),
  ];
  return entries.sort((one, other) => compareHeights(other.record.blockHeight, one.record.blockHeight));
}

function compareHeights(one: bigint | undefined, other: bigint | undefined): number {
  if (one === other) {
    return 0;
  }
  return one === undefined || (other !== undefined && one > other) ? 1 : -1;
}

function concerns({ of, record }: Entry, own: string): boolean {
  return of === 'movement' ? record.account === own : record.sender === own || record.recipient === own;
}

function tokensOfEntry({ of, record }: Entry): bigint[] {
  return of === 'movement' ? [record.tokenId] : tokensOf([record]);
}

function directionOf({ sender, recipient }: ListedTransaction, own: string | undefined): string | undefined {
  if (own === undefined) {
    return undefined;
  }
  return sender === own ? (recipient === own ? 'self' : 'out') : 'in';
}

function entryJson({ of, record }: Entry, own: string | undefined): Record<string, unknown> {
  if (of === 'movement') {
    const { kind, account, tokenId, amount, blockHeight, timestamp, transactionHash } = record;
    return {
      entry: of,
      kind,
      account,
      token_id: tokenId,
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
  if (of === 'transaction') {
    return describeListed(record, units, directionOf(record, own));
  }
  const { kind, account, tokenId, amount, blockHeight, timestamp, transactionHash } = record;
  const words = [
    ...(timestamp === undefined ? [] : [formatTime(timestamp)]),
    ...(blockHeight === undefined ? [] : [`block ${blockHeight}`]),
    ...(own === undefined ? [] : ['in']),
    `${kind} of ${units.format(tokenId, amount)}`,
  ];
  const source = transactionHash === undefined ? [] : [['hash', transactionHash] as const];
  return `${words.join('  ')}\n${formatTable([['to', account], ...source], '  ')}`;
}
