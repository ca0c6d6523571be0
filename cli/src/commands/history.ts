import { formatCoinAmount, toHex } from '@zbc-signer/chain';
import {
  type AccountMovement,
  formatText,
  formatTime,
  type ListedTransaction,
  type Movement,
} from '@zbc-signer/host';
import { findAddress } from '../connection/device.js';
import { createReader, openGateway, retryRead } from '../connection/gateway.js';
import { UsageError } from '../errors/errors.js';
import { parseHeight, parseWhole } from '../input/values.js';
import { formatTable, type Row } from '../output/table.js';
import { defineCommand } from '../parser/command.js';
import { DEVICE_OPTIONS, GATEWAY_OPTIONS } from '../parser/options.js';
import { describeListed, listedJson, tokensOf } from '../transaction/listed.js';
import { MAX_LISTED, patiently, type Search, searchMovements } from '../transaction/search.js';
import { Units } from '../transaction/units.js';

/** Limit for one account, for which the command searches all blocks. */
const MAX_OF_ACCOUNT = 10_000;
const DEFAULT_LIMIT = '20';

const history = defineCommand({
  options: {
    limit: {
      describe: `maximum number of entries: 1 to ${MAX_LISTED}, or 1 to ${MAX_OF_ACCOUNT} for an account [${DEFAULT_LIMIT}]`,
    },
    address: {
      describe: 'list only the movements of this account',
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
    const search = { gateway, reader, terminal, fromBlock };
    return isOfAccount
      ? runOwn(search, await findAddress(options, terminal.signal, '--address'), limit)
      : runNewest(search, limit);
  },
});

async function runNewest(search: Search, limit: number) {
  const { gateway, reader } = search;
  const shown = (await readNewest(search, limit)).slice(0, limit);
  const units = await patiently(search, () => Units.read(gateway, reader, shown.flatMap(tokensOfEntry)));
  return {
    json: { entries: shown.map(entryJson) },
    text: shown.map(entry => describeEntry(entry, units)).join('\n\n') || 'This chain has no activity yet.',
  };
}

async function runOwn(search: Search, own: string, limit: number) {
  const { gateway, reader } = search;
  const found = await searchMovements(search, own, movements => movements.length >= limit);
  const shown = found.movements.slice(0, limit);
  const tokenIds = shown.map(({ tokenId }) => tokenId);
  const units = await patiently(search, () => Units.read(gateway, reader, tokenIds));
  const entries = shown.map(movement => describeMovement(movement, units)).join('\n\n');
  const isWhole = found.isDetermined && shown.length === found.movements.length;
  const doubt = isWhole ? '' : '\n\nThis may not be every movement of the account.';
  return {
    json: {
      address: own,
      from_block: found.fromBlock,
      determined: isWhole,
      entries: shown.map(movementJson),
    },
    text: `${entries || `No activity of ${own} was found.`}${doubt}`,
  };
}

type Entry = { of: 'transaction'; record: ListedTransaction } | { of: 'movement'; record: Movement };

function isOneAccount({ address, device, account }: Record<string, unknown>): boolean {
  return [address, device, account].some(option => option !== undefined);
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

function entryJson({ of, record }: Entry): Record<string, unknown> {
  if (of === 'transaction') return { entry: of, ...listedJson(record) };
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

function describeEntry({ of, record }: Entry, units: Units): string {
  if (of === 'transaction') return describeListed(record, units);
  const { kind, account, tokenId, amount, blockHeight, timestamp, transactionHash } = record;
  const parts = [
    ...(timestamp === undefined ? [] : [formatTime(timestamp)]),
    ...(blockHeight === undefined ? [] : [`block ${blockHeight}`]),
    `${kind} of ${units.format(tokenId, amount)}`,
  ];
  const source = transactionHash === undefined ? [] : [['hash', toHex(transactionHash)] as const];
  return `${parts.join('  ')}\n${formatTable([['to', account], ...source], '  ')}`;
}

function movementJson(movement: AccountMovement): Record<string, unknown> {
  const { kind, tokenId, amount, fee, counterparty, status, height, timestamp, transactionHash } = movement;
  const message = movement.transaction?.message;
  return {
    kind,
    token_id: `${tokenId}`,
    ...(amount !== undefined && { amount }),
    fee,
    ...(counterparty !== undefined && { counterparty }),
    status,
    ...(height !== undefined && { block_height: height }),
    ...(timestamp !== undefined && { timestamp }),
    ...(transactionHash !== undefined && { transaction_hash: transactionHash }),
    ...(message !== undefined && message.length > 0 && { message_hex: toHex(message) }),
  };
}

function describeMovement(movement: AccountMovement, units: Units): string {
  const { kind, tokenId, amount, fee, counterparty, status, height, timestamp, transactionHash } = movement;
  const message = movement.transaction?.message;
  const parts = [
    ...(timestamp === undefined ? [] : [formatTime(timestamp)]),
    ...(height === undefined ? [] : [`block ${height}`]),
    kind,
    ...(amount === undefined ? [] : [units.format(tokenId, amount)]),
    status,
  ];
  const details: Row[] = [
    ...(counterparty === undefined ? [] : [['with', counterparty] as const]),
    ...(fee === 0n ? [] : [['fee', formatCoinAmount(fee)] as const]),
    ...(message === undefined || message.length === 0
      ? []
      : [['message', formatText(message).replaceAll('\n', ' ')] as const]),
    ...(transactionHash === undefined ? [] : [['hash', toHex(transactionHash)] as const]),
  ];
  return `${parts.join('  ')}\n${formatTable(details, '  ')}`;
}

export const commands = { history };
