import { encodeAccount, parseAccount } from '@zbc-signer/chain';
import { stringify } from 'lossless-json';
import { type Draft, type Fields, NO_ACCOUNT, signDraft, Wallet } from '../../../testkit/chain/wallet.js';
import { u32, u64 } from '../../../testkit/crypto/little-endian.js';
import { OTHER, OWN } from '../../../testkit/gateway/chain-answers.js';
import { answer, FakeGateway } from '../../../testkit/gateway/fake-gateway.js';
import { runCommand } from '../../../testkit/process/cli.js';

const SIGNER = Wallet.numbered(1);
const accountOf = (address: string) => Buffer.from(encodeAccount(parseAccount(address)));

/** Returns the JSON of a payment of one atomic unit to OTHER, or of what `changes` makes of it. */
function payment(sender: string, height: number, changes: Partial<Draft> = {}): Fields {
  const draft = {
    version: 1n,
    type: 1n,
    timestamp: 1_800_000_000n + BigInt(height),
    fee: 1n,
    sender: accountOf(sender),
    recipient: accountOf(OTHER),
    body: u64(1n),
    message: Buffer.alloc(0),
    ...changes,
  };
  const { fields, hash } = signDraft(draft, SIGNER, Buffer.alloc(32));
  return { ...fields, transaction_hash: hash, block_height: BigInt(height) };
}

const hashOf = ({ transaction_hash }: Fields) => `${transaction_hash}`;
const hashBytes = (of: Fields) => Buffer.from(hashOf(of), 'hex');
const ESCROW = {
  approver: accountOf(OWN),
  commission: 2n,
  timeout: 1_900_000_000n,
  instruction: 'ship first',
};
const FIRST = payment(OWN, 1);
const HELD = payment(OTHER, 5, { escrow: ESCROW });
const OPENED = payment(OWN, 50, { escrow: { ...ESCROW, approver: accountOf(OTHER) } });
const OF_OTHERS = payment(OTHER, 51, { escrow: { ...ESCROW, approver: accountOf(OTHER) } });
const LAST = payment(OWN, 101);
const reject = (escrow: Fields, height: number) => {
  const body = Buffer.concat([u32(1), hashBytes(escrow)]);
  return payment(OTHER, height, { type: 4n, recipient: NO_ACCOUNT, body });
};

const OF_HEIGHT: Record<number, Fields[]> = {
  1: [FIRST],
  5: [HELD],
  50: [OPENED],
  51: [OF_OTHERS],
  101: [LAST],
  150: [reject(OPENED, 150), reject(OF_OTHERS, 150)],
};
/** The blocks have payments of others, and those of `OF_HEIGHT`. */
const blocks = (from: number, to: number) =>
  answer(
    stringify({
      blocks: Array.from({ length: to - from + 1 }, (_, at) => ({
        height: from + at,
        transactions: OF_HEIGHT[from + at] ?? [payment(OTHER, from + at)],
        expired_escrows: [],
      })),
    })!,
  );

let gateway: FakeGateway;
let api: string;

/** Answers with the blocks 0 to 200. */
beforeEach(async () => {
  gateway = new FakeGateway()
    .on('GET /api/v1/transactions', answer('{"transactions":[]}'))
    .on('GET /api/v1/movements/latest', answer('{"movements":[]}'))
    .on('GET /api/v1/blockchain/status', answer('{"height":200}'))
    .on(`GET /api/v1/transactions/${hashOf(OPENED)}`, answer(stringify(OPENED)!))
    .on(`GET /api/v1/transactions/${hashOf(OF_OTHERS)}`, answer(stringify(OF_OTHERS)!))
    // A node sends fewer blocks than requested if they are large.
    .on('GET /api/v1/blocks', blocks(101, 200), blocks(1, 50), blocks(51, 100), blocks(0, 0));
  api = await gateway.start();
});
afterEach(() => gateway.stop());

const run = (...words: string[]) => runCommand([...words, '--address', OWN, '--api', api, '--json']);
const blocksAsked = () =>
  gateway.requests
    .filter(({ path }) => path.startsWith('/api/v1/blocks'))
    .map(({ path }) => path.split('?')[1]);

test('history finds the movements of all blocks, each once and newest first', async () => {
  const { code, stdout } = await run('history', '--limit', '100');
  expect(code).toBe(0);
  const { entries, ...rest } = JSON.parse(stdout);
  expect(rest).toEqual({ address: OWN, from_block: 0, determined: true });
  expect(entries.map((entry: Fields) => [entry.kind, entry.amount, entry.fee, entry.status])).toEqual([
    ['refund', 2, 0, 'rejected'],
    ['refund', 1, 0, 'rejected'],
    ['sent', -1, 1, 'confirmed'],
    ['commission', -2, 0, 'rejected'],
    ['escrow', -1, 1, 'rejected'],
    ['escrow', 0, 0, 'held'],
    ['sent', -1, 1, 'confirmed'],
  ]);
  expect(entries.at(-1)).toMatchObject({ counterparty: OTHER, transaction_hash: hashOf(FIRST) });
  expect(blocksAsked()).toEqual([
    'from=101&limit=100',
    'from=1&limit=100',
    'from=51&limit=50',
    'from=0&limit=1',
  ]);
});

test('history stops at --limit and at --from-block, and then finds by their hashes the escrows that ended', async () => {
  const limited = JSON.parse((await run('history', '--limit', '1')).stdout);
  expect(limited).toMatchObject({ from_block: 101, determined: false });
  expect(limited.entries).toMatchObject([{ kind: 'refund', amount: 2, transaction_hash: hashOf(OPENED) }]);
  expect(blocksAsked()).toEqual(['from=101&limit=100']);
  gateway.on('GET /api/v1/blocks', blocks(101, 200));
  const found = JSON.parse((await run('history', '--from-block', '101')).stdout);
  expect([found.entries.length, found.determined]).toEqual([3, true]);
  expect(blocksAsked().slice(1)).toEqual(['from=101&limit=100']);
});

test('history --csv prints one row a movement, oldest first', async () => {
  const { stdout } = await runCommand(['history', '--csv', '--address', OWN, '--api', api]);
  const rows = stdout
    .trim()
    .split('\r\n')
    .map(row => row.split(','));
  expect(rows.map(([, kind, amount, unit]) => [kind, amount, unit])).toEqual([
    ['type', 'amount', 'unit'],
    ['"sent"', '-0.00000001', '"ZBC"'],
    ['"escrow"', '-0.00000001', '"ZBC"'],
    ['"commission"', '-0.00000002', '"ZBC"'],
    ['"sent"', '-0.00000001', '"ZBC"'],
    ['"refund"', '0.00000001', '"ZBC"'],
    ['"refund"', '0.00000002', '"ZBC"'],
  ]);
});

test.each([
  [101, false],
  [100, true],
])(
  'with the newest 100 movements down to block %d, no reward can be missing: %p',
  async (oldest, expected) => {
    const height = (at: number) => (at === 99 ? oldest : 200);
    const movements = Array.from({ length: 100 }, (_, at) => ({
      kind: 'reward',
      address: OTHER,
      amount: 1,
      block_height: height(at),
    }));
    gateway.on('GET /api/v1/movements/latest', answer(JSON.stringify({ movements })));
    expect(JSON.parse((await run('history', '--from-block', '101')).stdout).determined).toBe(expected);
  },
);

test('history waits when the gateway limits the rate of requests before its first list', async () => {
  const limited = Array.from({ length: 4 }, () => answer('', 429));
  gateway.on('GET /api/v1/movements/latest', ...limited, answer('{"movements":[]}'));
  expect((await run('history', '--limit', '1')).code).toBe(0);
});

test('escrow list finds an escrow that is pending in an old block', async () => {
  const { code, stdout } = await run('escrow', 'list');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    address: OWN,
    to_decide: [
      {
        transaction_hash: hashOf(HELD),
        escrow: { approver: OWN, commission: 2, timeout: 1_900_000_000, instruction: 'ship first' },
        escrow_status: 'held',
      },
    ],
    opened: [],
  });
});

test('blocks of other heights are an invalid response, and do not cause an endless search', async () => {
  gateway.on('GET /api/v1/blocks', blocks(7, 7));
  const { code, stdout } = await run('history');
  expect([code, JSON.parse(stdout).error.code]).toEqual([9, 'GATEWAY_MALFORMED']);
});
