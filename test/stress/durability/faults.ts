/** A defect of the nodes, planted in the compiled file of `path`, and the report that the test must give. */
export interface NodeFault {
  name: string;
  path: string;
  /** Text in the source, and the corresponding compiled text. */
  find: string;
  /** The replacement in JavaScript. */
  replace: string;
  finding: RegExp;
}

const LOST =
  /was accepted with 202, but (a later request for it was answered with 404|the chain has lost it)/;

/** Each fault keeps the node working unless it is killed. */
export const NODE_FAULTS: readonly NodeFault[] = [
  {
    name: 'answers 202 fifty milliseconds before it writes',
    path: 'devnet/src/node/chain/development-chain.ts',
    find: "return this.store.write(() => admit(this.store, this.#conditions(), transaction, 'staging'));",
    replace: `
      const take = () => admit(this.store, this.#conditions(), transaction, 'staging');
      let admission;
      try {
        this.store.write(() => { admission = take(); throw admission; });
      } catch (thrown) {
        if (thrown !== admission) throw thrown;
      }
      setTimeout(() => this.store.write(take), 50);
      return admission;`,
    finding: LOST,
  },
  {
    name: 'forgets unconfirmed transactions at its start',
    path: 'devnet/src/node/chain/open-store.ts',
    find: 'checkMaker(store, kind);',
    replace: `checkMaker(store, kind);
    store.write(() => {
      for (const { key, value: hash } of store.pending.entries()) {
        store.pending.remove(key);
        store.transactions.remove(hash);
      }
      for (const { key, value } of store.balances.entries()) store.putBalance(key, { ...value, pending: 0n });
    });`,
    finding: LOST,
  },
  {
    name: 'writes a block piece by piece',
    path: 'devnet/src/node/store/store.ts',
    find: 'return this.#environment.transactionSync(change);',
    replace: 'return change();',
    finding: /does not add up|the data directory is broken/,
  },
  {
    name: 'accepts a confirmed transaction again',
    path: 'devnet/src/node/ledger/mempool.ts',
    find: 'if (store.transactions.get(hash) !== undefined)',
    replace: "if (['staging', 'mempool'].includes(store.transactions.get(hash)?.stage))",
    finding: /was accepted, and accepted again after a kill|is in 2 blocks/,
  },
];
