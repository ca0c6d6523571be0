import type { Module } from '../fault.js';

/** Faults in the development network's node. */
export const devnet: Module = {
  name: 'devnet',
  guards: 'docs/gateway/routes.md#validation-order',
  guardsBy: {
    'ledger/apply.ts': 'docs/gateway/routes.md#balance-movements',
  },
  directory: 'devnet/src/node',
  tests: ['devnet/node/transaction/broadcast'],
  faults: {
    'transaction/signed-transaction.ts': {
      'accepts any signature': ' || !verify(signature, digest, sender.subarray(KIND_BYTES))',
      'accepts a signature for another chain': ['(genesisHash, unsigned)', '(new Uint8Array(32), unsigned)'],
    },
    'ledger/rules.ts': {
      'accepts version 2': ['if (broadcast.version !== 1n)', 'if (broadcast.version > 2n)'],
      'accepts a fee below the minimum': ['(broadcast.fee < minimum) {', '(broadcast.fee < minimum - 1n) {'],
      'accepts a transaction that is one second too old': ['WINDOW_SECONDS ||', 'WINDOW_SECONDS + 1n ||'],
      'accepts a transaction from the far future': ' || -age > WINDOW_SECONDS',
      'lets anybody decide on an escrow': [
        '    checkDecider(store, sender, operation);\n',
        '',
        'devnet/node/ledger/escrow',
      ],
      'lets an escrow be decided twice': ['!== undefined', "=== ''", 'devnet/node/ledger/escrow'],
    },
    'ledger/mempool.ts': {
      'accepts a transaction twice': ['if (store.transactions.get(hash) !== undefined)', "if (hash === '')"],
      'spends coins that are already spent': '  reserveCost(store, transaction, operation);\n',
    },
    'ledger/escrow.ts': {
      'pays the recipient of a rejected escrow': ["state === 'approved' ? recipient : sender,", 'recipient,'],
    },
    'ledger/apply.ts': {
      'burns the fees': '  credit(store, TREASURY_HEX, COIN, broadcast.fee);\n',
    },
  },
};
