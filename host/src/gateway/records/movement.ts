import type { Answer } from '../answer.js';

/**
 * A change that the chain itself made to an account. `kind` is `reward`, `unlock`, `refund` or another text;
 * `amount` is in atomic units. Token 0 is the coin.
 */
export interface Movement {
  kind: string;
  account: string;
  tokenId: bigint;
  amount: bigint;
  blockHeight?: bigint | undefined;
  timestamp?: bigint | undefined;
  /** Hash of the originating transaction, 32 bytes. */
  transactionHash?: Uint8Array | undefined;
}

export function readMovement(answer: Answer): Movement {
  return {
    kind: answer.text('kind'),
    account: answer.holder(answer.has('address') ? 'address' : 'account_hex'),
    tokenId: answer.has('token_id') ? answer.integer('token_id') : 0n,
    amount: answer.integer('amount'),
    blockHeight: answer.optional('block_height', 'amount'),
    timestamp: answer.optional('timestamp', 'amount'),
    transactionHash: answer.optional('transaction_hash', 'hash'),
  };
}
