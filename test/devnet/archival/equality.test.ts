import { checkState } from '#devnet/node/chain/state-check.js';
import type { Balance } from '#devnet/node/store/records.js';
import type { Store } from '#devnet/node/store/store.js';
import { type Fields, type Signed, Wallet } from '../../../testkit/chain/wallet.js';
import { Archive } from '../../../testkit/devnet/archive.js';
import { Network } from '../../../testkit/devnet/network.js';
import { caseCount } from '../../../testkit/repository/case-count.js';
import { type OpenEscrow, type PlannedEvent, type Sum, Tally, TREASURY } from './tally.js';

const ROUNDS = caseCount(200);
const SEED = 20_261_121;
const wallets = [1, 2, 3, 4].map(number => Wallet.numbered(number));

/** Park and Miller's minimal standard generator. */
class Dice {
  #state = SEED;

  below(limit: number): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    return this.#state % limit;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }
}

/**
 * Makes random payments, token transfers, escrows and decisions, and records the resulting balances of each
 * block.
 */
class RandomRun {
  readonly dice = new Dice();
  readonly tally = new Tally();
  readonly fullHistory: ReadonlyMap<string, Sum>[] = [];

  constructor(readonly network: Network) {
    this.#look();
  }

  async fund(): Promise<void> {
    for (const wallet of wallets) {
      await this.network.fund(wallet);
      this.tally.grant(wallet.hex, this.network.timestamp);
      this.#look();
    }
  }

  async round(): Promise<void> {
    const planned: PlannedEvent[] = [];
    for (let count = this.dice.below(4); count > 0; count--) planned.push(await this.#act());
    this.network.timestamp += BigInt(this.dice.below(90));
    this.#block([]);
    // This lets a decision be accepted in time, but confirmed after the timeout of its escrow.
    this.network.timestamp += BigInt(this.dice.below(90));
    this.#block(planned);
  }

  #act(): Promise<PlannedEvent> {
    const decidable = [...this.tally.open.values()].filter(
      ({ decided, escrow }) => !decided && escrow.timeout >= this.network.timestamp,
    );
    return decidable.length > 0 && this.dice.below(3) === 0
      ? this.#decide(this.dice.pick(decidable))
      : this.#transfer();
  }

  async #decide(open: OpenEscrow): Promise<PlannedEvent> {
    const approver = wallets.find(({ hex }) => hex === open.escrow.approver)!;
    const approval = this.dice.below(2);
    await this.#broadcast(this.network.decide(approver, open.hash, approval, this.#unique()));
    open.decided = true;
    return { decision: approval === 0 ? 'approve' : 'reject', escrow: open.hash, from: approver.hex };
  }

  async #transfer(): Promise<PlannedEvent> {
    const { network, dice } = this;
    const [from, to, approver] = [dice.pick(wallets), dice.pick(wallets), dice.pick(wallets)];
    const amount = BigInt(1 + dice.below(1_000_000));
    const escrow = dice.below(2) === 0 && {
      approver: approver.account,
      commission: BigInt(1 + dice.below(500)),
      timeout: network.timestamp + BigInt(1 + dice.below(400)),
    };
    const tokenId = BigInt(dice.below(2));
    const changes = { ...this.#unique(), ...(escrow && { escrow }) };
    const signed =
      tokenId === 0n
        ? network.send(from, to.account, amount, changes)
        : network.transfer(from, to.account, tokenId, amount, changes);
    await this.#broadcast(signed);
    return {
      hash: signed.hash,
      from: from.hex,
      to: to.hex,
      tokenId,
      amount,
      ...(escrow && { escrow: { ...escrow, approver: approver.hex } }),
    };
  }

  #count = 0;
  /**
   * Makes each transaction unique: two equal transactions within one second would be the same transaction.
   */
  #unique() {
    return { message: Buffer.from(`${this.#count++}`) };
  }

  async #broadcast({ fields, hash }: Signed): Promise<void> {
    expect(await this.network.broadcast(fields)).toMatchObject({
      status: 202,
      body: { transaction_hash: hash },
    });
  }

  #block(planned: readonly PlannedEvent[]): void {
    this.network.blocks(1);
    this.tally.block(this.network.timestamp, planned);
    this.#look();
  }

  #look(): void {
    this.fullHistory.push(balancesOf(this.network.chain.store));
  }
}

/** Returns the balances of the tokens that this run uses. */
function balancesOf(store: Store): Map<string, Sum> {
  const touched = store.balances.entries().filter(({ key }) => /\/([012]|-\d+)$/.test(key));
  return new Map(
    touched.map(({ key, value: { balance, held } }: { key: string; value: Balance }) => [
      key,
      { balance, held },
    ]),
  );
}

test('an archival node has the same balances as the full node at every height, and still reports them later', async () => {
  const [network, archive] = [await Network.open(), await Archive.open()];
  const run = new RandomRun(network);
  await run.fund();
  for (let round = 0; round < ROUNDS; round++) await run.round();
  const { history } = run.tally;
  expect(run.fullHistory).toEqual(history);
  const kinds = new Set(run.tally.movements.map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(['refund', 'reward', 'unlock']);

  for (let height = 1; height < history.length; height++) {
    await archive.apply((await network.get(`/api/v1/blocks/${height}`)).body);
    expect(checkState(archive.chain.store)).toEqual([]);
    expect(balancesOf(archive.chain.store)).toEqual(history[height]);
  }
  await expectHistory(archive, run.tally);
  await expectMovements(archive, run.tally);
  expect(archive.errors).toEqual([]);
  await Promise.all([network.close(), archive.close()]);
});

async function expectHistory(archive: Archive, { history }: Tally): Promise<void> {
  for (const [height, balances] of history.entries()) {
    for (const account of [TREASURY, ...wallets.map(({ hex }) => hex)]) {
      const { status, body } = await archive.get(`/api/v1/accounts/${account}?height=${height}`);
      const sum = balances.get(`${account}/0`);
      expect([height, status]).toEqual([height, sum ? 200 : 404]);
      expect(body).toMatchObject(sum ? viewOf(sum, BigInt(height)) : { code: 404n });
      if (sum) {
        const { body: tokens } = await archive.get(`/api/v1/accounts/${account}/tokens?height=${height}`);
        const amber = (tokens.tokens as Fields[]).find(({ token_id }) => token_id === 1n);
        expect(amber).toMatchObject(viewOf(balances.get(`${account}/1`)!));
      }
    }
  }
}

function viewOf({ balance, held }: Sum, height?: bigint): Fields {
  const view = { balance: balance + held, spendable_balance: balance, locked_balance: held };
  return { ...view, ...(height !== undefined && { height }) };
}

async function expectMovements(archive: Archive, { movements }: Tally): Promise<void> {
  const { body } = await archive.get('/api/v1/movements/latest?limit=100');
  const shown = (body.movements as Fields[]).map(({ address, timestamp, ...movement }) => movement);
  expect(shown).toEqual(movements.slice(-100).reverse());
}
