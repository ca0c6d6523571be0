import type { Module } from '../fault.js';

/** The development network's node: docs/gateway/routes.md#errors, docs/gateway/routes.md#validation-order. */
export const devnet: Module = {
  name: 'devnet',
  directory: 'devnet/src/node',
  tests: ['devnet/node/broadcast'],
  faults: [
    {
      name: 'takes any signature',
      file: 'signed-transaction.ts',
      find: 'if (!isZbcAccount(sender) || !verify(signature, digest, sender.subarray(KIND_BYTES))) {',
      replace: 'if (!isZbcAccount(sender)) {',
    },
    {
      name: 'takes a signature for another chain',
      file: 'signed-transaction.ts',
      find: 'signingDigest(genesisHash, unsigned)',
      replace: 'signingDigest(new Uint8Array(32), unsigned)',
    },
    {
      name: 'takes version 2',
      file: 'rules.ts',
      find: 'if (broadcast.version !== 1n)',
      replace: 'if (broadcast.version > 2n)',
    },
    {
      name: 'takes a fee below the minimum',
      file: 'rules.ts',
      find: 'if (broadcast.fee < minimum) {',
      replace: 'if (broadcast.fee < minimum - 1n) {',
    },
    {
      name: 'takes a transaction a second too old',
      file: 'rules.ts',
      find: 'if (age > WINDOW_SECONDS ||',
      replace: 'if (age > WINDOW_SECONDS + 1n ||',
    },
    {
      name: 'takes a transaction from the far future',
      file: 'rules.ts',
      find: ' || -age > WINDOW_SECONDS',
      replace: '',
    },
    {
      name: 'takes a transaction twice',
      file: 'mempool.ts',
      find: 'if (store.transactions.get(hash) !== undefined)',
      replace: "if (hash === '')",
    },
    {
      name: 'spends what is spent already',
      file: 'mempool.ts',
      find: '  reserveCost(store, transaction, operation);\n',
      replace: '',
    },
    {
      name: 'lets anybody decide on an escrow',
      file: 'rules.ts',
      find: '    checkDecider(store, sender, operation);\n',
      replace: '',
      tests: ['devnet/node/escrow'],
    },
    {
      name: 'lets an escrow be decided twice',
      file: 'rules.ts',
      find: 'if (escrow.decision !== undefined) {',
      replace: "if (escrow.decision === '') {",
      tests: ['devnet/node/escrow'],
    },
    {
      name: 'pays the recipient of a rejected escrow',
      file: 'escrow.ts',
      find: "credit(store, state === 'approved' ? recipient : sender, tokenId, amount);",
      replace: 'credit(store, recipient, tokenId, amount);',
      tests: ['devnet/node/escrow'],
    },
    {
      name: 'burns the fees',
      file: 'apply.ts',
      find: '  credit(store, TREASURY_HEX, COIN, broadcast.fee);\n',
      replace: '',
    },
  ],
};
