import {
  type AccountEvent,
  type Clock,
  GatewayClient,
  UnlinkedBlocksError,
  type WatchOptions,
  watchAccount,
  ZbcSignerError,
} from '@zbc-signer/host';
import { stringify } from 'lossless-json';
import { addressOf, clientOf, GENESIS, START, wallets } from '../../../testkit/chain/random-history.js';
import { type Fields, signDraft, type Wallet } from '../../../testkit/chain/wallet.js';
import { u64 } from '../../../testkit/crypto/little-endian.js';
import { sha3 } from '../../../testkit/crypto/sha3.js';

const [shop, payer] = wallets as [Wallet, Wallet];
const SHOP = addressOf(shop);
const TURNS = 30;
const SCHEDULES = 10;
let count = 0;

/** A payment to the shop that no other payment equals. */
function payment(): Fields {
  count += 1;
  const draft = {
    version: 1n,
    type: 1n,
    timestamp: START + BigInt(count),
    fee: 1n,
    sender: payer.account,
    recipient: shop.account,
    body: u64(BigInt(count)),
    message: Buffer.from(`order ${count}`),
  };
  const { fields, hash } = signDraft(draft, payer, GENESIS);
  return { ...fields, transaction_hash: hash };
}

const hashOf = (block: Fields | undefined) => (block?.block_hash as string) ?? '00'.repeat(32);
const paymentsOf = ({ transactions }: Fields) => transactions as Fields[];

function grow(blocks: Fields[], transactions: Fields[]): void {
  count += 1;
  const block = {
    height: BigInt(blocks.length),
    previous_block_hash: hashOf(blocks.at(-1)),
    timestamp: START + BigInt(count),
    transactions,
    expired_escrows: [],
  };
  blocks.push({ ...block, block_hash: sha3(Buffer.from(stringify(block)!)).toString('hex') });
}

/** A gateway with a copy of the chain. */
class Mirror {
  blocks: Fields[] = [];
  /** If it is set, it changes the blocks of the next answers. */
  lie: ((blocks: Fields[]) => unknown) | undefined;
  readonly client;

  /** `most`: the number of blocks that one answer has at most. */
  constructor(
    readonly url: string,
    most = 100,
  ) {
    this.client = clientOf(this as never, url, most, blocks => (this.lie ?? (same => same))(blocks));
  }

  get movements(): Fields[] {
    return [];
  }
}

/** Watches until the clock has slept `turns` times; before each sleep ends, calls `turn`. */
async function watch(
  options: Omit<WatchOptions, 'clock' | 'signal'>,
  turns: number,
  turn: (at: number) => void,
) {
  const end = new AbortController();
  let slept = 0;
  const clock: Clock = {
    now: () => 0,
    sleep: async () => {
      slept += 1;
      if (slept > turns) end.abort();
      else turn(slept);
    },
  };
  const events: AccountEvent[] = [];
  try {
    for await (const event of watchAccount(SHOP, { ...options, clock, signal: end.signal })) {
      events.push(event);
    }
  } catch (error) {
    if (Object(error).code !== 'ABORTED') throw error;
  }
  return events;
}

/** The hashes of the payments that a shop has booked after these events. */
function book(events: readonly AccountEvent[]): string[] {
  const booked: string[] = [];
  const hash = ({ movement }: Pick<Extract<AccountEvent, { type: 'payment' }>, 'movement'>) =>
    Buffer.from(movement.transactionHash!).toString('hex');
  for (const event of events) {
    if (event.type === 'payment') {
      expect(booked).not.toContain(hash(event));
      booked.push(hash(event));
    }
    if (event.type !== 'reorganization') continue;
    for (const movement of event.removed) booked.splice(booked.indexOf(hash({ movement })), 1);
  }
  return booked;
}

const INVENTED = payment();

/** What a lying gateway does to its blocks. */
const LIES: ((blocks: Fields[]) => unknown)[] = [
  // It invents a payment, with the hash of its fields.
  blocks => blocks.map(block => ({ ...block, transactions: [...paymentsOf(block), INVENTED] })),
  // It hides a payment.
  blocks => blocks.map(block => ({ ...block, transactions: paymentsOf(block).slice(1) })),
  // It repeats an old payment.
  blocks =>
    blocks.map(block => ({ ...block, transactions: [...paymentsOf(block), ...paymentsOf(blocks[0]!)] })),
  // It reports another chain.
  blocks =>
    blocks.map(block => ({ ...block, block_hash: 'cd'.repeat(32), previous_block_hash: 'cd'.repeat(32) })),
  () => 7n,
  () => [],
];

test('in random schedules with reorganisations, late gateways and a liar, a shop books what the chain has, and never what only the liar reports', async () => {
  for (let seed = 1; seed <= SCHEDULES; seed++) {
    let state = seed;
    const below = (limit: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % limit;
    };
    const chain: Fields[] = [];
    const real = new Set<string>();
    const step = () => {
      const lost = below(4) === 0 ? chain.splice(Math.max(1, chain.length - 1 - below(4))) : [];
      // A replaced payment is usually in another block later.
      const again = lost.flatMap(paymentsOf).filter(() => below(3) > 0);
      for (let blocks = lost.length + below(3); blocks > 0; blocks--) {
        const fresh = Array.from({ length: below(3) }, payment);
        for (const { transaction_hash } of fresh) real.add(`${transaction_hash}`);
        grow(chain, [...again.splice(0), ...fresh]);
      }
    };
    grow(chain, []);
    const mirrors = ['http://one.test', 'http://two.test', 'http://three.test'].map(url => new Mirror(url));
    const liar = mirrors[below(3)]!;
    const update = (mirror: Mirror) => {
      mirror.blocks = [...chain];
    };
    mirrors.forEach(update);
    const gateways = mirrors.map(({ client }) => client);
    const events = await watch({ gateways, from: 0n }, TURNS, turn => {
      const isLast = turn > TURNS - 3;
      if (!isLast) step();
      for (const mirror of mirrors) if (isLast || below(3) > 0) update(mirror);
      liar.lie = below(3) === 0 ? undefined : LIES[below(LIES.length)];
    });
    const booked = book(events);
    expect({ seed, booked: booked.sort() }).toEqual({
      seed,
      booked: chain
        .flatMap(paymentsOf)
        .map(({ transaction_hash }) => `${transaction_hash}`)
        .sort(),
    });
    const paid = events.flatMap(event => (event.type === 'payment' ? [event.movement] : []));
    for (const { transactionHash } of paid)
      expect(real).toContain(Buffer.from(transactionHash!).toString('hex'));
    const liars = events.flatMap(event => (event.type === 'dissent' ? [event.url] : []));
    expect(liars).toContain(liar.url);
  }
});

function alone(): Mirror {
  const mirror = new Mirror('http://one.test');
  for (let height = 0; height < 3; height++) grow(mirror.blocks, [payment()]);
  return mirror;
}

test('without a position, watching begins with the next block; with one, it continues', async () => {
  const mirror = alone();
  const gateways = [mirror.client];
  const events = await watch({ gateways }, 1, () => grow(mirror.blocks, [payment()]));
  expect(events.map(({ type }) => type)).toEqual(['payment', 'read']);
  const [, read] = events as [AccountEvent, Extract<AccountEvent, { type: 'read' }>];
  expect(read.next).toEqual({ from: 4n, previousHash: hashOf(mirror.blocks[3]) });
  grow(mirror.blocks, [payment()]);
  expect(book(await watch({ gateways, ...read.next }, 1, () => undefined))).toHaveLength(1);
  // The block that was read last has been replaced while nobody watched.
  mirror.blocks.length = 3;
  for (let more = 0; more < 3; more++) grow(mirror.blocks, []);
  await expect(watch({ gateways, ...read.next }, 1, () => undefined)).rejects.toThrow(UnlinkedBlocksError);
});

test('a payment that does not have its hash is undetermined', async () => {
  const mirror = alone();
  mirror.blocks[1] = { ...mirror.blocks[1], transactions: [{ ...payment(), fee: 2n }] };
  const events = await watch({ gateways: [mirror.client], from: 0n }, 1, () => undefined);
  expect(events.map(({ type }) => type)).toEqual(['payment', 'undetermined', 'payment', 'read']);
});

test('two gateways that disagree yield no payment, and each is named once', async () => {
  const [one, two] = [alone(), new Mirror('http://two.test')];
  two.blocks = one.blocks;
  two.lie = LIES[0];
  const events = await watch({ gateways: [one.client, two.client], from: 0n }, 3, () => undefined);
  expect(events).toEqual([
    { type: 'dissent', url: one.url, height: 0n, error: undefined },
    { type: 'dissent', url: two.url, height: 0n, error: undefined },
  ]);
});

test('a replaced newest block is noticed before the chain grows', async () => {
  const mirror = alone();
  const events = await watch({ gateways: [mirror.client], from: 0n }, 1, () => {
    mirror.blocks.length = 2;
    grow(mirror.blocks, [payment()]);
  });
  const [reorganization] = events.filter(event => event.type === 'reorganization');
  expect(reorganization).toMatchObject({ height: 2n, removed: [{ height: 2n }] });
  expect(book(events)).toHaveLength(3);
});

test('a gateway that replaces its newest block at each question is asked a few times a pause', async () => {
  const mirror = alone();
  let questions = 0;
  mirror.lie = blocks => {
    questions += 1;
    if (questions > 100) return 7n;
    const last = { ...blocks.at(-1), block_hash: sha3(Buffer.from([questions])).toString('hex') };
    return [...blocks.slice(0, -1), last];
  };
  await watch({ gateways: [mirror.client], from: 0n }, 10, () => undefined);
  expect(questions).toBeLessThan(100);
});

test('if too few gateways answer, each pause has a failure', async () => {
  const mirror = alone();
  const dead = new GatewayClient('http://dead.test', { fetch: () => Promise.reject(new TypeError('no')) });
  const events = await watch({ gateways: [mirror.client, dead], from: 0n }, 12, () => undefined);
  // Each question is repeated three times.
  expect(events.map(({ type }) => type)).toEqual(Array(3).fill('failure'));
});

test.each([1, 2])(
  'blocks and reorganisations are read although an answer has room for only %d',
  async most => {
    const mirror = new Mirror('http://one.test', most);
    for (let more = 0; more < 6; more++) grow(mirror.blocks, [payment()]);
    const events = await watch({ gateways: [mirror.client], from: 0n }, 3, at => {
      if (at === 2) mirror.blocks.length = 2;
      grow(mirror.blocks, [payment()]);
      if (at === 3) for (let more = 0; more < 6; more++) grow(mirror.blocks, [payment()]);
    });
    const paid = mirror.blocks.flatMap(paymentsOf).map(({ transaction_hash }) => transaction_hash);
    expect(book(events)).toEqual(paid);
  },
);

test('one of three gateways does not change a transaction whose hash is not that of its fields', async () => {
  const mirrors = ['one', 'two', 'three'].map(name => new Mirror(`http://${name}.test`));
  const odd = { ...payment(), fee: 2n };
  const blocks: Fields[] = [];
  grow(blocks, [odd]);
  for (const mirror of mirrors) mirror.blocks = blocks;
  const other = { ...odd, recipient_account_address: addressOf(payer) };
  mirrors[2]!.lie = blocks => blocks.map(block => ({ ...block, transactions: [other] }));
  const events = await watch({ gateways: mirrors.map(({ client }) => client), from: 0n }, 1, () => undefined);
  expect(events.map(({ type }) => type)).toEqual(['dissent', 'undetermined', 'read']);
});

test('the account is one in any spelling, and an account', async () => {
  const gateways = [alone().client];
  const first = async (account: unknown) =>
    (await watchAccount(account as string, { gateways, from: 0n }).next()).value;
  for (const account of [
    SHOP.toLowerCase(),
    SHOP.replaceAll('_', ''),
    Buffer.from(shop.account).toString('hex'),
  ])
    expect(await first(account)).toMatchObject({ type: 'payment' });
  for (const account of [undefined, '', 'garbage', 7])
    await expect(first(account)).rejects.toThrow(ZbcSignerError);
});
