import { ExplorerClient } from '#host/explorer.js';
import { answer, FakeGateway } from '../../../testkit/gateway/fake-gateway.js';
import { accounts, transactions } from '../../../testkit/repository/vectors.js';

const HASH = 'ab'.repeat(32);
const HASH_BYTES = new Uint8Array(32).fill(0xab);
const { address, public_key } = accounts.cases[0]!;
const ACCOUNT_HEX = `00000000${public_key}`;
const BIG = '9007199254740995';
const LINE = '\\u001b[31mred\\u202e';

let gateway: FakeGateway;
let client: ExplorerClient;
beforeEach(async () => {
  gateway = new FakeGateway();
  client = new ExplorerClient(await gateway.start(), { timeoutMs: 2000 });
});
afterEach(() => gateway.stop());

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    error => [error.code, error.message],
  );

interface Route {
  route: string;
  call: () => Promise<unknown>;
  body: string;
  record: unknown;
}

const transaction = (changes = '') =>
  `{"transaction_hash":"${HASH.toUpperCase()}","transaction_type":1,"timestamp":1800000000,"fee":${BIG},` +
  `"sender_account_address":"${ACCOUNT_HEX}","recipient_account_address":"${address}","transaction_body_bytes":"00e1f50500000000"${changes}}`;
const listed = {
  hash: HASH_BYTES,
  type: 1,
  timestamp: 1_800_000_000n,
  fee: 9007199254740995n,
  sender: address,
  recipient: address,
  content: { kind: 'coins', amount: 100_000_000n },
};

/**
 * Answers in the formats of docs/gateway/routes.md. Their integers exceed the range in which doubles are
 * exact, and their texts contain terminal control codes.
 */
const ROUTES: Route[] = [
  {
    route: 'GET /api/v1/blocks/latest',
    call: () => client.block(),
    body: `{"height":${BIG},"block_hash":"${HASH.toUpperCase()}","previous_block_hash":"0x${HASH}","timestamp":5,"transaction_count":1,"transactions":[${transaction()}]}`,
    record: {
      height: 9007199254740995n,
      hash: HASH_BYTES,
      previousHash: HASH_BYTES,
      timestamp: 5n,
      transactionCount: 1,
      transactions: [{ ...listed, isVerified: false }],
    },
  },
  {
    route: 'GET /api/v1/blocks/7',
    call: () => client.block(7n),
    body: '{"height":7}',
    record: { height: 7n, transactions: [] },
  },
  {
    route: 'GET /api/v1/transactions',
    call: () => client.recentTransactions(5),
    body: `{"transactions":[${transaction(`,"status":"${LINE}","block_height":3,"message_hex":"6869","escrow_status":"held"`)}]}`,
    record: [
      {
        ...listed,
        stage: '[31mred',
        blockHeight: 3n,
        message: new Uint8Array([0x68, 0x69]),
        escrowState: 'held',
      },
    ],
  },
  {
    route: 'GET /api/v1/movements/latest',
    call: () => client.movements(5),
    body: `{"movements":[{"kind":"refund","address":"${address}","account_hex":"${ACCOUNT_HEX}","token_id":-42,"amount":${BIG},"block_height":1,"timestamp":2,"transaction_hash":"${HASH}"},{"kind":"${LINE}","account_hex":"${ACCOUNT_HEX}","amount":1}]}`,
    record: [
      {
        kind: 'refund',
        account: address,
        tokenId: -42n,
        amount: 9007199254740995n,
        blockHeight: 1n,
        timestamp: 2n,
        transactionHash: HASH_BYTES,
      },
      { kind: '[31mred', account: address, tokenId: 0n, amount: 1n },
    ],
  },
  {
    route: 'GET /api/v1/release/list',
    call: () => client.releases(),
    body: `{"releases":[{"version":"${LINE}","released_at":9,"files":[{"arch":"linux-x64","name":"node.tar.gz","size":${BIG},"sha256":"${HASH.toUpperCase()}"}]}]}`,
    record: [
      {
        version: '[31mred',
        releasedAt: 9n,
        files: [
          { architecture: 'linux-x64', name: 'node.tar.gz', sizeBytes: 9007199254740995n, sha256: HASH },
        ],
      },
    ],
  },
  {
    route: 'GET /gateway/status',
    call: () => client.gatewayStatus(),
    body: `{"mode":"private","domain":"${LINE}","version":"1.0.0","uptime_seconds":1.5,"allowlisted":1,"answering":0,"nodes":[{"ip":"127.0.0.1","port":8884,"role":"full","answers":false}]}`,
    record: {
      mode: 'private',
      domain: '[31mred',
      version: '1.0.0',
      uptimeSeconds: 1.5,
      allowlisted: 1,
      answering: 0,
      nodes: [{ ip: '127.0.0.1', port: 8884, role: 'full', answers: false }],
    },
  },
];

test.each(ROUTES)(
  '$route is read with all digits of its numbers and with cleaned texts',
  async ({ route, call, body, record }) => {
    gateway.on(route, answer(body));
    expect(await call()).toEqual(record);
  },
);

test.each(ROUTES)('$route ignores an unknown field', async ({ route, call, body, record }) => {
  gateway.on(route, answer(body.replace(/\}$/, ',"never_heard_of":{"x":[1.5,null]}}')));
  expect(await call()).toEqual(record);
});

describe('an error about a malformed required field names the field', () => {
  test.each<[string, () => Promise<unknown>, string, string]>([
    ['GET /api/v1/blocks/latest', () => client.block(), '{"height":"x"}', 'height'],
    [
      'GET /api/v1/transactions',
      () => client.recentTransactions(5),
      `{"transactions":[${transaction().replace('"fee"', '"free"')}]}`,
      'fee',
    ],
    [
      'GET /api/v1/transactions',
      () => client.recentTransactions(5),
      `{"transactions":[${transaction().replace('00e1f5', '00e1f')}]}`,
      'transaction_body_bytes',
    ],
    [
      'GET /api/v1/movements/latest',
      () => client.movements(5),
      '{"movements":[{"kind":"reward","account_hex":"00"}]}',
      'amount',
    ],
    [
      'GET /api/v1/release/list',
      () => client.releases(),
      '{"releases":[{"version":"1","files":[{"name":"x","sha256":"ab"}]}]}',
      'sha256',
    ],
    [
      'GET /gateway/status',
      () => client.gatewayStatus(),
      '{"mode":"private","domain":"x","nodes":[{"ip":"1.2.3.4","port":-1,"answers":true}]}',
      'port',
    ],
  ])('%s', async (route, call, body, field) => {
    gateway.on(route, answer(body));
    expect(await codeOf(call())).toEqual(['GATEWAY_MALFORMED', expect.stringContaining(field)]);
  });
});

describe('lists', () => {
  test('are cut to the requested limit', async () => {
    gateway.on('GET /api/v1/transactions', answer(`[${Array(9).fill(transaction()).join()}]`));
    expect(await client.recentTransactions(2)).toHaveLength(2);
    expect(gateway.requests[0]!.path).toBe('/api/v1/transactions?limit=2');
  });

  test('that never end are refused', async () => {
    gateway.on('GET /api/v1/tokens', answer(`[${Array(10_001).fill('{}').join()}]`));
    expect(await codeOf(client.tokens())).toEqual([
      'GATEWAY_MALFORMED',
      expect.stringContaining('more than 10000 tokens'),
    ]);
  });
});

describe('the content of a listed transaction', () => {
  const contentOf = async (type: number, body: string) => {
    const changed = transaction()
      .replace('"transaction_type":1', `"transaction_type":${type}`)
      .replace('00e1f50500000000', body);
    gateway.on('GET /api/v1/transactions', answer(`[${changed}]`));
    return (await client.recentTransactions(1))[0]!.content;
  };

  test('is an amount of coins, whatever bytes follow it', async () => {
    expect(await contentOf(1, 'ffffffffffffffff00')).toEqual({ kind: 'coins', amount: 2n ** 64n - 1n });
  });

  test('is a signed token id with a signed amount', async () => {
    const body = `d6${'ff'.repeat(7)}0100000000000000`;
    expect(await contentOf(11, body)).toEqual({ kind: 'token', tokenId: -42n, amount: 1n });
  });

  test('is a decision on an escrow', async () => {
    const vector = transactions.cases.find(({ name }) => name === 'escrow approve, coin')!;
    const hash = vector.tx.slice(-80, -16);
    expect(await contentOf(4, `00000000${hash}`)).toEqual({
      kind: 'decision',
      approval: 'approve',
      escrowHash: new Uint8Array(Buffer.from(hash, 'hex')),
    });
  });

  test.each<[number, string]>([
    [1, '00e1f505'],
    [11, '00e1f50500000000'],
    [4, '00000000'],
    [29, '00e1f50500000000'],
  ])('is not guessed for type %d with the body %s', async (type, body) => {
    expect(await contentOf(type, body)).toEqual({ kind: 'other' });
  });
});

test('an account of an unknown kind is shown as its cleaned text', async () => {
  const body = transaction().replace(ACCOUNT_HEX, `ff000000${LINE}`).replace(`"${address}"`, '"02000000"');
  gateway.on('GET /api/v1/transactions', answer(`[${body}]`));
  expect(await client.recentTransactions(1)).toMatchObject([
    { sender: 'ff000000[31mred', recipient: undefined },
  ]);
});

describe('an answer that repeats another question, or one that cannot be read, is refused', () => {
  const other = accounts.cases[1]!.address;
  const OTHER_HEX = `00000000${accounts.cases[1]!.public_key}`;
  const other32 = 'cd'.repeat(32);
  test.each<[string, () => Promise<unknown>, string]>([
    [
      `accounts/${address}`,
      () => client.account(address),
      `{"address":"${other}","balance":1,"spendable_balance":1}`,
    ],
    ...['"ZBC_"', '"ff"', '7', '{}', '""'].map((text): [string, () => Promise<unknown>, string] => [
      `accounts/${address}`,
      () => client.account(address),
      `{"address":${text},"balance":1,"spendable_balance":1}`,
    ]),
    [
      `accounts/${ACCOUNT_HEX}`,
      () => client.account(ACCOUNT_HEX),
      `{"account_hex":"${OTHER_HEX}","balance":1,"spendable_balance":1}`,
    ],
    [`accounts/${address}/tokens`, () => client.accountTokens(address), `{"address":"${other}","tokens":[]}`],
    ['tokens/-42', () => client.token(-42n), '{"token_id":42,"decimals":1}'],
    ['tokens/-42', () => client.token(-42n), '{"token_id":"USDX","decimals":1}'],
    ['blocks/9', () => client.block(9n), '{"height":8,"transactions":[]}'],
    ['blocks', () => client.blocks(9n, 1), '{"blocks":[{"height":8,"transactions":[]}]}'],
    [
      `transactions/${HASH}`,
      () => client.transaction(HASH_BYTES),
      transaction().replace(HASH.toUpperCase(), other32),
    ],
    [
      `transactions/${HASH}`,
      () => client.storedTransaction(HASH_BYTES),
      transaction(`,"signature":"${'00'.repeat(64)}"`).replace(HASH.toUpperCase(), other32),
    ],
  ])('%s', async (route, call, body) => {
    gateway.on(`GET /api/v1/${route}`, answer(body));
    expect(await codeOf(call())).toEqual(['GATEWAY_MALFORMED', expect.any(String)]);
  });

  test('but not one that repeats the account in another form', async () => {
    const body = `{"address":"${address}","account_hex":"0x${ACCOUNT_HEX}","balance":1,"spendable_balance":1}`;
    gateway.on(`GET /api/v1/accounts/${ACCOUNT_HEX.toUpperCase()}`, answer(body));
    expect(await client.account(ACCOUNT_HEX.toUpperCase())).toEqual({ balance: 1n, spendable: 1n });
  });
});

test('a 404 with a body means that there is no block', async () => {
  expect(await client.block(9n)).toBeUndefined();
});
