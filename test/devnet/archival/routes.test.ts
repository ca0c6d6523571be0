import { createHash } from 'node:crypto';
import { encodeAddress } from '@zbc-signer/chain';
import { DEVNET_GENESIS_HASH } from '@zbc-signer/devnet';
import { releaseScript } from '#devnet/node/development-data/releases.js';
import { type Fields, Wallet } from '../../../testkit/chain/wallet.js';
import { Archive } from '../../../testkit/devnet/archive.js';
import { Network } from '../../../testkit/devnet/network.js';
import { GRANT_ATOMS, HERON } from '../../../testkit/devnet/payment.js';

const [alice, bob] = [Wallet.numbered(1), Wallet.numbered(2)];
const UNKNOWN = 'ab'.repeat(32);
const MAX_I64 = 2n ** 63n - 1n;

let network: Network;
let archive: Archive;
beforeAll(async () => {
  [network, archive] = [await Network.open(), await Archive.open()];
  network.blocks(1);
  await network.fund(alice);
  await network.confirm(network.send(alice, bob.account, 7n));
  await archive.follow(network);
});
afterAll(async () => {
  expect([...archive.errors, ...network.errors]).toEqual([]);
  await Promise.all([network.close(), archive.close()]);
});

async function list(url: string, name: string): Promise<Fields[]> {
  const { status, body } = await archive.get(url);
  expect([status, Object.keys(body)]).toEqual([200, [name]]);
  return body[name] as Fields[];
}

describe('an archival node leaves to a full node, with an empty 404:', () => {
  test.each([
    ['GET', '/api/v1/nothing'],
    ['GET', '/'],
    ['GET', '/api/v1/blockchain/estimate-fee?type=1&body_length=8'],
    ['GET', '/api/v1/blocks/5'],
    ['GET', `/api/v1/accounts/${alice.hex}?height=5`],
    ['GET', `/api/v1/accounts/${alice.hex}/tokens?height=5`],
    ['GET', `/api/v1/accounts/${Wallet.numbered(9).hex}`],
    ['GET', `/api/v1/accounts/${Wallet.numbered(9).hex}/tokens`],
    ['GET', `/api/v1/transactions/${UNKNOWN}`],
    ['GET', `/api/v1/transactions/${UNKNOWN}/status`],
    ['POST', '/api/v1/transactions'],
    ['POST', '/api/v1/node/info'],
    ['POST', '/faucet'],
    ['DELETE', '/api/v1/node/info'],
  ] as const)('%s %s', async (method, url) => {
    const { statusCode, headers, body } = await archive.app.inject({ url, method });
    expect([statusCode, body, headers['content-length'], headers['content-type']]).toEqual([
      404,
      '',
      '0',
      undefined,
    ]);
  });

  test('a POST with any body', async () => {
    const headers = { 'content-type': 'application/json' };
    for (const payload of ['{"broken', 'x'.repeat(70_000)]) {
      const { statusCode, body } = await archive.app.inject({ url: '/x', method: 'POST', headers, payload });
      expect([statusCode, body]).toEqual([404, '']);
    }
  });
});

describe('the routes of both kinds of node', () => {
  test.each([
    '/api/v1/blockchain/status',
    '/api/v1/blocks/latest',
    '/api/v1/blocks/0',
    '/api/v1/blocks/2',
    '/api/v1/blocks?from=0&limit=3',
    '/api/v1/transactions?limit=4',
    '/api/v1/tokens',
    '/api/v1/tokens/8',
    `/api/v1/accounts/${alice.hex}`,
    `/api/v1/accounts/${alice.hex}/tokens`,
    '/api/v1/registry/nodes',
    '/api/v1/registry/archivals',
    '/api/v1/registry/gateways',
    '/api/v1/registry/relays',
  ])('have the same answer for %s', async url => {
    const [here, there] = [await archive.get(url), await network.get(url)];
    expect(here.text).toBe(there.text);
    expect(here.status).toBe(200);
  });

  test('differ in the letter case of the genesis hash', async () => {
    const { body } = await archive.get('/api/v1/node/info');
    // The node has not received signing rules, so it reports none.
    expect(body).toEqual({
      genesis_hash: DEVNET_GENESIS_HASH.toUpperCase(),
      height: 4n,
      version: expect.any(String),
      peer_count: 0n,
      synced: false,
    });
  });

  test('leave the status of an unconfirmed transaction to the full node', async () => {
    const { fields, hash } = network.send(alice, bob.account, 1n);
    await network.broadcast(fields);
    expect(await network.get(`/api/v1/transactions/${hash}/status`)).toMatchObject({ status: 200 });
    expect(await archive.get(`/api/v1/transactions/${hash}/status`)).toMatchObject({ status: 404, text: '' });
  });
});

describe('an account at a height', () => {
  test('has the balances and the tokens that it had then', async () => {
    const { body } = await archive.get(`/api/v1/accounts/${encodeAddress(alice.publicKey)}?height=2`);
    expect(body).toEqual({
      address: encodeAddress(alice.publicKey),
      account_hex: alice.hex,
      balance: GRANT_ATOMS,
      spendable_balance: GRANT_ATOMS,
      locked_balance: 0n,
      height: 2n,
    });
    const tokens = (await archive.get(`/api/v1/accounts/${alice.hex}/tokens?height=2`)).body
      .tokens as Fields[];
    expect(tokens.map(({ token_id, balance }) => [token_id, balance])).toEqual([
      [HERON, 5_000n],
      [1n, 2_500_000_000n],
      [2n, 10n],
    ]);
  });

  test.each([`/api/v1/accounts/${alice.hex}?height=99`, `/api/v1/accounts/${alice.hex}/tokens?height=99`])(
    'is answered by a full node with a 404 and a body if the height is above its newest block: %s',
    async url => {
      expect(await network.get(url)).toMatchObject({
        status: 404,
        body: { error: 'Height 99 does not exist yet: the newest block has height 4' },
      });
    },
  );

  test('is answered by a full node with an empty 404 if the height is in the past', async () => {
    for (const url of [
      `/api/v1/accounts/${alice.hex}?height=2`,
      `/api/v1/accounts/${alice.hex}/tokens?height=2`,
    ]) {
      expect(await network.get(url)).toMatchObject({ status: 404, text: '' });
    }
  });
});

describe('GET /api/v1/movements/latest', () => {
  test('reports the movements that the chain made itself, newest first', async () => {
    const [newest, next, ...rest] = await list('/api/v1/movements/latest', 'movements');
    expect(newest).toEqual({
      kind: 'reward',
      address: expect.stringMatching(/^ZBC_/),
      account_hex: expect.stringMatching(/^0{8}[0-9a-f]{64}$/),
      token_id: 0n,
      amount: 2_500_000n,
      block_height: 4n,
      timestamp: network.timestamp,
    });
    // The next block has the four transactions of the faucet.
    expect(next).toMatchObject({ kind: 'reward', amount: 10_000_000n, block_height: 2n });
    expect(rest).toEqual([]);
    expect(await list('/api/v1/movements/latest?limit=1', 'movements')).toEqual([newest]);
  });
});

describe('the exchange', () => {
  test('lists open markets with ids on both sides of zero and past 2^53', async () => {
    const markets = await list('/api/v1/exchange/markets', 'markets');
    for (const market of markets) {
      expect(market).toEqual({
        market_id: expect.any(BigInt),
        base_token_id: expect.any(BigInt),
        quote_token_id: expect.any(BigInt),
        status: 'open',
        opened_height: 0n,
        last_price: expect.any(BigInt),
        volume_24h: expect.any(BigInt),
      });
    }
    const ids = markets.map(({ market_id }) => market_id as bigint);
    expect(ids).toContain(MAX_I64);
    expect(ids.some(id => id < -(2n ** 53n))).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await archive.get('/api/v1/exchange/markets')).text).toContain('"market_id":9007199254740993,');
  });

  test('has the order book of each market, with the best price first and all orders around the last price', async () => {
    const levels = (side: unknown, sign: bigint) =>
      (side as Record<'price' | 'amount' | 'orders', bigint>[]).map(({ price, amount, orders }) => {
        expect(price > 0n && amount > 0n && orders > 0n).toBe(true);
        return sign * price;
      });
    let depth = 0;
    for (const { market_id, last_price } of await list('/api/v1/exchange/markets', 'markets')) {
      const { body } = await archive.get(`/api/v1/exchange/orderbook?market=${market_id}`);
      expect(body.market_id).toBe(market_id);
      const price = last_price as bigint;
      for (const prices of [levels(body.asks, 1n), levels(body.bids, -1n)]) {
        depth += prices.length;
        expect(prices).toEqual([...prices].sort((one, other) => (one < other ? -1 : 1)));
        expect(prices.every(each => each > price || (each < 0n && -each < price))).toBe(true);
      }
    }
    expect(depth).toBeGreaterThan(20);
  });

  test('lists swap packages', async () => {
    const offers = await list('/api/v1/exchange/offers', 'offers');
    for (const offer of offers) {
      expect(offer).toEqual({
        offer_id: expect.any(BigInt),
        address: expect.stringMatching(/^ZBC_/),
        account_hex: expect.stringMatching(/^0{8}[0-9a-f]{64}$/),
        gives: expect.arrayContaining([{ token_id: expect.any(BigInt), amount: expect.any(BigInt) }]),
        wants: expect.arrayContaining([{ token_id: expect.any(BigInt), amount: expect.any(BigInt) }]),
        expires_at: expect.any(BigInt),
        status: 'open',
      });
    }
    expect(offers.some(({ offer_id }) => (offer_id as bigint) < -(2n ** 53n))).toBe(true);
  });
});

describe('GET /api/v1/release/list', () => {
  test('publishes the correct hashes of the bundles, with the newest release first', async () => {
    const releases = await list('/api/v1/release/list', 'releases');
    expect(releases.map(({ version }) => version)).toEqual(['1.1.0', '1.0.0']);
    const times = releases.map(({ released_at }) => released_at as bigint);
    expect(times[0]! > times[1]!).toBe(true);
    for (const { version, files } of releases) {
      for (const { arch, name, size, sha256 } of files as Record<
        'arch' | 'name' | 'size' | 'sha256',
        string
      >[]) {
        const bundle = releaseScript(String(version), arch);
        expect(name).toBe('zbc-node');
        expect([BigInt(bundle.length), createHash('sha256').update(bundle).digest('hex')]).toEqual([
          size,
          sha256,
        ]);
        expect(`${bundle}`).toContain(`zbc-node ${version} (${arch})`);
      }
    }
  });
});

describe('the registries', () => {
  test('list the nodes, archivals, gateways and relays of the network', async () => {
    archive.registry.nodes = [{ ip: '127.0.0.1', port: 8884 }];
    archive.registry.archivals = [{ ip: '127.0.0.1', port: 8885 }];
    archive.registry.gateways = ['localhost:8883'];
    archive.registry.relays = [{ address: 'relay.localhost:3478', rate: 25_000n }];
    const identity = { public_key: expect.stringMatching(/^[0-9a-f]{64}$/), registered_height: 0n };
    const node = { ...identity, ip: '127.0.0.1', version: expect.any(String) };
    for (const [kind, record] of [
      ['nodes', { ...node, port: 8884n }],
      ['archivals', { ...node, port: 8885n }],
      ['gateways', { ...identity, host: 'localhost:8883' }],
      ['relays', { ...identity, address: 'relay.localhost:3478', rate: 25_000n }],
    ] as const) {
      expect(await list(`/api/v1/registry/${kind}`, kind)).toEqual([record]);
    }
  });
});
