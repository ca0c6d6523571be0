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
  testsBy: {
    'ledger/escrow.ts': ['devnet/node/ledger/escrow'],
  },
  faults: {
    'transaction/signed-transaction.ts': {
      'accepts any signature': [
        'if (!isZbcAccount(sender) || !verify(signature, digest, sender.subarray(KIND_BYTES))) {',
        'if (!isZbcAccount(sender)) {',
      ],
      'accepts a signature for another chain': [
        'signingDigest(genesisHash, unsigned)',
        'signingDigest(new Uint8Array(32), unsigned)',
      ],
    },
    'ledger/rules.ts': {
      'accepts version 2': ['if (broadcast.version !== 1n)', 'if (broadcast.version > 2n)'],
      'accepts a fee below the minimum': [
        'if (broadcast.fee < minimum) {',
        'if (broadcast.fee < minimum - 1n) {',
      ],
      'accepts a transaction that is one second too old': [
        'if (age > WINDOW_SECONDS ||',
        'if (age > WINDOW_SECONDS + 1n ||',
      ],
      'accepts a transaction from the far future': [' || -age > WINDOW_SECONDS', ''],
      'lets anybody decide on an escrow': [
        '    checkDecider(store, sender, operation);\n',
        '',
        'devnet/node/ledger/escrow',
      ],
      'lets an escrow be decided twice': [
        'if (escrow.decision !== undefined) {',
        "if (escrow.decision === '') {",
        'devnet/node/ledger/escrow',
      ],
    },
    'ledger/mempool.ts': {
      'accepts a transaction twice': ['if (store.transactions.get(hash) !== undefined)', "if (hash === '')"],
      'spends coins that are already spent': ['  reserveCost(store, transaction, operation);\n', ''],
    },
    'ledger/escrow.ts': {
      'pays the recipient of a rejected escrow': [
        "credit(store, state === 'approved' ? recipient : sender, tokenId, amount);",
        'credit(store, recipient, tokenId, amount);',
      ],
    },
    'ledger/apply.ts': {
      'burns the fees': ['  credit(store, TREASURY_HEX, COIN, broadcast.fee);\n', ''],
    },
  },
};
