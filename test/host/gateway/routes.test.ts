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
    route: 'GET /api/v1/exchange/markets',
    call: () => client.markets(),
    body: `{"markets":[{"market_id":-${BIG},"base_token_id":1,"quote_token_id":0,"status":"open","opened_height":4,"last_price":5,"volume_24h":6},{"market_id":2,"base_token_id":1,"quote_token_id":3,"last_price":"none"}]}`,
    record: [
      {
        id: -9007199254740995n,
        baseTokenId: 1n,
        quoteTokenId: 0n,
        status: 'open',
        openedHeight: 4n,
        lastPrice: 5n,
        volume24h: 6n,
      },
      { id: 2n, baseTokenId: 1n, quoteTokenId: 3n },
    ],
  },
  {
    route: 'GET /api/v1/exchange/orderbook',
    call: () => client.orderBook(-42n),
    body: `{"market_id":-42,"bids":[{"price":${BIG},"amount":2,"orders":1}],"asks":[]}`,
    record: { marketId: -42n, bids: [{ price: 9007199254740995n, amount: 2n, orders: 1 }], asks: [] },
  },
  {
    route: 'GET /api/v1/exchange/offers',
    call: () => client.offers(),
    body: `{"offers":[{"offer_id":-${BIG},"account_hex":"${ACCOUNT_HEX}","address":"${address}","gives":[{"token_id":1,"amount":2}],"wants":[{"token_id":0,"amount":3}],"expires_at":9,"status":"open"},{"offer_id":"${LINE}"}]}`,
    record: [
      {
        id: '-9007199254740995',
        account: address,
        gives: [{ tokenId: 1n, amount: 2n }],
        wants: [{ tokenId: 0n, amount: 3n }],
        expiresAt: 9n,
        status: 'open',
      },
      { id: '[31mred', gives: [], wants: [] },
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
    route: 'GET /api/v1/registry/nodes',
    call: () => client.registry('nodes'),
    body: `{"nodes":[{"public_key":"${HASH}","ip":"203.0.113.7","port":8884,"version":"0.4.0","registered_height":1}]}`,
    record: [{ publicKey: HASH, ip: '203.0.113.7', port: 8884, version: '0.4.0', registeredHeight: 1n }],
  },
  {
    route: 'GET /api/v1/registry/gateways',
    call: () => client.registry('gateways'),
    body: `{"gateways":[{"public_key":"${LINE}","host":"gateway.example"}]}`,
    record: [{ publicKey: '[31mred', host: 'gateway.example' }],
  },
  {
    route: 'GET /api/v1/registry/relays',
    call: () => client.registry('relays'),
    body: `{"relays":[{"public_key":"ZBR","address":"ZBR_X","rate":${BIG}}]}`,
    record: [{ publicKey: 'ZBR', address: 'ZBR_X', rate: 9007199254740995n }],
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
  {
    route: 'GET /gateway/system-stats',
    call: () => client.systemStats(),
    body: `{"cpu":{"count":2,"load_average":[0.5,1,2]},"memory":{"total_bytes":${BIG},"free_bytes":1,"process_bytes":2},"disk":{"total_bytes":3,"free_bytes":4},"uptime":{"system_seconds":5,"process_seconds":0.25}}`,
    record: {
      cpuCount: 2,
      memoryTotalBytes: 9007199254740995n,
      memoryFreeBytes: 1n,
      diskTotalBytes: 3n,
      diskFreeBytes: 4n,
      systemSeconds: 5,
      processSeconds: 0.25,
    },
  },
  {
    route: 'GET /relay/info',
    call: () => client.relayInfo(),
    body: `{"address":"${LINE}","rate":${BIG},"genesis_hash":"${HASH.toUpperCase()}"}`,
    record: { address: '[31mred', rate: 9007199254740995n, genesisHash: HASH_BYTES },
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
    ['GET /api/v1/exchange/markets', () => client.markets(), '{"markets":[{"market_id":1.5}]}', 'market_id'],
    [
      'GET /api/v1/exchange/orderbook',
      () => client.orderBook(1n),
      '{"bids":[{"price":-1,"amount":1}]}',
      'price',
    ],
    ['GET /api/v1/exchange/offers', () => client.offers(), '{"offers":[{}]}', 'offer_id'],
    [
      'GET /api/v1/release/list',
      () => client.releases(),
      '{"releases":[{"version":"1","files":[{"name":"x","sha256":"ab"}]}]}',
      'sha256',
    ],
    ['GET /api/v1/registry/nodes', () => client.registry('nodes'), '{"nodes":[{}]}', 'public_key'],
    ['GET /api/v1/registry/nodes', () => client.registry('nodes'), '{"relays":[]}', 'nodes'],
    [
      'GET /gateway/status',
      () => client.gatewayStatus(),
      '{"mode":"private","domain":"x","nodes":[{"ip":"1.2.3.4","port":-1,"answers":true}]}',
      'port',
    ],
    ['GET /relay/info', () => client.relayInfo(), '{"address":"x","genesis_hash":"ab"}', 'genesis_hash'],
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
    gateway.on('GET /api/v1/exchange/markets', answer(`[${Array(10_001).fill('{}').join()}]`));
    expect(await codeOf(client.markets())).toEqual([
      'GATEWAY_MALFORMED',
      expect.stringContaining('more than 10000 markets'),
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
    ['exchange/orderbook', () => client.orderBook(9n), '{"market_id":8,"bids":[],"asks":[]}'],
    ['exchange/orderbook', () => client.orderBook(9n), '{"market_id":"9.0","bids":[],"asks":[]}'],
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

describe('a 404 with a body means that there is no', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['block', () => client.block(9n)],
    ['market', () => client.orderBook(9n)],
    ['relay', () => client.relayInfo()],
  ])('%s', async (_name, call) => {
    expect(await call()).toBeUndefined();
  });
});
