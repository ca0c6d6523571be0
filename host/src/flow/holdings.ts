import { formatCoins, formatUnits, type Transaction } from '@zbc-signer/chain';
import { SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import type { Token } from '../gateway/index.js';
import type { Draft } from './draft.js';
import { insufficientBalanceError, tokenMismatchError, unknownTokenError } from './errors.js';
import { retryRead } from './retry.js';
import type { Run } from './run.js';

/** The sender's spendable amounts in atomic units; `token` only for a token transfer. */
export interface Holdings {
  spendableCoins: bigint;
  token?: Token & { spendable: bigint };
}

/** An account unknown to the chain holds nothing. */
export async function readHoldings(run: Run, draft: Draft, address: string): Promise<Holdings> {
  const account = await retryRead(run, options => run.gateway.account(address, options));
  const spendableCoins = account?.spendable ?? 0n;
  run.report({ step: 'account', address, spendable: spendableCoins });
  return draft.type === TRANSFER_TOKEN
    ? { spendableCoins, token: await readTokenHolding(run, draft.tokenId, address) }
    : { spendableCoins };
}

async function readTokenHolding(run: Run, tokenId: bigint, address: string) {
  const token = await retryRead(run, options => run.gateway.token(tokenId, options));
  if (token?.id !== tokenId) throw unknownTokenError(tokenId);
  const held = await retryRead(run, options => run.gateway.accountTokens(address, options));
  const own = held.find(({ id }) => id === tokenId);
  if (own !== undefined && own.decimals !== token.decimals) {
    throw tokenMismatchError(tokenId, token.decimals, own.decimals);
  }
  const spendable = own?.spendable ?? 0n;
  run.report({ step: 'token', token, spendable });
  return { ...token, spendable };
}

/** Throws `INSUFFICIENT_BALANCE`, before the user is asked, for what the node would refuse. */
export function checkHoldings(transaction: Transaction, { spendableCoins, token }: Holdings): void {
  const coins = coinsNeeded(transaction);
  if (coins > spendableCoins) {
    throw insufficientBalanceError(formatCoins(coins), formatCoins(spendableCoins), 'ZBC');
  }
  if (transaction.type === TRANSFER_TOKEN && token !== undefined && transaction.amount > token.spendable) {
    const [needed, spendable] = [transaction.amount, token.spendable].map(units =>
      formatUnits(units, token.decimals),
    );
    throw insufficientBalanceError(`${needed}`, `${spendable}`, `of token ${token.id}`);
  }
}

/** A fee in the token is taken from the token, at a rate that only the node knows. */
function coinsNeeded(transaction: Transaction): bigint {
  const amount = transaction.type === SEND_ZBC ? transaction.amount : 0n;
  const paysInToken = transaction.type === TRANSFER_TOKEN && transaction.feeInToken === true;
  return amount + (paysInToken ? 0n : transaction.fee) + (transaction.escrow?.commission ?? 0n);
}
