import { toHex } from '@zbc-signer/chain';
import {
  formatTime,
  type GatewayClient,
  type ListedTransaction,
  type Movement,
  type Reader,
} from '@zbc-signer/host';
import { findAddress } from '../connection/device-address.js';
import { openGateway } from '../connection/gateway.js';
import { createReader, retryRead } from '../connection/reader.js';
import { parseWhole } from '../input/values.js';
import { formatTable } from '../output/table.js';
import { defineCommand } from '../parser/command.js';
import { DEVICE_OPTIONS, GATEWAY_OPTIONS, JSON_OPTION } from '../parser/options.js';
import { describeListed, listedJson, tokensOf } from '../transaction/listed.js';
import { Units } from '../transaction/units.js';

/** The most entries a gateway returns. */
const MAX_LIMIT = 100;
const DEFAULT_LIMIT = '20';

export const command = defineCommand({
  configure: yargs =>
    yargs
      .options({
        limit: { type: 'string', requiresArg: true, describe: 'number of entries, at most 100 [20]' },
        address: {
          type: 'string',
          requiresArg: true,
          describe: "only this account's, among the newest 100 of the chain, marked in or out",
        },
        ...DEVICE_OPTIONS,
        ...GATEWAY_OPTIONS,
        ...JSON_OPTION,
      })
      .conflicts('address', ['device', 'account'])
      .example('$0 history --limit 5', 'of the whole chain')
      .example('$0 history --address ZBC_7VCH…', 'of one account')
      .example('$0 history --account 0', "of the device's account"),

  async run(options, terminal) {
    const limit = parseWhole('--limit', options.limit ?? DEFAULT_LIMIT, MAX_LIMIT, 1);
    const gateway = openGateway(options);
    const reader = createReader(terminal);
    const own = isOneAccount(options) ? await findAddress(options, terminal.signal, '--address') : undefined;
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
  },
});

type Entry = { of: 'transaction'; record: ListedTransaction } | { of: 'movement'; record: Movement };

function isOneAccount({ address, device, account }: Record<string, unknown>): boolean {
  return [address, device, account].some(option => option !== undefined);
}

function describeNothing(own: string | undefined): string {
  return own === undefined
    ? 'This chain has no activity yet.'
    : `The newest ${MAX_LIMIT} entries of the chain have none of ${own}.`;
}

/** Newest first; unconfirmed entries are the newest. */
async function readEntries(gateway: GatewayClient, reader: Reader, limit: number): Promise<Entry[]> {
  const [transactions, movements] = await Promise.all([
    retryRead(reader, request => gateway.recentTransactions(limit, request)),
    retryRead(reader, request => gateway.movements(limit, request)),
  ]);
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

function concerns({ of, record }: Entry, own: string): boolean {
  return of === 'movement' ? record.account === own : record.sender === own || record.recipient === own;
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
