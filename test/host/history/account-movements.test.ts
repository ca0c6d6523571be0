import {
  accountMovements,
  type BlockSpan,
  extendSpan,
  findOpenings,
  formatCsv,
  formatUtc,
  type GatewayClient,
  isDetermined,
  listsAllRewards,
  UnlinkedBlocksError,
} from '@zbc-signer/host';
import {
  AMBER,
  addressOf,
  BLOCKS,
  clientOf,
  GENESIS,
  History,
  OPENING,
  START,
  sumOf,
  wallets,
} from '../../../testkit/chain/random-history.js';
import { type Fields, NO_ACCOUNT, signDraft, type Wallet } from '../../../testkit/chain/wallet.js';
import { u32, u64 } from '../../../testkit/crypto/little-endian.js';

const HISTORIES = 1000;

/** Reads the blocks `from` to the newest in random parts, upwards and downwards. */
async function readSpan(
  { dice }: History,
  client: GatewayClient,
  from: number,
  own: string,
): Promise<BlockSpan> {
  let low = from + dice.below(BLOCKS - from);
  let high = low;
  let span: BlockSpan | undefined;
  while (span === undefined || low > from || high < BLOCKS) {
    const isUp = high < BLOCKS && (low === from || dice.below(2) === 0);
    const count = 1 + dice.below(isUp ? BLOCKS - high : low - from);
    if (!isUp) low -= count;
    const blocks = await client.blocks(BigInt(isUp ? high : low), count);
    if (isUp) high += count;
    span = extendSpan(span, blocks, [own]);
  }
  return span;
}

/** Adds the amounts and fees of a CSV, in units of 10^-8. */
function sumOfCsv(csv: string, unit: string): bigint {
  const atoms = (text: string) => BigInt(Math.round(Number(text) * 1e8));
  return csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map(line => line.split(','))
    .reduce(
      (sum, [, , amount, of, fee]) =>
        sum + (of === unit ? atoms(amount!) : 0n) - (unit === '"ZBC"' ? atoms(fee!) : 0n),
      0n,
    );
}

test('opening balance and all movements are the closing balance, in 1000 histories with escrows of each outcome', async () => {
  const outcomes = new Map<string, number>();
  let rows = 0;
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const history = new History(seed);
    const client = clientOf(history);
    const wallet = history.dice.pick(wallets);
    const own = addressOf(wallet);
    const from = history.dice.pick([0, history.dice.below(BLOCKS)]);
    const read = await readSpan(history, client, from, own);
    const span = await findOpenings(read, [own], hash => client.transaction(Buffer.from(hash, 'hex')));
    // The list also has what happened below the span.
    const listed = from === 0 ? await client.movements(100) : [];
    const movements = accountMovements(own, span, { transactions: [], movements: listed });
    expect({ seed, isDetermined: isDetermined(span, movements) }).toEqual({ seed, isDetermined: true });
    const csv = formatCsv(movements, [{ id: AMBER, symbol: 'AMBER', decimals: 8 }]);
    for (const [tokenId, unit] of [
      [0n, '"ZBC"'],
      [AMBER, '"AMBER (token 7)"'],
    ] as const) {
      const at = (height: number) => history.balances[height]!.get(`${wallet.hex}/${tokenId}`)!;
      const opening = from === 0 ? OPENING : at(from - 1);
      expect({ seed, sum: opening + sumOf(movements, tokenId) }).toEqual({ seed, sum: at(BLOCKS - 1) });
      expect({ seed, sum: opening + sumOfCsv(csv, unit) }).toEqual({ seed, sum: at(BLOCKS - 1) });
    }
    rows += movements.length;
    for (const outcome of history.outcomes) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  expect([...outcomes.keys()].sort()).toEqual(['approved', 'expired', 'rejected']);
  expect(Math.min(...outcomes.values())).toBeGreaterThan(HISTORIES / 4);
  expect(rows).toBeGreaterThan(5 * HISTORIES);
});

/** A history of one escrow of 3.31 coins with a commission of 0.5, which expires in block 3. */
function expiring(): History {
  const history = new History(1);
  history.blocks.length = 0;
  const [from, to, approver] = wallets as [Wallet, Wallet, Wallet];
  const timestamp = START + 60n;
  const escrow = { approver: approver.account, commission: 50_000_000n, timeout: START + 150n };
  const rest = {
    recipient: to.account,
    body: u64(331_000_000n),
    fee: 2_500_000n,
    message: Buffer.from('=1+1, a'),
  };
  const draft = { version: 1n, type: 1n, timestamp, sender: from.account, escrow, ...rest };
  const { fields, hash } = signDraft(draft, from, GENESIS);
  for (let height = 0; height < 4; height++) {
    history.blocks.push({
      height: BigInt(height),
      timestamp: START + BigInt(60 * height),
      transactions: height === 1 ? [{ ...fields, transaction_hash: hash, block_height: 1n }] : [],
      expired_escrows: height === 3 ? [hash] : [],
    });
  }
  return history;
}

const OWN = addressOf(wallets[0]!);
const escrowOf = ({ blocks }: History) => (blocks[1]!.transactions as [Fields])[0];

/** Reads the blocks from a height on. Returns the movements as kind, amount and status. */
async function movementsOf(history: History, from = 0n) {
  const client = clientOf(history);
  const read = extendSpan(undefined, await client.blocks(from, 4), [OWN]);
  const span = await findOpenings(read, [OWN], hash => client.transaction(Buffer.from(hash, 'hex')));
  const movements = accountMovements(OWN, span);
  const rows = movements.map(({ kind, amount, status }) => `${kind} ${amount} ${status}`);
  return { movements, rows, isDetermined: isDetermined(span, movements) };
}

test('an escrow that was opened below the span is found by its hash', async () => {
  expect(await movementsOf(expiring(), 2n)).toMatchObject({
    rows: ['refund 331000000 expired', 'refund 50000000 expired'],
    isDetermined: true,
  });
});

test('a span in which an older escrow was found has its end once when it is extended down to the escrow', async () => {
  const client = clientOf(expiring());
  const upper = extendSpan(undefined, await client.blocks(2n, 2), [OWN]);
  const found = await findOpenings(upper, [OWN], hash => client.transaction(Buffer.from(hash, 'hex')));
  const span = extendSpan(found, await client.blocks(0n, 2), [OWN]);
  const whole = extendSpan(undefined, await client.blocks(0n, 4), [OWN]);
  expect(accountMovements(OWN, span)).toEqual(accountMovements(OWN, whole));
});

/** Adds a decision of the escrow to block 2. */
function decide(history: History, by: Wallet, changes: Fields = {}): void {
  const body = Buffer.concat([u32(0), Buffer.from(`${escrowOf(history).transaction_hash}`, 'hex')]);
  const rest = { recipient: NO_ACCOUNT, body, fee: 1n, message: Buffer.alloc(0) };
  const draft = { version: 1n, type: 4n, timestamp: START, sender: by.account, ...rest };
  const { fields, hash } = signDraft(draft, by, GENESIS);
  history.blocks[2]!.transactions = [{ ...fields, transaction_hash: hash, ...changes }];
}

const FALSE_ANSWERS: [name: string, change: (history: History) => void, from?: bigint][] = [
  ['a node that does not report the ends of escrows', ({ blocks }) => delete blocks[3]!.expired_escrows],
  [
    'an end before the timeout',
    ({ blocks }) => {
      blocks[2]!.expired_escrows = blocks[3]!.expired_escrows;
      blocks[3]!.expired_escrows = [];
    },
  ],
  ['a payment that does not have its hash', history => delete escrowOf(history).escrow],
  ['an end without a time', ({ blocks }) => delete blocks[3]!.timestamp],
  ['a decision and an end', history => decide(history, wallets[2]!)],
  [
    'a decision by another account',
    history => {
      decide(history, wallets[1]!);
      history.blocks[3]!.expired_escrows = [];
    },
  ],
  [
    'a decision that does not have its hash, before the timeout',
    history => {
      decide(history, wallets[2]!, { fee: 2n });
      history.blocks.length = 3;
    },
  ],
  ['an escrow that does not have its hash', history => (escrowOf(history).fee = 1n)],
  ['an older escrow that names a block of the span', history => (escrowOf(history).block_height = 2n), 2n],
  ['an older escrow that does not have its hash', history => (escrowOf(history).fee = 1n), 2n],
  [
    'an older escrow that is said to be of other accounts',
    history => (escrowOf(history).sender_account_address = addressOf(wallets[2]!)),
    2n,
  ],
  ['a transaction of another type', history => (escrowOf(history).transaction_type = 29n)],
  ['an older escrow that may end in a block without a list', h => delete h.blocks[3]!.expired_escrows, 2n],
];

test.each(FALSE_ANSWERS)('%s leaves the movements undetermined', async (...[, change, from]) => {
  const history = expiring();
  change(history);
  const { rows, isDetermined } = await movementsOf(history, from);
  expect(rows.filter(row => /refund|unlock/.test(row))).toEqual([]);
  expect(isDetermined).toBe(false);
});

test('of an older escrow with two ends, a row says that its end is not known', async () => {
  const history = expiring();
  const [end] = history.blocks[3]!.expired_escrows as string[];
  history.blocks[3]!.expired_escrows = [end, end];
  const { movements, rows, isDetermined } = await movementsOf(history, 2n);
  expect(rows).toEqual(['escrow undefined undetermined', 'commission undefined undetermined']);
  expect(movements.map(({ height, fee }) => [height, fee])).toEqual([
    [3n, 0n],
    [3n, 0n],
  ]);
  expect(isDetermined).toBe(false);
});

test('a block that does not list as many transactions as it counts is refused', async () => {
  const history = expiring();
  history.blocks[1]!.transaction_count = 1n;
  expect(await movementsOf(history)).toMatchObject({ isDetermined: true });
  history.blocks[1]!.transactions = [];
  await expect(movementsOf(history)).rejects.toMatchObject({ code: 'GATEWAY_MALFORMED' });
});

test.each([1, 2])('a transaction that block 1 has, repeated in block %d, is refused', async height => {
  const history = expiring();
  const block = history.blocks[height]!;
  block.transactions = [...(block.transactions as Fields[]), escrowOf(history)];
  const all = await clientOf(history).blocks(0n, 4);
  expect(() => extendSpan(undefined, all, [OWN])).toThrow(UnlinkedBlocksError);
  if (height === 1) return;
  const [lower, upper] = [all.slice(0, 2), all.slice(2)];
  expect(() => extendSpan(extendSpan(undefined, lower, [OWN]), upper, [OWN])).toThrow(UnlinkedBlocksError);
  expect(() => extendSpan(extendSpan(undefined, upper, [OWN]), lower, [OWN])).toThrow(UnlinkedBlocksError);
});

test('a fee in a token, and a reward that the gateway lists, are not determined', async () => {
  const client = clientOf(expiring());
  const span = extendSpan(undefined, await client.blocks(0n, 4), [OWN]);
  const content = { kind: 'token', tokenId: 7n, amount: 5n } as const;
  const [escrow] = span.activities;
  const paid = { ...escrow!, content, escrow: undefined };
  const of = (activity: typeof paid) => {
    const changed = { ...span, activities: [activity], endings: [] };
    return isDetermined(changed, accountMovements(OWN, changed));
  };
  expect(of(paid)).toBe(true);
  expect(of({ ...paid, content: { ...content, feeInToken: true } } as never)).toBe(false);
  const reward = { kind: 'reward', account: OWN, tokenId: 0n, amount: 5n, blockHeight: 2n };
  const movements = accountMovements(OWN, span, { transactions: [], movements: [reward] });
  expect(movements.map(({ kind }) => kind)).toEqual(['escrow', 'commission', 'reward', 'refund', 'refund']);
  expect(isDetermined(span, movements)).toBe(false);
});

test.each([
  ['fewer movements than were asked for', [9n, 5n], 3, true],
  ['a movement below the span', [9n, 5n, 4n], 3, true],
  ['only movements of the span, the oldest in its first block', [9n, 6n, 5n], 3, false],
])('of the newest movements, %s', async (_, heights, limit, listsAll) => {
  const newest = heights.map(blockHeight => ({
    kind: 'reward',
    account: OWN,
    tokenId: 0n,
    amount: 5n,
    blockHeight,
  }));
  const span = { ...extendSpan(undefined, await clientOf(expiring()).blocks(0n, 2), [OWN]), from: 5n };
  expect(listsAllRewards(span, newest, limit)).toBe(listsAll);
});

test.each([-(2n ** 63n), 2n ** 63n - 1n])('a time that no date represents is a number: %d', seconds => {
  expect(formatUtc(seconds)).toBe(`${seconds}`);
});

test('a CSV has one row a movement, with bare numbers, and guards the texts against formulas', async () => {
  const history = expiring();
  const [, to, approver] = wallets.map(addressOf);
  const hash = escrowOf(history).transaction_hash;
  const { movements } = await movementsOf(history);
  const pending = { ...movements[0]!, height: undefined, status: 'pending' } as const;
  const token = { ...movements[0]!, tokenId: 7n, amount: -5n, fee: 0n };
  const csv = formatCsv([...movements, pending, token], [{ id: 7n, symbol: '@SUM(A1)', decimals: 2 }]);
  const [opened, ended] = ['2027-01-15T08:01:00.000Z', '2027-01-15T08:03:00.000Z'];
  expect(csv.split('\r\n')).toEqual([
    'date,type,amount,unit,fee,counterparty,hash,status,message',
    `${opened},"escrow",-3.31,"ZBC",0.025,"${to}",${hash},expired,"'=1+1, a"`,
    `${opened},"commission",-0.5,"ZBC",0,"${approver}",${hash},expired,"'=1+1, a"`,
    `${ended},"refund",3.31,"ZBC",0,"${to}",${hash},expired,"'=1+1, a"`,
    `${ended},"refund",0.5,"ZBC",0,"${approver}",${hash},expired,"'=1+1, a"`,
    `${opened},"escrow",-0.05,"'@SUM(A1) (token 7)",0,"${to}",${hash},expired,"'=1+1, a"`,
    '',
  ]);
});
