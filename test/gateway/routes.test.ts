import { encodeAddress } from '@zbc-signer/chain';
import { DEVNET_GENESIS_HASH } from '@zbc-signer/devnet';
import { type Fields, Wallet } from '../../testkit/chain/wallet.js';
import { Network, START } from '../../testkit/devnet/network.js';
import { GRANT_ATOMS, HERON } from '../../testkit/devnet/payment.js';

const alice = Wallet.numbered(1);
const bob = Wallet.numbered(2);

let network: Network;
beforeEach(async () => {
  network = await Network.open();
});
afterEach(async () => {
  expect(network.errors).toEqual([]);
  await network.close();
});

async function failure(reply: Promise<{ status: number; body: Fields }>): Promise<[unknown, unknown]> {
  const { status, body } = await reply;
  expect(body).toEqual({ success: false, error: expect.any(String), code: BigInt(status) });
  return [status, body.error];
}

describe('GET /api/v1/node/info', () => {
  test('reports the chain and its signing version', async () => {
    network.blocks(3);
    expect((await network.get('/api/v1/node/info')).body).toEqual({
      genesis_hash: DEVNET_GENESIS_HASH,
      signing_version: 2n,
      signing_tag: 'ZBC-TX',
      height: 3n,
      version: expect.any(String),
      peer_count: 0n,
      synced: true,
    });
    expect(DEVNET_GENESIS_HASH).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('the blocks', () => {
  test('start with the genesis', async () => {
    const { body } = await network.get('/api/v1/blockchain/status');
    const latest_block = expect.objectContaining({ height: 0n, block_hash: DEVNET_GENESIS_HASH });
    expect(body).toEqual({ height: 0n, confirmed_height: 0n, latest_block });
  });

  test('follow each other by hash and never go back in time', async () => {
    network.blocks(1);
    const first = (await network.get('/api/v1/blocks/latest')).body;
    network.timestamp -= 500n;
    network.blocks(1);
    const second = (await network.get('/api/v1/blocks/latest')).body;
    expect(first).toMatchObject({ height: 1n, previous_block_hash: DEVNET_GENESIS_HASH, timestamp: START });
    expect(second).toMatchObject({ height: 2n, previous_block_hash: first.block_hash, timestamp: START });
  });

  test('show their transactions in full', async () => {
    await network.fund(alice);
    const { body } = await network.get('/api/v1/blocks/latest');
    expect(body).toMatchObject({ height: 1n, transaction_count: 4n });
    expect(body.transactions).toHaveLength(4);
  });
});

describe('GET /api/v1/blockchain/estimate-fee', () => {
  test.each([
    [1, 8, 2_500_000n],
    [4, 36, 2_500_000n],
    [11, 17, 2_500_000n],
    [1, 37, 2_501_000n],
    [7, 1036, 3_500_000n],
  ])('estimates for type %s and a body of %s bytes a fee of %s', async (type, length, minimum_fee) => {
    const { body } = await network.get(`/api/v1/blockchain/estimate-fee?type=${type}&body_length=${length}`);
    expect(body).toEqual({ minimum_fee, timestamp: START });
  });

  test.each([
    '',
    '?type=1',
    '?body_length=8',
    '?type=x&body_length=8',
    '?type=1&body_length=-1',
    '?type=1&type=2&body_length=8',
  ])('refuses the query "%s"', async query => {
    const [status] = await failure(network.get(`/api/v1/blockchain/estimate-fee${query}`));
    expect(status).toBe(400);
  });
});

describe('GET /api/v1/accounts', () => {
  beforeEach(() => network.fund(alice));

  test.each([
    ['address', encodeAddress(alice.publicKey)],
    [
      'address in small letters without separators',
      encodeAddress(alice.publicKey).toLowerCase().replaceAll('_', ''),
    ],
    ['address with spaces', encodeURIComponent(encodeAddress(alice.publicKey).replaceAll('_', ' '))],
    ['hex', alice.hex],
    ['hex in capitals', alice.hex.toUpperCase()],
  ])('finds an account by %s', async (_what, name) => {
    expect((await network.get(`/api/v1/accounts/${name}`)).body).toEqual({
      address: encodeAddress(alice.publicKey),
      account_hex: alice.hex,
      balance: GRANT_ATOMS,
      spendable_balance: GRANT_ATOMS,
      locked_balance: 0n,
    });
  });

  test('lists the tokens of an account by id, with the fields that are needed to show them', async () => {
    const { body } = await network.get(`/api/v1/accounts/${alice.hex}/tokens`);
    const holding = (token_id: bigint, decimals: bigint, balance: bigint) =>
      expect.objectContaining({
        token_id,
        decimals,
        balance,
        spendable_balance: balance,
        locked_balance: 0n,
      });
    expect(body.tokens).toEqual([
      holding(HERON, 3n, 5_000n),
      holding(1n, 8n, 2_500_000_000n),
      holding(2n, 0n, 10n),
    ]);
  });

  test('omits a token with no balance left', async () => {
    await network.confirm(network.transfer(alice, bob.account, 2n, 10n));
    const { body } = await network.get(`/api/v1/accounts/${alice.hex}/tokens`);
    expect((body.tokens as Fields[]).map(token => token.token_id)).toEqual([HERON, 1n]);
  });

  test('answers 404 with a body for an account that was never paid', async () => {
    expect(await failure(network.get(`/api/v1/accounts/${bob.hex}`))).toEqual([404, 'Account not found']);
    expect(await failure(network.get(`/api/v1/accounts/${bob.hex}/tokens`))).toEqual([
      404,
      'Account not found',
    ]);
  });
});

describe('GET /api/v1/tokens', () => {
  test('lists the issued token and the 14 tokens of the genesis, with all digits of ids and supplies', async () => {
    const { body, text } = await network.get('/api/v1/tokens');
    expect((body.tokens as Fields[]).map(token => token.token_id)).toEqual([
      HERON,
      ...Array.from({ length: 14 }, (_, at) => BigInt(at + 1)),
    ]);
    expect(text).toContain('"token_id":-526214447600301886,');
    expect(text).toContain('"supply":9223372036854775807');
    expect(text).toContain('"supply":9007199254740995');
  });

  test('shows one token', async () => {
    const { body } = await network.get('/api/v1/tokens/2');
    expect(body).toEqual({
      token_id: 2n,
      name: 'Ticket',
      symbol: 'TICKET',
      decimals: 0n,
      supply: 1_000_000_000n,
    });
  });
});

describe('GET /api/v1/transactions', () => {
  test('lists the newest transactions first, including unconfirmed transactions', async () => {
    await network.fund(alice);
    const { fields, hash } = network.send(alice, bob.account, 1n);
    await network.broadcast(fields);
    const { body } = await network.get('/api/v1/transactions?limit=2');
    const [newest, next, ...rest] = body.transactions as Fields[];
    expect(newest).toMatchObject({ transaction_hash: hash, status: 'staging', ...fields });
    expect(next).toMatchObject({ status: 'confirmed', block_height: 1n });
    expect(rest).toEqual([]);
  });

  test('returns 20 transactions by default, and at most 100', async () => {
    for (let count = 0; count < 35; count++) await network.fund(alice);
    for (const [query, length] of [
      ['', 20],
      ['?limit=0', 0],
      ['?limit=101', 100],
      ['?limit=9999999999', 100],
    ] as const) {
      expect((await network.get(`/api/v1/transactions${query}`)).body.transactions).toHaveLength(length);
    }
  });

  test('shows one transaction, with the id that its hash begins with', async () => {
    await network.fund(alice);
    const { fields, hash } = network.send(alice, bob.account, 1n);
    await network.broadcast(fields);
    const { body } = await network.get(`/api/v1/transactions/${hash}`);
    expect(body).toMatchObject({ ...fields, transaction_id: Buffer.from(hash, 'hex').readBigInt64LE() });
  });

  test.each(['', '/status'])('answers 404 with a body for an unknown hash%s', async suffix => {
    expect(await failure(network.get(`/api/v1/transactions/${'ab'.repeat(32)}${suffix}`))).toEqual([
      404,
      'Transaction not found',
    ]);
    expect((await failure(network.get(`/api/v1/transactions/abcd${suffix}`)))[0]).toBe(400);
  });
});

describe('the faucet', () => {
  test('pays 100 ZBC and three tokens in transactions that are confirmed when it answers', async () => {
    const { status, body } = await network.post('/faucet', { address: encodeAddress(alice.publicKey) });
    expect([status, body.success, body.amount, body.block_height]).toEqual([200, true, GRANT_ATOMS, 1n]);
    expect((body.tokens as Fields[]).map(token => token.token_id)).toEqual([1n, 2n, HERON]);
    for (const { transaction_hash } of [body, ...(body.tokens as Fields[])]) {
      expect((await network.get(`/api/v1/transactions/${transaction_hash}/status`)).body.status).toBe(
        'confirmed',
      );
    }
    expect(await network.balances(alice)).toEqual([GRANT_ATOMS, GRANT_ATOMS, 0n]);
  });

  test('pays again within the same second', async () => {
    await network.fund(alice, alice, bob);
    expect(await network.balances(alice)).toEqual([2n * GRANT_ATOMS, 2n * GRANT_ATOMS, 0n]);
  });

  test.each<[unknown, RegExp]>([
    [{ address: 'ZBC_AAAA' }, /characters/],
    [{ address: 'ZNK_AAAA' }, /starts with ZNK/],
    [{ address: 5n }, /must be a string/],
    [{}, /object with an address/],
    [null, /object with an address/],
    [['x'], /object with an address/],
  ])('refuses %j', async (body, reason) => {
    const [status, error] = await failure(network.post('/faucet', body));
    expect(status).toBe(400);
    expect(error).toMatch(reason);
  });

  test('is empty when the treasury cannot pay a grant', async () => {
    const { chain } = network;
    const key = [...chain.store.balances.entries()].find(({ value }) => value.balance === 10n ** 17n)!.key;
    const token = key.replace(/0$/, '2');
    chain.store.write(() => chain.store.balances.put(token, { balance: 9n, pending: 0n, held: 0n }));
    expect(await failure(network.post('/faucet', { address: alice.hex }))).toEqual([
      503,
      'The faucet is empty',
    ]);
  });
});

describe('every route', () => {
  test.each(['/', '/api/v1/nothing', '/api/v1/accounts', '/api/v1/accounts/a/b'])(
    'answers %s, which another kind of node may have, with 404 and no body',
    async url => {
      expect(await network.get(url)).toMatchObject({ status: 404, text: '' });
    },
  );

  test.each([
    ['malformed JSON', '{"address":', 400, /not valid JSON/],
    ['a key given twice', '{"address":"a","address":"b"}', 400, /not valid JSON/],
    ['no body', '', 400, /must be/],
    ['deep nesting', '['.repeat(60_000), 400, /not valid JSON/],
    ['invalid UTF-8 in an unused field', Buffer.from('{"x":"\xff"}', 'latin1'), 400, /not valid UTF-8/],
    ['more than 64 KB', JSON.stringify({ address: 'x'.repeat(65_536) }), 413, /larger than 65536 bytes/],
  ])('refuses %s', async (_what, payload, wanted, reason) => {
    for (const url of ['/faucet', '/api/v1/transactions']) {
      const [status, error] = await failure(network.postText(url, payload));
      expect(status).toBe(wanted);
      expect(error).toMatch(reason);
    }
  });

  test('refuses a body of another content type', async () => {
    expect(await failure(network.postText('/faucet', '{}', 'text/plain'))).toEqual([
      415,
      'Request body must be application/json',
    ]);
  });

  test('hides internal errors, and reports them to the operator', async () => {
    network.chain.timestamp = () => {
      throw new Error('a secret');
    };
    const reply = network.get('/api/v1/blockchain/estimate-fee?type=1&body_length=8');
    expect(await failure(reply)).toEqual([500, 'Internal error']);
    expect(network.errors.splice(0).map(({ message }) => message)).toEqual(['a secret']);
  });

  test('sends JSON that may be neither stored nor sniffed', async () => {
    for (const url of ['/api/v1/node/info', '/api/v1/accounts/nobody']) {
      const { headers } = await network.app.inject({ url });
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
    }
  });
});
