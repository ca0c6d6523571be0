import { SEND_ZBC } from '@zbc-signer/protocol/transaction-types';
import { formatAccount } from '../account.js';
import { formatCoinAmount } from '../amount.js';
import type { TransactionFormat } from './transaction-format.js';

/** The body of a transfer of coins; `amount` is in atomic units, at most 2^64 - 1. */
export interface SendZbcBody {
  type: typeof SEND_ZBC;
  amount: bigint;
}

export const sendZbc: TransactionFormat<SendZbcBody> = {
  shownName: 'Send ZBC',
  isPayment: true,
  bodyLengths: [8],

  read(reader) {
    return { type: SEND_ZBC, amount: reader.u64() };
  },

  write(writer, { amount }) {
    writer.u64(amount);
  },

  fields({ amount }) {
    const text = `${formatCoinAmount(amount)} (${amount} atomic units)`;
    return [{ key: 'amount', value: amount, name: 'Amount', text }];
  },

  coinsLeaving({ amount, fee }) {
    return amount + fee;
  },

  itemsBeforeMessage({ amount, recipient, fee }) {
    return [
      ['Amount', formatCoinAmount(amount)],
      ['Recipient', formatAccount(recipient)],
      ['Fee', formatCoinAmount(fee)],
      ['Total leaving', formatCoinAmount(amount + fee)],
    ];
  },

  itemsAfterEscrow() {
    return [];
  },

  itemsInEscrow({ amount }) {
    return [['Escrow amount', formatCoinAmount(amount)]];
  },
};
