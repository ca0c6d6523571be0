import { cleanText, formatCoins, formatUnits, toHex } from '@zbc-signer/chain';
import { formatText } from '../device/expected-review.js';
import type { Token } from '../gateway/records/holdings.js';
import type { AccountMovement } from './account-movements.js';

const COLUMNS = 'date,type,amount,unit,fee,counterparty,hash,status,message\r\n';
const MAX_SYMBOL = 12;
/** The last second that JavaScript's dates can represent; the first is its negative. */
const LAST_SECOND = 8_640_000_000_000n;
/** The places where a spreadsheet formula could begin. Its first character may be of half or full width. */
const FORMULA = /(?:^|[,;|\t\r\n])\s*(?=[=+@＝＋＠－-])/g;

/** Formats Unix seconds in ISO 8601 and UTC. If JavaScript cannot represent the date, returns the number. */
export function formatUtc(seconds: bigint): string {
  return seconds > LAST_SECOND || seconds < -LAST_SECOND
    ? `${seconds}`
    : new Date(Number(seconds) * 1000).toISOString();
}

/**
 * Formats movements as CSV (RFC 4180), one row each, with the columns date (ISO 8601, of the block), type (the
 * movement's kind), amount (signed), unit, fee (in ZBC, not included in the amount), counterparty, hash (of
 * the transaction), status and message. Movements that are in no block, and those that change no balance, are
 * omitted. Numbers are ASCII digits with a point, without a unit. An amount of a token that is not in `tokens`
 * is in atomic units, and an amount that is not known is empty. In texts, `'` precedes each character with
 * which a spreadsheet would begin a formula.
 */
export function formatCsv(movements: readonly AccountMovement[], tokens: readonly Token[]): string {
  const shown = movements.filter(
    ({ height, amount, fee }) => height !== undefined && (amount !== 0n || fee !== 0n),
  );
  return COLUMNS + shown.map(movement => formatRow(movement, tokens)).join('');
}

function formatRow(movement: AccountMovement, tokens: readonly Token[]): string {
  const { kind, tokenId, amount, fee, counterparty = '', transactionHash, status, timestamp } = movement;
  const token = tokens.find(({ id }) => id === tokenId);
  const message = movement.transaction?.message;
  const cells = [
    timestamp === undefined ? '' : formatUtc(timestamp),
    formatCell(kind),
    amount === undefined
      ? ''
      : tokenId === 0n
        ? formatCoins(amount)
        : formatUnits(amount, token?.decimals ?? 0),
    amount === undefined ? '' : formatCell(formatUnit(tokenId, token)),
    formatCoins(fee),
    formatCell(counterparty),
    transactionHash === undefined ? '' : toHex(transactionHash),
    status,
    formatCell(message === undefined || message.length === 0 ? '' : formatText(message)),
  ];
  return `${cells.join(',')}\r\n`;
}

function formatUnit(tokenId: bigint, token: Token | undefined): string {
  if (tokenId === 0n) return 'ZBC';
  if (token === undefined) return `atomic units of token ${tokenId}`;
  const symbol = cleanText(token.symbol ?? '', MAX_SYMBOL);
  return symbol === '' ? `token ${tokenId}` : `${symbol} (token ${tokenId})`;
}

/**
 * Quotes a text. Inserts `'` where a spreadsheet would read a formula: at the start of a cell, and after each
 * character that some spreadsheet, in some language, reads as the end of a cell even inside quotes.
 */
function formatCell(text: string): string {
  return `"${text.replaceAll(FORMULA, "$&'").replaceAll('"', '""')}"`;
}
