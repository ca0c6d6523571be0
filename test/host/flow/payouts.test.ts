import { encodeAddress, fromHex, parseAccount, toHex } from '@zbc-signer/chain';
import { type Devnet, startDevnet } from '@zbc-signer/devnet';
import {
  awaitHeight,
  GatewayClient,
  MemoryJournal,
  type Payout,
  type PayoutOptions,
  type PayoutResult,
  payOut,
  prepareTransaction,
  signTransaction,
  type TextStore,
  TransactionType,
} from '@zbc-signer/host';
import { codeOf, keyOf, OWN } from '../../../testkit/gateway/flow-fixture.js';

const SCHEDULES = 12;
const RUNS = 40;
const AMOUNT = 1_000n;

let devnet: Devnet;
let gateway: GatewayClient;
let accounts = 0;
beforeAll(async () => {
  devnet = await startDevnet({ blockTimeMs: 50, namedChain: true });
  gateway = new GatewayClient(devnet.url);
  await awaitHeight(gateway, (await gateway.faucet(OWN.address)).blockHeight);
});
afterAll(() => devnet.stop());

/** The address of an account that was never paid. */
function freshAddress(): string {
  accounts += 1;
  return encodeAddress(Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? accounts : 77)));
}

const payout = (orderId: string, to: string, amount = AMOUNT): Payout => ({
  orderId,
  draft: { type: TransactionType.SendZbc, recipient: parseAccount(to), amount },
});

class Store implements TextStore {
  text: string | undefined;
  before = async () => undefined as unknown;
  async load() {
    await this.before();
    return this.text;
  }
  async store(text: string) {
    await this.before();
    this.text = text;
  }
}

const optionsOf = (
  orders: Store,
  journal: MemoryJournal,
  rest: Partial<PayoutOptions> = {},
): PayoutOptions => ({
  gateway,
  signer: keyOf(0),
  antiExfil: 'off',
  journal,
  orders,
  pollMs: 20,
  confirmationTimeoutMs: 10_000,
  ...rest,
});

async function balanceOf(address: string): Promise<bigint> {
  return (await gateway.account(address))?.balance ?? 0n;
}

const states = (results: readonly PayoutResult[]) => results.map(({ status }) => status);

test('each order is paid once, also equal orders to one recipient, and a second call pays nothing', async () => {
  const [x, y] = [freshAddress(), freshAddress()];
  const orders = [payout('1', x), payout('2', x), payout('3', y), payout('4', x)];
  const options = optionsOf(new Store(), new MemoryJournal());
  const paid = await payOut(orders, options);
  expect(states(paid)).toEqual(['paid', 'paid', 'paid', 'paid']);
  expect(new Set(paid.map(({ transactionHash }) => toHex(transactionHash!))).size).toBe(4);
  expect(await payOut([...orders, payout('5', y)], options)).toMatchObject([
    ...paid.map(({ transactionHash, blockHeight }) => ({ status: 'paid', transactionHash, blockHeight })),
    { orderId: '5', status: 'paid' },
  ]);
  expect([await balanceOf(x), await balanceOf(y)]).toEqual([3n * AMOUNT, 2n * AMOUNT]);
});

test('in random schedules of lost requests, lost answers, aborts and failing stores, each order is paid exactly once in the end', async () => {
  let interrupted = 0;
  for (let seed = 1; seed <= SCHEDULES; seed++) {
    let state = seed;
    const below = (limit: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % limit;
    };
    const [x, y] = [freshAddress(), freshAddress()];
    const orders = [x, x, y, x, y].map((to, at) => payout(`${seed}-${at}`, to));
    const [store, journal] = [new Store(), new MemoryJournal()];
    for (let run = 1; ; run++) {
      expect({ seed, isLate: run > RUNS }).toEqual({ seed, isLate: false });
      const end = new AbortController();
      // The last runs have no faults.
      let left = run > RUNS - 5 ? Number.POSITIVE_INFINITY : below(60);
      const fault = async (forward: () => Promise<unknown>) => {
        left -= 1;
        if (left !== 0) return forward();
        const kind = below(4);
        if (kind === 0) end.abort();
        if (kind === 1) await forward();
        if (kind > 1 || kind === 1) throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
        return forward();
      };
      store.before = () => fault(async () => undefined);
      const faulty = new GatewayClient(devnet.url, {
        fetch: (url, init) => fault(() => fetch(url, init)) as Promise<Response>,
      });
      const options = optionsOf(store, journal, {
        gateway: faulty,
        signal: end.signal,
        confirmationTimeoutMs: below(2) === 0 ? 1 : 10_000,
      });
      const results = await payOut(orders, options).catch(() => []);
      store.before = async () => undefined;
      if (results.length > 0 && states(results).every(status => status === 'paid')) break;
      interrupted += 1;
    }
    expect({ seed, x: await balanceOf(x), y: await balanceOf(y) }).toEqual({
      seed,
      x: 3n * AMOUNT,
      y: 2n * AMOUNT,
    });
    expect(await journal.pending()).toEqual([]);
  }
  expect(interrupted).toBeGreaterThan(SCHEDULES);
});

test('ends with the order that fails before it is sent, and continues with the next call', async () => {
  const to = freshAddress();
  const orders = [payout('a', to), payout('b', to, 10n ** 17n), payout('c', to)];
  const options = optionsOf(new Store(), new MemoryJournal());
  const results = await payOut(orders, options);
  expect(states(results)).toEqual(['paid', 'failed', 'notStarted']);
  expect(results[1]!.error).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  expect(states(await payOut([orders[0]!, orders[2]!], options))).toEqual(['paid', 'paid']);
  expect(await balanceOf(to)).toBe(2n * AMOUNT);
});

test('an order whose request was lost is paid by the next call, although an equal one was paid meanwhile', async () => {
  const to = freshAddress();
  const [store, journal] = [new Store(), new MemoryJournal()];
  let isLost = true;
  const lossy = new GatewayClient(devnet.url, {
    fetch: (url, init) => {
      if (init?.method !== 'POST' || !isLost) return fetch(url, init);
      return Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }));
    },
  });
  const options = optionsOf(store, journal, { gateway: lossy, confirmationTimeoutMs: 1_000 });
  expect(states(await payOut([payout('a', to)], options))).toEqual(['open']);
  isLost = false;
  expect(states(await payOut([payout('b', to)], options))).toEqual(['paid']);
  expect(states(await payOut([payout('a', to), payout('b', to)], options))).toEqual(['paid', 'paid']);
  expect(await balanceOf(to)).toBe(2n * AMOUNT);
});

test('an open payment that is of no order keeps its recipient from being paid', async () => {
  const to = freshAddress();
  const journal = new MemoryJournal();
  const options = optionsOf(new Store(), journal);
  const [signer, publicKey] = [keyOf(0), fromHex(OWN.public_key)];
  const prepared = await prepareTransaction(payout('', to).draft, { gateway, publicKey, journal });
  const signed = await signTransaction(prepared, { signer, antiExfil: 'off' });
  await journal.signed(signed);
  await journal.ended(signed.transactionHash, 'unknown');
  const results = await payOut([payout('a', to)], options);
  expect(results).toMatchObject([{ status: 'failed', error: { code: 'UNSETTLED_PAYMENT' } }]);
});

test('an order id pays one thing, and two calls do not pay it both', async () => {
  const to = freshAddress();
  const [store, journal] = [new Store(), new MemoryJournal()];
  const options = optionsOf(store, journal);
  expect(await codeOf(payOut([payout('a', to), payout('a', to)], options))).toBe('INVALID_INPUT');
  expect(await codeOf(payOut([payout('', to)], options))).toBe('INVALID_INPUT');
  // The signer of a first call is slow; meanwhile, a second one with another journal pays.
  let isFirst = true;
  const key = keyOf(0);
  const slow = {
    getPublicKey: () => key.getPublicKey(),
    signTransaction: async (request: Parameters<typeof key.signTransaction>[0]) => {
      if (isFirst) {
        isFirst = false;
        const second = optionsOf(store, new MemoryJournal());
        expect(states(await payOut([payout('a', to)], second))).toEqual(['paid']);
      }
      return key.signTransaction(request);
    },
  };
  const [first] = await payOut([payout('a', to)], { ...options, signer: slow as never, clock: aheadBy(7n) });
  expect(first).toMatchObject({ status: 'failed', error: { code: 'JOURNAL_FAILED' } });
  expect(await balanceOf(to)).toBe(AMOUNT);
  expect(await codeOf(payOut([payout('a', to, 2n)], options))).toBe('INVALID_INPUT');
  for (const wrong of [
    undefined,
    { ...options, paysAgain: true },
    { ...options, waitsForConfirmation: false },
  ])
    expect(await codeOf(payOut([payout('a', to)], wrong as PayoutOptions))).toBe('INVALID_INPUT');
  for (const wrong of [undefined, {}, [undefined], [{ orderId: 'a' }]])
    expect(await codeOf(payOut(wrong as Payout[], options))).toBe('INVALID_INPUT');
  store.text = store.text!.slice(0, -5);
  expect(await codeOf(payOut([payout('a', to)], options))).toBe('JOURNAL_FAILED');
});

/** A clock with another time, so that equal payments of two journals differ. */
function aheadBy(seconds: bigint) {
  return {
    now: () => Date.now() + Number(seconds) * 1000,
    sleep: (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms)),
  };
}

test('two calls at once lose no order of each other', async () => {
  const options = optionsOf(new Store(), new MemoryJournal());
  const orders = [payout('1', freshAddress()), payout('2', freshAddress())];
  const results = await Promise.all(orders.map(order => payOut([order], options)));
  expect(results.flatMap(states)).toEqual(['paid', 'paid']);
  expect(await payOut(orders, options)).toMatchObject(
    results.flat().map(({ transactionHash }) => ({ transactionHash })),
  );
});
