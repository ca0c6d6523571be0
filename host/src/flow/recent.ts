import { encodeAccount, formatAccount, KIND_ZBC, type Transaction, toHex } from '@zbc-signer/chain';
import { GatewayMalformedError, GatewayStatusError } from '../gateway/errors.js';
import type { ListedTransaction } from '../gateway/index.js';
import { retryRead } from './retry.js';
import type { GatewayStep } from './step.js';

/** The most that a gateway lists at once. */
const MAX_LISTED = 100;

/**
 * Timestamps of the sender's recent transactions of this type to this recipient, which another process may
 * have sent. Empty for a gateway without the list.
 */
export async function recentTimestamps(step: GatewayStep, transaction: Transaction): Promise<Set<bigint>> {
  const sender = nameOf(transaction.sender);
  const recipient = nameOf(transaction.recipient);
  const isSimilar = (listed: ListedTransaction) =>
    listed.type === transaction.type &&
    listed.sender === sender &&
    (listed.recipient === undefined || listed.recipient === recipient);
  const recent = await listRecent(step);
  return new Set(recent.filter(isSimilar).map(({ timestamp }) => timestamp));
}

async function listRecent(step: GatewayStep): Promise<ListedTransaction[]> {
  try {
    return await retryRead(step, options => step.gateway.recentTransactions(MAX_LISTED, options));
  } catch (error) {
    if (error instanceof GatewayStatusError || error instanceof GatewayMalformedError) return [];
    throw error;
  }
}

/** As ListedTransaction names accounts. */
function nameOf(account: Transaction['sender']): string {
  return account.kind === KIND_ZBC ? formatAccount(account) : toHex(encodeAccount(account));
}
