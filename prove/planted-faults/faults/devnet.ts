import type { Module } from '../fault.js';

/** Faults in the development network's node. */
export const devnet: Module = {
  name: 'devnet',
  guards: 'docs/gateway/routes.md#validation-order',
  guardsBy: {
    'node/ledger/apply.ts': 'docs/gateway/routes.md#balance-movements',
    'node/ledger/escrow.ts': 'docs/TRANSACTION.md#escrow-block',
    'node/transaction/cost.ts': 'docs/gateway/routes.md#fee-estimate',
    'holds a commission that nobody paid': 'docs/gateway/routes.md#balance-movements',
    'node/chain/block.ts': 'docs/gateway/routes.md#blocks',
    'node/chain/produce.ts': 'docs/gateway/routes.md#blocks',
    'node/chain/state-check.ts': 'docs/gateway/devnet.md#storage',
    'node/chain/development-chain.ts': 'docs/gateway/devnet.md#storage',
    'node/full-node.ts': 'docs/gateway/devnet.md#storage',
    'node/store/signed-table.ts': 'docs/gateway/devnet.md#storage',
    'archival/archival-chain.ts': 'docs/gateway/devnet.md#the-chain',
    'archival/followed-block.ts': 'docs/gateway/devnet.md#the-chain',
    'archival/follower.ts': 'docs/gateway/devnet.md#the-chain',
  },
  directory: 'devnet/src',
  tests: ['devnet/node/transaction/broadcast'],
  testsBy: {
    'node/ledger/escrow.ts': ['devnet/node/ledger/escrow'],
    'node/transaction/operation.ts': ['devnet/node/transaction/broadcast', 'devnet/node/ledger/escrow'],
    'node/transaction/cost.ts': ['devnet/node/ledger/escrow', 'devnet/node/transaction/fees'],
    'node/chain/block.ts': ['devnet/node/routes/blocks', 'devnet/archival/refusal'],
    'node/chain/produce.ts': ['devnet/node/routes/blocks', 'devnet/node/transaction/broadcast'],
    'node/store/signed-table.ts': ['devnet/node/store/signed-table'],
    'node/chain/state-check.ts': ['devnet/node/data-directory'],
    'node/chain/development-chain.ts': ['devnet/node/data-directory'],
    'node/full-node.ts': ['devnet/node/data-directory'],
    'archival/archival-chain.ts': ['devnet/archival/refusal'],
    'archival/followed-block.ts': ['devnet/archival/refusal'],
    'archival/follower.ts': ['devnet/archival/follower'],
  },
  faults: {
    'node/transaction/signed-transaction.ts': {
      'accepts any signature': ' || !verify(signature, digest, sender.subarray(KIND_BYTES))',
      'accepts a signature for another chain': ['(genesisHash, unsigned)', '(new Uint8Array(32), unsigned)'],
    },
    'node/ledger/rules.ts': {
      'lets an escrow be decided after its timeout': [
        "  if (timestamp > escrow.timeout) throw new ValidationError('escrow has expired');\n",
        '',
        'devnet/node/ledger/escrow',
      ],
      'lets an escrow be decided twice before the next block': [
        'if (escrow.decision !== undefined) {',
        "if (escrow.decision === '') {",
        'devnet/node/ledger/escrow',
      ],
      'spends tokens that the account does not have': [
        '  if (amount > available) {',
        '  if (amount > available * 2n) {',
      ],
      'accepts a token that does not exist': [
        'if (findToken(tokenId) === undefined) throw',
        'if (tokenId === undefined) throw',
      ],
      'accepts a message that no signer signs': [
        'broadcast.message.length > MAX_MESSAGE',
        'broadcast.message.length > 9 * MAX_MESSAGE',
      ],
      'accepts a payment of an account that has no coin': [
        "  if (!accountExists(store, sender)) throw new ValidationError('sender account does not exist');\n",
        '',
      ],
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
    'node/ledger/mempool.ts': {
      'answers a duplicate as a new transaction': [
        'return { hash, duplicate: true };',
        'return { hash, duplicate: false };',
      ],
      'accepts a transaction twice': ['if (store.transactions.get(hash) !== undefined)', "if (hash === '')"],
      'spends coins that are already spent': '  reserveCost(store, transaction, operation);\n',
    },
    'node/ledger/escrow.ts': {
      'pays the commission to the sender of an approved escrow': [
        "credit(store, state === 'approved' ? approver : sender, COIN, commission);",
        'credit(store, sender, COIN, commission);',
      ],
      'keeps the commission of an escrow for ever': [
        '  hold(store, escrow.sender, COIN, escrow.commission);\n',
        '',
      ],
      'lets an escrow expire that is decided': [
        '.filter(hash => store.escrows.get(hash)?.decision === undefined)',
        '',
      ],
      'lets an escrow expire a block too early': [
        'escrow.timeout >= at.timestamp',
        'escrow.timeout > at.timestamp',
        'devnet/archival/refusal',
      ],
      'never returns the coins of an escrow': ["{ end: deadlineKey(timestamp, '') }", "{ end: '' }"],
      'pays the recipient of a rejected escrow': ["state === 'approved' ? recipient : sender,", 'recipient,'],
    },
    'node/ledger/apply.ts': {
      'burns the fees': '  credit(store, TREASURY_HEX, COIN, broadcast.fee);\n',
    },
    'node/transaction/operation.ts': {
      'approves an escrow with the decision 256': [
        'const approval = viewOf(body).getUint32(0, true);',
        'const approval = viewOf(body).getUint8(0);',
      ],
      'takes the fee in coins for a transaction that pays it in the token': [
        'if ((body[TRANSFER_BODY] ?? 0) !== 0) {',
        'if ((body[TRANSFER_BODY] ?? 0) > 1) {',
      ],
      'sends coins as token 0': ['  if (tokenId === COIN) {', '  if (tokenId > 1n << 62n) {'],
      'takes tokens away from a recipient': ['if (amount < 0n) throw', 'if (amount < -(1n << 62n)) throw'],
      'lets a decision carry an escrow of its own': ['if (escrow) throw', 'if (escrow === null) throw'],
      'pays nobody': [
        'if (decodeKind(recipient) === KIND_NONE) throw',
        'if (decodeKind(recipient) < 0) throw',
      ],
      'reads an approver that shifts the fields after it': [
        'if (!hasKeySizedPayload(decodeKind(approver))) {',
        'if (decodeKind(approver) === KIND_NONE) {',
      ],
      'reads a transfer from a body that is cut short': ['body.length >= SEND_BODY', 'body.length > 0'],
    },
    'node/transaction/cost.ts': {
      'holds a commission that nobody paid': [' + (broadcast.escrow?.commission ?? 0n)', ''],
      'charges no rent for a long body': [' + charged * RENT_ATOMS_PER_BODY_BYTE', ''],
      'charges rent for every byte': [
        'bodyLength > RENT_FREE_BODY_BYTES ? bodyLength - RENT_FREE_BODY_BYTES : 0n',
        'bodyLength',
      ],
      'asks for the same fee on a network with a higher one': ['BASE_FEE_ATOMS * feeScale', 'BASE_FEE_ATOMS'],
    },
    'node/transaction/fields.ts': {
      'reads a timestamp that its field cannot hold': [' || value > max)', ')'],
      'reads half of a byte': ['!/^([0-9a-f]{2})*$/i.test(value)', '!/^[0-9a-f]*$/i.test(value)'],
    },
    'node/ledger/ledger.ts': {
      'lets an account spend what it has reserved': ['return balance - pending;', 'return balance;'],
    },
    'node/chain/block.ts': {
      'leaves the expired escrows out of the hash of a block': [
        'for (const hashes of [transactions, expired]) {',
        'for (const hashes of [transactions, []]) {',
      ],
      'leaves the previous block out of the hash of a block': ['.bytes(fromHex(previousHash))', ''],
    },
    'node/chain/produce.ts': {
      'makes a block before the one that it follows': [
        'timestamp > previous.timestamp ? timestamp : previous.timestamp',
        'timestamp',
      ],
      'confirms a transaction before a wallet sees it in the mempool': [
        "store.transactions.get(hash)?.stage === 'mempool'",
        'store.transactions.get(hash) !== undefined',
      ],
    },
    'node/store/signed-table.ts': {
      'serves a transaction that was altered on the disk': [" || hashOf('sha3-256', bytes) !== hash", ''],
    },
    'node/chain/state-check.ts': {
      'opens a ledger whose balances do not add up': ['...checkSupplies(store), ', ''],
    },
    'node/chain/development-chain.ts': {
      'serves the chain of another network under the name of the devnet': [
        'if (namedChain && genesisHash !== DEVNET_GENESIS_HASH) {',
        "if (namedChain && genesisHash === '') {",
      ],
    },
    'node/full-node.ts': {
      'reports a failure that persists at every block': [
        'if (error.message !== lastFault) onError(error);',
        'onError(error);',
      ],
    },
    'archival/archival-chain.ts': {
      'takes a block that follows another one': [
        'if (block.previousHash !== previous.hash) {',
        'if (block.previousHash.length !== previous.hash.length) {',
      ],
      'takes a block that skips one': [
        'block.height !== previous.height + 1n',
        'block.height < previous.height + 1n',
      ],
      'takes a block that was made before the one before': [
        'block.timestamp < previous.timestamp',
        'block.timestamp < 0n',
      ],
      'takes a block whose hash is not that of its content': [
        'if (made.hash !== block.hash)',
        'if (made.hash.length !== block.hash.length)',
      ],
      'takes a transaction twice': [
        "transaction, 'mempool').duplicate) {",
        "transaction, 'mempool').hash === '') {",
      ],
    },
    'archival/followed-block.ts': {
      'takes a transaction under the hash of another one': [
        'if (transaction.hash !== block.transactions[at]) {',
        'if (block.transactions[at] === undefined) {',
      ],
    },
    'archival/follower.ts': {
      'follows a node of another chain': [
        'if (genesisHash !== this.#chain.store.genesisHash) {',
        "if (genesisHash === '') {",
      ],
      'follows a node that has replaced a block': [
        'if (same?.block.hash !== newest.hash) {',
        'if (same === undefined) {',
      ],
    },
  },
};

/** Faults of a node whose disk is full. */
export const fullDisk: Module = {
  name: 'full disk',
  guards: 'docs/gateway/devnet.md#storage',
  directory: 'devnet/src',
  elsewhere: 'make stress: only root may mount the small file systems of the test; .ci/run runs it.',
  tests: ['stress/full-disk'],
  faults: {
    'node/store/store.ts': {
      'writes to a full disk': ['    requireRoom(this.#directory);\n    return', '    return'],
      'opens a store on a full disk': ['    requireRoom(directory);\n    // Without', '    // Without'],
    },
    'node/store/owner.ts': {
      'does not stop in order while the disk is full': [
        'if (!(error instanceof RequestError)) throw error;',
        'throw error;',
      ],
    },
  },
};

/** Faults in what a node writes before it answers, which show when the node is killed. */
export const killedNode: Module = {
  name: 'killed node',
  guards: 'docs/gateway/devnet.md#storage',
  directory: 'devnet/src',
  elsewhere: 'make test-node: the test starts processes; .ci/run runs it.',
  tests: ['devnet/node/durability'],
  faults: {
    'node/chain/development-chain.ts': {
      'answers 202 fifty milliseconds before it writes': [
        "return this.store.write(() => admit(this.store, this.#conditions(), transaction, 'staging'));",
        `const take = () => admit(this.store, this.#conditions(), transaction, 'staging');
      let admission: ReturnType<typeof take> | undefined;
      try {
        this.store.write(() => {
          admission = take();
          throw admission;
        });
      } catch (thrown) {
        if (thrown !== admission) throw thrown;
      }
      setTimeout(() => this.store.write(take), 50);
      return admission!;`,
        'devnet/node/durability',
      ],
    },
    'node/chain/open-store.ts': {
      'forgets unconfirmed transactions at its start': [
        'checkMaker(store, kind);',
        `checkMaker(store, kind);
    store.write(() => {
      for (const { key, value: hash } of store.pending.entries()) {
        store.pending.remove(key);
        store.transactions.remove(hash);
      }
      for (const { key, value } of store.balances.entries()) store.putBalance(key, { ...value, pending: 0n });
    });`,
        'devnet/node/durability',
      ],
    },
    'node/store/store.ts': {
      'writes a block piece by piece': [
        'return this.#environment.transactionSync(change);',
        'return change();',
        'devnet/node/transaction/broadcast',
      ],
    },
    'node/ledger/mempool.ts': {
      'accepts a confirmed transaction again': [
        'if (store.transactions.get(hash) !== undefined)',
        "if (['staging', 'mempool'].includes(store.transactions.get(hash)?.stage ?? ''))",
        'devnet/node/durability',
      ],
    },
  },
};
