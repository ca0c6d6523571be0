import type { Module } from '../fault.js';

/** The development network's node. */
export const devnet: Module = {
  name: 'devnet',
  guards: 'docs/gateway/routes.md#validation-order',
  guardsByFile: {
    'ledger/apply.ts': 'docs/gateway/routes.md#balance-movements',
  },
  directory: 'devnet/src/node',
  tests: ['devnet/node/transaction/broadcast'],
  faults: [
    {
      name: 'takes any signature',
      file: 'transaction/signed-transaction.ts',
      find: 'if (!isZbcAccount(sender) || !verify(signature, digest, sender.subarray(KIND_BYTES))) {',
      replace: 'if (!isZbcAccount(sender)) {',
    },
    {
      name: 'takes a signature for another chain',
      file: 'transaction/signed-transaction.ts',
      find: 'signingDigest(genesisHash, unsigned)',
      replace: 'signingDigest(new Uint8Array(32), unsigned)',
    },
    {
      name: 'takes version 2',
      file: 'ledger/rules.ts',
      find: 'if (broadcast.version !== 1n)',
      replace: 'if (broadcast.version > 2n)',
    },
    {
      name: 'takes a fee below the minimum',
      file: 'ledger/rules.ts',
      find: 'if (broadcast.fee < minimum) {',
      replace: 'if (broadcast.fee < minimum - 1n) {',
    },
    {
      name: 'takes a transaction a second too old',
      file: 'ledger/rules.ts',
      find: 'if (age > WINDOW_SECONDS ||',
      replace: 'if (age > WINDOW_SECONDS + 1n ||',
    },
    {
      name: 'takes a transaction from the far future',
      file: 'ledger/rules.ts',
      find: ' || -age > WINDOW_SECONDS',
      replace: '',
    },
    {
      name: 'takes a transaction twice',
      file: 'ledger/mempool.ts',
      find: 'if (store.transactions.get(hash) !== undefined)',
      replace: "if (hash === '')",
    },
    {
      name: 'spends what is spent already',
      file: 'ledger/mempool.ts',
      find: '  reserveCost(store, transaction, operation);\n',
      replace: '',
    },
    {
      name: 'lets anybody decide on an escrow',
      file: 'ledger/rules.ts',
      find: '    checkDecider(store, sender, operation);\n',
      replace: '',
      tests: ['devnet/node/ledger/escrow'],
    },
    {
      name: 'lets an escrow be decided twice',
      file: 'ledger/rules.ts',
      find: 'if (escrow.decision !== undefined) {',
      replace: "if (escrow.decision === '') {",
      tests: ['devnet/node/ledger/escrow'],
    },
    {
      name: 'pays the recipient of a rejected escrow',
      file: 'ledger/escrow.ts',
      find: "credit(store, state === 'approved' ? recipient : sender, tokenId, amount);",
      replace: 'credit(store, recipient, tokenId, amount);',
      tests: ['devnet/node/ledger/escrow'],
    },
    {
      name: 'burns the fees',
      file: 'ledger/apply.ts',
      find: '  credit(store, TREASURY_HEX, COIN, broadcast.fee);\n',
      replace: '',
    },
  ],
};
