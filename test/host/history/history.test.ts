import { type HistoryOptions, type HistoryPage, history, UnlinkedBlocksError } from '@zbc-signer/host';
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

test('a gateway is no witness of itself, and a quorum has at least one gateway and at most all', async () => {
  const gateways = [clientOf(new History(1))];
  expect(await codeOf(read({ gateways: [...gateways, ...gateways] }))).toBe('INVALID_INPUT');
  expect(await codeOf(read({ gateways: [] }))).toBe('INVALID_INPUT');
  expect(await codeOf(read({ gateways, quorum: 0 }))).toBe('INVALID_INPUT');
  expect(await codeOf(read({ gateways, quorum: 2 }))).toBe('INVALID_INPUT');
});
