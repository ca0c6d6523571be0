import { FEE_IN_TOKEN_ABSENT, Transaction } from '../transaction/transaction';
import { putCharacters, putDecimal, putScaled, putSignedDecimal, putText } from './format';
import { Items } from './items';
import { TokenHint } from './token-hint';

/** The items of a token transfer that come last: what the bytes say, then what only the host says. */
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

/** Token amounts are never scaled by the signer: it cannot know the decimals. */
export function putTokenAmount(items: Items, amount: u64): void {
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
