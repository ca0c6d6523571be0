import { FEE_IN_TOKEN_ABSENT, Transaction } from '../transaction/transaction';
import { putCharacters, putDecimal, putScaled, putSignedDecimal, putText } from './format';
import { Items } from './items';
import { TokenHint } from './token-hint';

/** Adds the items of the token: first those from the signed bytes, then the item of the host's details. */
export function describeToken(items: Items, transaction: Transaction, hint: TokenHint): void {
  items.begin('Token');
  putSignedDecimal(items, transaction.tokenId);
  items.begin('Token amount');
  putTokenAmount(items, transaction.amount);
  if (hint.hasDecimals || hint.symbolLength !== 0) describeHint(items, transaction.amount, hint);
  if (transaction.feeInToken === FEE_IN_TOKEN_ABSENT) return;
  items.begin('Fee in token');
  putText(items, transaction.feeInToken === 1 ? 'Yes' : 'No');
}

/** Adds the items of the tokens that an escrow holds. */
export function describeEscrowedToken(items: Items, linked: Transaction): void {
  items.begin('Escrow token');
  putSignedDecimal(items, linked.tokenId);
  items.begin('Escrow token amount');
  putTokenAmount(items, linked.amount);
}

/**
 * Appends a token amount in atomic units. The signer cannot verify a token's decimals, so it does not scale.
 */
function putTokenAmount(items: Items, amount: u64): void {
  putDecimal(items, amount);
  putText(items, ' atomic units');
}

function describeHint(items: Items, amount: u64, hint: TokenHint): void {
  items.begin('As reported by the app');
  if (hint.hasDecimals) putScaled(items, amount, hint.decimals);
  else putTokenAmount(items, amount);
  if (hint.symbolLength === 0) return;
  putText(items, ' ');
  putCharacters(items, hint.symbol, hint.symbolLength);
}
