import { formatCoinAmount, toHex } from '@zbc-signer/chain';
import { type AccountMovement, formatCsv, formatText, formatTime } from '@zbc-signer/host';
import { findAddress } from '../connection/device.js';
import { createReader, openGateway } from '../connection/gateway.js';
import { parseHeight, parseWhole } from '../input/values.js';
import { formatTable, type Row } from '../output/table.js';
import { defineCommand } from '../parser/command.js';
import { DEVICE_OPTIONS, GATEWAY_OPTIONS } from '../parser/options.js';
import { patiently, searchMovements, Units } from '../transaction/search.js';

const MAX_LIMIT = 10_000;
const DEFAULT_LIMIT = '20';

const history = defineCommand({
  options: {
    limit: { describe: `maximum number of entries, at most ${MAX_LIMIT} [${DEFAULT_LIMIT}]` },
    address: { describe: "account whose movements are listed [the device's]" },
    'from-block': { describe: 'height of the oldest block to search [0]' },
    csv: { type: 'boolean', describe: 'print CSV for a spreadsheet, oldest first' },
    ...DEVICE_OPTIONS,
    ...GATEWAY_OPTIONS,
  },
  conflicts: { address: ['device', 'account'], csv: ['json'] },
  examples: [
    ['$0 history', "the newest activity of the device's account 0"],
    ['$0 history --address ZBC_7VCH… --limit 1000', 'up to 1000 entries of any account'],
    ['$0 history --limit 10000 --csv > account.csv', 'a file for a spreadsheet'],
  ],

  async run(options, terminal) {
    const limit = parseWhole('--limit', options.limit ?? DEFAULT_LIMIT, MAX_LIMIT, 1);
    const fromBlock = parseHeight('--from-block', options.fromBlock ?? '0');
    const gateway = openGateway(options);
    const reader = createReader(terminal);
    const own = await findAddress(options, terminal.signal, '--address');
    const search = { gateway, reader, terminal, fromBlock };
    const found = await searchMovements(search, own, movements => movements.length >= limit);
    const shown = found.movements.slice(0, limit);
    const tokenIds = shown.map(({ tokenId }) => tokenId);
    const units = await patiently(search, () => Units.read(gateway, reader, tokenIds));
    const csv = () => formatCsv(shown.toReversed(), units.tokens).trimEnd();
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
      text: options.csv ? csv() : `${entries || `No activity of ${own} was found.`}${doubt}`,
    };
  },
});

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
