import { TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { formatAccount } from '../account.js';
import { formatCoinAmount, formatUnits } from '../amount.js';
import type { ReviewItem } from '../review-item.js';
import type { TokenDetails, TransactionFormat } from './transaction-format.js';

/** The body of a transfer of a token: 16 bytes, or 17 with `feeInToken`. `amount` is in atomic units. */
export interface TransferTokenBody {
  type: typeof TRANSFER_TOKEN;
  tokenId: bigint;
  amount: bigint;
  feeInToken?: boolean;
}

const LENGTH = 16;
const LENGTH_WITH_FLAG = 17;

export const transferToken: TransactionFormat<TransferTokenBody> = {
  shownName: 'Send token',
  isPayment: true,
  bodyLengths: [LENGTH, LENGTH_WITH_FLAG],

  read(reader, length) {
    const start = reader.offset;
    const tokenId = reader.i64();
    if (tokenId === 0n) reader.refuse('token-id-zero', start);
    const amountStart = reader.offset;
    const amount = reader.i64();
    if (amount < 0n) reader.refuse('token-amount-negative', amountStart);
    const body = { type: TRANSFER_TOKEN, tokenId, amount } as const;
    return length === LENGTH_WITH_FLAG ? { ...body, feeInToken: reader.flag('fee-in-token') } : body;
  },

  write(writer, { tokenId, amount, feeInToken }) {
    writer.i64(tokenId).i64(amount);
    if (feeInToken !== undefined) writer.u8(Number(feeInToken));
  },

  fields({ tokenId, amount, feeInToken }) {
    const flag = { key: 'fee_in_token', name: 'Fee in token', text: feeInToken ? 'yes' : 'no' };
    return [
      { key: 'token_id', value: `${tokenId}`, name: 'Token', text: `${tokenId}` },
      { key: 'amount', value: amount, name: 'Token amount', text: formatAtomicUnits(amount) },
      ...(feeInToken === undefined ? [] : [{ ...flag, value: feeInToken }]),
    ];
  },

  /** A fee in the token costs no coins. Only the node knows the rate at which it converts the fee. */
  coinsLeaving({ fee, feeInToken }) {
    return feeInToken === true ? 0n : fee;
  },

  itemsBeforeMessage({ recipient, fee }) {
    return [
      ['Recipient', formatAccount(recipient)],
      ['Fee', formatCoinAmount(fee)],
    ];
  },

  itemsAfterEscrow({ tokenId, amount, feeInToken }, token) {
    const isReported = token.decimals !== undefined || token.symbol !== undefined;
    return [
      ['Token', `${tokenId}`],
      ['Token amount', formatAtomicUnits(amount)],
      ...(isReported ? [['As reported by the app', reportedAmount(amount, token)] satisfies ReviewItem] : []),
      ...(feeInToken === undefined ? [] : [['Fee in token', feeInToken ? 'Yes' : 'No'] satisfies ReviewItem]),
    ];
  },

  itemsInEscrow({ tokenId, amount }) {
    return [
      ['Escrow token', `${tokenId}`],
      ['Escrow token amount', formatAtomicUnits(amount)],
    ];
  },
};

function reportedAmount(amount: bigint, { decimals, symbol }: TokenDetails): string {
  const scaled = decimals === undefined ? formatAtomicUnits(amount) : formatUnits(amount, decimals);
  return symbol === undefined ? scaled : `${scaled} ${symbol}`;
}

function formatAtomicUnits(amount: bigint): string {
  return `${amount} atomic units`;
}
