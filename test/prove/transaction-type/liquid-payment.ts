// The changes for a fourth type: LiquidPayment of the chain, whose duration in minutes the user sees.

/**
 * An edit with pairs of texts changes an existing file: the first text of a pair occurs once in it, and is
 * replaced by the second. An edit with a single text creates the file.
 */
export type Edit =
  | readonly [file: string, text: string]
  | readonly [file: string, ...(readonly [string, string])[]];

export const LIQUID_PAYMENT: readonly Edit[] = [
  [
    'protocol/src/transaction-types.ts',
    [
      '/** A transfer of a token. */',
      `/** A payment that flows to its recipient over time. */
export const LIQUID_PAYMENT = 6;
/** A transfer of a token. */`,
    ],
  ],
  [
    'firmware/assembly/transaction/types/liquid-payment.ts',
    `import { Cursor } from '../cursor';
import { Transaction } from '../transaction';

export const LIQUID_PAYMENT_BODY = 16;

/** Body of type 6: amount u64, minutes u64. */
export function parseLiquidPaymentBody(cursor: Cursor, transaction: Transaction): void {
  transaction.amount = cursor.u64();
  transaction.minutes = cursor.u64();
}
`,
  ],
  [
    'firmware/assembly/transaction/body.ts',
    ['import { APPROVAL_ESCROW, SEND_ZBC,', 'import { APPROVAL_ESCROW, LIQUID_PAYMENT, SEND_ZBC,'],
    [
      `import { parseSendZbcBody`,
      `import { LIQUID_PAYMENT_BODY, parseLiquidPaymentBody } from './types/liquid-payment';
import { parseSendZbcBody`,
    ],
    ['TYPE_COUNT = 3', 'TYPE_COUNT = 4'],
    [
      'if (index === 2) return TRANSFER_TOKEN;',
      'if (index === 2) return LIQUID_PAYMENT;\n  if (index === 3) return TRANSFER_TOKEN;',
    ],
    [
      '    case TRANSFER_TOKEN:\n',
      '    case LIQUID_PAYMENT:\n      return length === LIQUID_PAYMENT_BODY;\n    case TRANSFER_TOKEN:\n',
    ],
    [
      '  else if (transaction.type === TRANSFER_TOKEN)',
      '  else if (transaction.type === LIQUID_PAYMENT) parseLiquidPaymentBody(cursor, transaction);\n' +
        '  else if (transaction.type === TRANSFER_TOKEN)',
    ],
  ],
  [
    'firmware/assembly/transaction/transaction.ts',
    ['  tokenId: i64;\n', '  tokenId: i64;\n  minutes: u64;\n'],
  ],
  [
    'firmware/assembly/review/liquid-payment.ts',
    `import { Transaction } from '../transaction/transaction';
import { putDecimal, putText } from './format';
import { Items } from './items';

/** Describes the duration of the payment. */
export function describeMinutes(items: Items, transaction: Transaction): void {
  items.begin('Paid within');
  putDecimal(items, transaction.minutes);
  putText(items, ' minutes');
}
`,
  ],
  [
    'firmware/assembly/review/describe.ts',
    ['import { APPROVAL_ESCROW, SEND_ZBC,', 'import { APPROVAL_ESCROW, LIQUID_PAYMENT, SEND_ZBC,'],
    [
      `import { describeText } from './message';`,
      `import { describeMinutes } from './liquid-payment';
import { describeText } from './message';`,
    ],
    [
      '    case TRANSFER_TOKEN:\n',
      "    case LIQUID_PAYMENT:\n      return 'Liquid payment';\n    case TRANSFER_TOKEN:\n",
    ],
    [
      '  if (transaction.type === SEND_ZBC) describeSendZbc(items, transaction);',
      `  if (transaction.type === SEND_ZBC || transaction.type === LIQUID_PAYMENT)
    describeSendZbc(items, transaction);`,
    ],
    [
      '  } else if (transaction.type === APPROVAL_ESCROW) {',
      `  } else if (transaction.type === LIQUID_PAYMENT) {
    describeMinutes(items, transaction);
  } else if (transaction.type === APPROVAL_ESCROW) {`,
    ],
    [
      'if (linked.type === SEND_ZBC) describeEscrowedCoins',
      'if (linked.type === SEND_ZBC || linked.type === LIQUID_PAYMENT) describeEscrowedCoins',
    ],
  ],
  [
    'chain/src/types/liquid-payment.ts',
    `import { LIQUID_PAYMENT } from '@zbc-signer/protocol/transaction-types';
import { formatAccount } from '../account.js';
import { formatCoinAmount } from '../amount.js';
import type { TransactionFormat } from './transaction-format.js';

export interface LiquidPaymentBody {
  type: typeof LIQUID_PAYMENT;
  amount: bigint;
  minutes: bigint;
}

export const liquidPayment: TransactionFormat<LiquidPaymentBody> = {
  shownName: 'Liquid payment',
  isPayment: true,
  bodyLengths: [16],
  read(reader) {
    return { type: LIQUID_PAYMENT, amount: reader.u64(), minutes: reader.u64() };
  },
  write(writer, { amount, minutes }) {
    writer.u64(amount).u64(minutes);
  },
  fields({ amount, minutes }) {
    return [
      { key: 'amount', value: amount, name: 'Amount', text: formatCoinAmount(amount) },
      { key: 'minutes', value: minutes, name: 'Paid within', text: \`\${minutes} minutes\` },
    ];
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
  itemsAfterEscrow({ minutes }) {
    return [['Paid within', \`\${minutes} minutes\`]];
  },
  itemsInEscrow({ amount }) {
    return [['Escrow amount', formatCoinAmount(amount)]];
  },
};
`,
  ],
  [
    'chain/src/transaction.ts',
    ['import { APPROVAL_ESCROW, SEND_ZBC,', 'import { APPROVAL_ESCROW, LIQUID_PAYMENT, SEND_ZBC,'],
    [
      'import { type SendZbcBody,',
      "import { type LiquidPaymentBody, liquidPayment } from './types/liquid-payment.js';\nimport { type SendZbcBody,",
    ],
    ['= SendZbcBody | TransferTokenBody', '= SendZbcBody | LiquidPaymentBody | TransferTokenBody'],
    [
      '  [TRANSFER_TOKEN]: transferToken,',
      '  [LIQUID_PAYMENT]: liquidPayment,\n  [TRANSFER_TOKEN]: transferToken,',
    ],
  ],
  [
    'host/src/flow/draft/draft.ts',
    ['import type { APPROVAL_ESCROW, SEND_ZBC,', 'import type { APPROVAL_ESCROW, LIQUID_PAYMENT, SEND_ZBC,'],
    [
      '/** A transfer of a token;',
      `export interface LiquidDraft extends DraftBase {
  type: typeof LIQUID_PAYMENT;
  recipient: Account;
  amount: bigint;
  minutes: bigint;
}

/** A transfer of a token;`,
    ],
    ['Draft = SendDraft |', 'Draft = SendDraft | LiquidDraft |'],
  ],
  [
    'host/src/flow/input.ts',
    ['import { APPROVAL_ESCROW, SEND_ZBC,', 'import { APPROVAL_ESCROW, LIQUID_PAYMENT, SEND_ZBC,'],
    [
      '  [SEND_ZBC, [SEND, HELD]],',
      '  [SEND_ZBC, [SEND, HELD]],\n  [LIQUID_PAYMENT, [{ ...SEND, minutes: ATOMS }, HELD]],',
    ],
  ],
  [
    'host/src/gateway/records/transaction.ts',
    ['import { APPROVAL_ESCROW, SEND_ZBC,', 'import { APPROVAL_ESCROW, LIQUID_PAYMENT, SEND_ZBC,'],
    [
      '  if (type === TRANSFER_TOKEN &&',
      `  if (type === LIQUID_PAYMENT && body.length === 16)
    return { kind: 'coins', amount: view.getBigUint64(0, true) };
  if (type === TRANSFER_TOKEN &&`,
    ],
  ],
  [
    'devnet/src/node/transaction/operation.ts',
    ['import { APPROVAL_ESCROW, SEND_ZBC,', 'import { APPROVAL_ESCROW, LIQUID_PAYMENT, SEND_ZBC,'],
    ['    case SEND_ZBC:\n', '    case SEND_ZBC:\n    case LIQUID_PAYMENT:\n'],
  ],
  [
    'cli/src/commands/payment.ts',
    ['import { SEND_ZBC }', 'import { LIQUID_PAYMENT, SEND_ZBC }'],
    [
      'export const commands = {',
      `const liquidPayment = defineCommand({
  options: {
    to: { demandOption: true, describe: 'recipient: a ZBC_ address or an account in hex' },
    amount: { demandOption: true, describe: 'coins to send, such as 1.5' },
    minutes: { demandOption: true, describe: 'for how long it flows' },
    ...SENDING_OPTIONS,
    ...ESCROW_OPTIONS,
    ...DEVICE_OPTIONS,
    ...GATEWAY_OPTIONS,
  },
  examples: [],

  async run(options, terminal) {
    const makeDraft = async (findContacts: FindContacts) =>
      ({
        type: LIQUID_PAYMENT,
        recipient: await parseRecipient(options.to, findContacts),
        amount: parseCoinsOption('--amount', options.amount),
        minutes: BigInt(options.minutes),
        escrow: await parseEscrow(options, findContacts),
        ...parseDraftBase(options),
      }) as const;
    return sendFromDevice(makeDraft, options, terminal);
  },
});

export const commands = {
  'liquid-payment': liquidPayment,`,
    ],
  ],
  [
    'cli/src/commands.ts',
    [
      "      row('send-token', 'Send a token, approved on the device', payment),\n",
      `      row('send-token', 'Send a token, approved on the device', payment),
      row('liquid-payment', 'Send coins over time, approved on the device', payment),
`,
    ],
  ],
];
