import { TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import type { TransactionFormat } from './transaction-format.js';

/** `amount` in atomic units. The body is 16 bytes without `feeInToken`, 17 with it. */
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
};
