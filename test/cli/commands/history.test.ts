import { OTHER, OWN } from '../../../testkit/gateway/chain-answers.js';
import { answer, FakeGateway } from '../../../testkit/gateway/fake-gateway.js';
import { runCommand } from '../../../testkit/process/cli.js';

const hashOf = (digit: string, height: number) => digit.repeat(32) + height.toString(16).padStart(32, '0');

/** Returns the JSON of a payment of one atomic unit, in the block of this height. */
function payment(digit: string, sender: string, height: number, rest = ''): string {
  return (
    `{"transaction_hash":"${hashOf(digit, height)}","transaction_type":1,"timestamp":1800000000,"fee":1,` +
    `"sender_account_address":"${sender}","recipient_account_address":"${OTHER}",` +
    `"transaction_body_bytes":"0100000000000000","block_height":${height}${rest}}`
  );
}

const block = (height: number, ...transactions: string[]) =>
  `{"height":${height},"transactions":[${transactions.join()}]}`;
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

let gateway: FakeGateway;
let api: string;

/**
 * Answers with blocks 0 to 200. Each has a payment of others; blocks 5 and 101 also have one of this account.
 */
beforeEach(async () => {
  const others = range(101, 200).map(height => payment('a', OTHER, height));
  const held = `,"escrow":{"approver_address":"${OWN}","commission":1,"timeout":1900000000,"instruction":"ship first"},"escrow_status":"held"`;
  gateway = new FakeGateway()
    .on('GET /api/v1/transactions', answer(`{"transactions":[${others.reverse().join()}]}`))
    .on('GET /api/v1/movements/latest', answer('{"movements":[]}'))
    .on(
      'GET /api/v1/blocks',
      // A node sends fewer blocks than requested if they are large.
      answer(
        `{"blocks":[${range(2, 50).map(height => block(height, ...(height === 5 ? [payment('c', OTHER, 5, held)] : [])))}]}`,
      ),
      answer(
        `{"blocks":[${range(51, 101).map(height => block(height, payment('a', OTHER, height), ...(height === 101 ? [payment('b', OWN, height)] : [])))}]}`,
      ),
      answer(`{"blocks":[${[block(0), block(1, payment('b', OWN, 1))]}]}`),
    );
  api = await gateway.start();
});
afterEach(() => gateway.stop());

const run = (...words: string[]) => runCommand([...words, '--address', OWN, '--api', api, '--json']);
const blocksAsked = () =>
  gateway.requests
    .filter(({ path }) => path.startsWith('/api/v1/blocks'))
    .map(({ path }) => path.split('?')[1]);

test('history finds transactions older than the newest 100 of the chain, each once and newest first', async () => {
  const { code, stdout } = await run('history');
  expect(code).toBe(0);
  const { entries } = JSON.parse(stdout) as { entries: { transaction_hash: string }[] };
  expect(entries.map(entry => entry.transaction_hash)).toEqual([hashOf('b', 101), hashOf('b', 1)]);
  expect(blocksAsked()).toEqual(['from=2&limit=100', 'from=51&limit=51', 'from=0&limit=2']);
});

test('history stops at --limit and at --from-block', async () => {
  expect(JSON.parse((await run('history', '--limit', '1')).stdout).entries).toHaveLength(1);
  expect(blocksAsked()).toEqual(['from=2&limit=100', 'from=51&limit=51']);
  gateway.on('GET /api/v1/blocks', answer(`{"blocks":[${block(101, payment('b', OWN, 101))}]}`));
  expect(JSON.parse((await run('history', '--from-block', '101')).stdout).entries).toHaveLength(1);
  expect(blocksAsked().slice(2)).toEqual(['from=101&limit=1']);
});

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
        transaction_hash: hashOf('c', 5),
        escrow: { approver: OWN, commission: 1, timeout: 1_900_000_000, instruction: 'ship first' },
        escrow_status: 'held',
      },
    ],
    opened: [],
  });
});

test('blocks of other heights are an invalid response, and do not cause an endless search', async () => {
  gateway.on('GET /api/v1/blocks', answer(`{"blocks":[${block(7)}]}`));
  const { code, stdout } = await run('history');
  expect([code, JSON.parse(stdout).error.code]).toEqual([9, 'GATEWAY_MALFORMED']);
});
