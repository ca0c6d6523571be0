import { formatJson } from '@zbc-signer/chain';
import {
  type GatewayClient,
  GatewayUnreachableError,
  type HistoryOptions,
  type HistoryPage,
  history,
  UnlinkedBlocksError,
  watchAccount,
} from '@zbc-signer/host';
import {
  AMBER,
  addressOf,
  BLOCKS,
  clientOf,
  History,
  OPENING,
  sumOf,
  wallets,
} from '../../../testkit/chain/random-history.js';
import type { Fields } from '../../../testkit/chain/wallet.js';

const HISTORIES = 60;
const OWN = addressOf(wallets[0]!);

async function read(options: HistoryOptions, account = OWN, most = BLOCKS): Promise<HistoryPage[]> {
  const pages: HistoryPage[] = [];
  for await (const page of history(account, options)) {
    pages.push(page);
    if (pages.length === most) break;
  }
  return pages;
}

const codeOf = (reading: Promise<unknown>) =>
  reading.then(
    () => undefined,
    error => Object(error).code,
  );

const transactionsOf = ({ transactions }: Fields) => transactions as Fields[];
/** What one gateway does to its blocks, while it names the same hashes. */
const LIES: [string, (blocks: Fields[]) => unknown][] = [
  ['omits transactions', blocks => blocks.map(block => ({ ...block, transactions: [] }))],
  [
    'changes an amount',
    blocks =>
      blocks.map(block => ({
        ...block,
        transactions: transactionsOf(block).map(each => ({ ...each, fee: 77n })),
      })),
  ],
  ['omits ends of escrows', blocks => blocks.map(block => ({ ...block, expired_escrows: [] }))],
  [
    'reports ends of escrows that nobody opened',
    blocks => blocks.map(block => ({ ...block, expired_escrows: ['ab'.repeat(32)] })),
  ],
  ['moves a block in time', blocks => blocks.map(block => ({ ...block, timestamp: 1n }))],
  ['sends no blocks', () => []],
  ['sends garbage', () => 7n],
];

test('after each page, the balance is that before it with all movements, also if reading is resumed and one of three gateways lies', async () => {
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const model = new History(seed);
    const { dice } = model;
    const wallet = dice.pick(wallets);
    const [, lie] = dice.pick(LIES);
    const gateways = [
      clientOf(model, 'http://one.test', 1 + dice.below(5)),
      clientOf(model, 'http://two.test', 1 + dice.below(5)),
    ];
    gateways.splice(dice.below(3), 0, clientOf(model, 'http://liar.test', BLOCKS, lie));
    let position = { from: BigInt(dice.pick([0, dice.below(BLOCKS)])) };
    const balanceAt = (height: number, tokenId: bigint) =>
      height < 0 ? OPENING : model.balances[height]!.get(`${wallet.hex}/${tokenId}`)!;
    for (let pages = 1; position.from < BLOCKS; pages++) {
      expect(pages).toBeLessThan(BLOCKS + 1);
      const most = 1 + dice.below(4);
      for (const { movements, isDetermined, next } of await read(
        { gateways, ...position },
        addressOf(wallet),
        most,
      )) {
        for (const tokenId of [0n, AMBER]) {
          const opening = balanceAt(Number(position.from) - 1, tokenId);
          const closing = balanceAt(Number(next.from) - 1, tokenId);
          expect({ seed, isDetermined, sum: opening + sumOf(movements, tokenId) }).toEqual({
            seed,
            isDetermined: true,
            sum: closing,
          });
        }
        position = next;
      }
    }
    expect(await read({ gateways, ...position }, addressOf(wallet))).toEqual([]);
  }
});

test.each(LIES)('two gateways of which one %s tell no history', async (_, lie) => {
  const model = new History(3);
  const gateways = [clientOf(model), clientOf(model, 'http://liar.test', BLOCKS, lie)];
  expect(await codeOf(read({ gateways }))).toMatch(/^(GATEWAYS_DISAGREE|GATEWAY_MALFORMED)$/);
});

test('two against two agree on nothing, even if the quorum is two', async () => {
  const model = new History(3);
  const [[, lie]] = LIES as [(typeof LIES)[number]];
  const gateways = [0, 1, 2, 3].map(at =>
    clientOf(model, `http://g${at}.test`, BLOCKS, at < 2 ? blocks => blocks : lie),
  );
  expect(await codeOf(read({ gateways, quorum: 2 }))).toBe('GATEWAYS_DISAGREE');
});

test('a transaction that a later page repeats is refused', async () => {
  const model = new History(3);
  const all: Fields[] = model.blocks.map(block => ({ ...block }));
  const own = all.findIndex(block =>
    transactionsOf(block).some(
      ({ escrow, sender_account_address: from }) => !escrow && from === wallets[0]!.hex,
    ),
  );
  expect(own).toBeGreaterThan(0);
  model.blocks.push({ ...all[own], height: BigInt(BLOCKS), previous_block_hash: all.at(-1)!.block_hash });
  const gateways = [clientOf(model, 'http://one.test', 1)];
  await expect(read({ gateways }, OWN, 100)).rejects.toThrow(UnlinkedBlocksError);
});

test('a history does not continue on another chain than the one of its position', async () => {
  const [first] = await read({ gateways: [clientOf(new History(3), undefined, 5)] });
  const gateways = [clientOf(new History(4), undefined, 5)];
  await expect(read({ gateways, ...first!.next })).rejects.toThrow(UnlinkedBlocksError);
});

const REWARD = { kind: 'reward', address: wallets[0]!.hex, token_id: 0n, amount: 5n, block_height: 2n };

test.each<[string, Fields[], Fields[]]>([
  ['invents', [], [REWARD]],
  ['hides', [REWARD], []],
  ['changes', [REWARD], [{ ...REWARD, amount: 6n }]],
  ['repeats', [REWARD], [REWARD, REWARD]],
])(
  'one of three gateways that %s a reward changes nothing, and one of two is noticed',
  async (_, real, told) => {
    const [model, liar] = [new History(3), new History(3)];
    model.movements.unshift(...real);
    liar.movements.unshift(...told);
    const two = clientOf(liar, 'http://liar.test');
    const [one, three] = [clientOf(model, 'http://one.test'), clientOf(model)];
    const rewardsOf = (pages: HistoryPage[]) =>
      pages.flatMap(({ movements }) => movements).filter(({ kind }) => kind === 'reward');
    const pages = await read({ gateways: [two, one, three] });
    expect(rewardsOf(pages).map(({ amount }) => amount)).toEqual(real.map(() => 5n));
    expect(pages.every(({ listsAllRewards }) => listsAllRewards)).toBe(true);
    const doubted = await read({ gateways: [two, one] });
    expect(rewardsOf(doubted)).toEqual([]);
    expect(doubted.every(({ listsAllRewards }) => listsAllRewards)).toBe(false);
  },
);

/** A gateway in front of a history, with the hashes in hex of the transactions that it is asked for. */
function counting(model: History): { gateway: GatewayClient; asked: string[] } {
  const asked: string[] = [];
  const client = clientOf(model, 'http://counting.test', 1);
  const transaction = (hash: Uint8Array) => {
    asked.push(Buffer.from(hash).toString('hex'));
    return client.transaction(hash);
  };
  return { gateway: Object.assign(Object.create(client) as GatewayClient, { transaction }), asked };
}

/** Changes the transactions with an escrow. */
function changeEscrows(model: History, changes: Fields): History {
  for (const block of model.blocks) {
    block.transactions = transactionsOf(block).map(each => (each.escrow ? { ...each, ...changes } : each));
  }
  return model;
}

test('one of three gateways that reports the opening of an escrow elsewhere changes nothing', async () => {
  let count = 0;
  for (let from = 1n; from < BLOCKS; from++) {
    const { gateway, asked } = counting(new History(3));
    const honest = await read({ gateways: [gateway], from });
    const liar = clientOf(
      changeEscrows(new History(3), { block_height: 99n, status: 'staging' }),
      'http://liar.test',
      1,
    );
    const other = clientOf(new History(3), 'http://other.test', 1);
    const pages = await read({ gateways: [gateway, other, liar], from });
    expect({ from, isSame: formatJson(pages) === formatJson(honest) }).toEqual({ from, isSame: true });
    count += asked.length;
  }
  expect(count).toBeGreaterThan(0);
});

test('an opening that does not have its hash is looked up once, not at each block', async () => {
  let count = 0;
  for (let from = 1n; from < BLOCKS; from++) {
    const { gateway, asked } = counting(changeEscrows(new History(3), { fee: 77n }));
    await read({ gateways: [gateway], from });
    expect(new Set(asked).size).toBe(asked.length);
    count += asked.length;
  }
  expect(count).toBeGreaterThan(0);
});

test('a silent gateway keeps the others waiting less and less, and gets the whole time again later', async () => {
  let elapsed = 0;
  const limits: number[] = [];
  const clock = { now: () => elapsed, sleep: async (ms: number) => void (elapsed += ms) };
  const model = new History(3);
  const silent = async (_from: bigint, _limit: number, { timeoutMs = 0 } = {}) => {
    elapsed += timeoutMs;
    limits.push(timeoutMs);
    throw new GatewayUnreachableError('http://silent.test', 'no answer');
  };
  const slow = Object.assign(Object.create(clientOf(model, 'http://silent.test')) as GatewayClient, {
    blocks: silent,
  });
  const gateways = [clientOf(model, 'http://one.test', 1), clientOf(model, undefined, 1), slow];
  await read({ gateways, clock }, OWN, 100);
  expect(limits.slice(0, 5)).toEqual([15_000, 7_500, 3_750, 1_875, 1_000]);
  expect(limits.slice(11, 13)).toEqual([1_000, 15_000]);
});

test('options of a wrong type, or of no such name, are refused', async () => {
  const gateways = [clientOf(new History(1))];
  for (const options of [
    undefined,
    {},
    { gateways: gateways[0] },
    { gateways: [7] },
    { gateways, from: 0 },
    { gateways, previousHash: 7n },
    { gateways, next: { from: 1n } },
  ]) {
    expect(await codeOf(read(options as never))).toBe('INVALID_INPUT');
    expect(await codeOf(watchAccount(OWN, options as never).next())).toBe('INVALID_INPUT');
  }
});

test('a gateway is no witness of itself, and a quorum has at least one gateway and at most all', async () => {
  const gateways = [clientOf(new History(1))];
  expect(await codeOf(read({ gateways: [...gateways, ...gateways] }))).toBe('INVALID_INPUT');
  expect(await codeOf(read({ gateways: [] }))).toBe('INVALID_INPUT');
  expect(await codeOf(read({ gateways, quorum: 0 }))).toBe('INVALID_INPUT');
  expect(await codeOf(read({ gateways, quorum: 2 }))).toBe('INVALID_INPUT');
});
