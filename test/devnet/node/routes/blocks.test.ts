import type { AddressInfo } from 'node:net';
import { MAX_WAITING } from '#devnet/node/chain/block-watch.js';
import { MAX_WAIT_MS } from '#devnet/node/routes/blocks.js';
import { type Fields, Wallet } from '../../../../testkit/chain/wallet.js';
import { u64 } from '../../../../testkit/crypto/little-endian.js';
import { Network, START } from '../../../../testkit/devnet/network.js';
import { configOf } from '../../../../testkit/gateway/limited-app.js';

const [alice, bob, carol] = [Wallet.numbered(1), Wallet.numbered(2), Wallet.numbered(3)];

let network: Network;
beforeEach(async () => {
  network = await Network.open();
});
afterEach(async () => {
  expect(network.errors).toEqual([]);
  await network.close();
});

async function heights(query: string): Promise<bigint[]> {
  const { status, body } = await network.get(`/api/v1/blocks?${query}`);
  expect(status).toBe(200);
  return (body.blocks as Fields[]).map(({ height }) => height as bigint);
}

describe('GET /api/v1/blocks/:height', () => {
  test('has every block, including empty blocks, after a restart', async () => {
    network.blocks(2);
    await network.fund(alice);
    await network.halt();
    await network.start();
    const blocks = await Promise.all([0, 1, 2, 3].map(height => network.get(`/api/v1/blocks/${height}`)));
    for (const [at, { body }] of blocks.slice(1).entries()) {
      expect(body).toMatchObject({
        height: BigInt(at + 1),
        previous_block_hash: blocks[at]!.body.block_hash,
        expired_escrows: [],
      });
    }
    expect(blocks.map(({ body }) => body.transaction_count)).toEqual([0n, 0n, 0n, 4n]);
    expect((await network.get('/api/v1/blocks/latest')).body).toEqual(blocks[3]!.body);
  });

  test('is never older than the block before, even after the clock was set back', async () => {
    network.blocks(1);
    network.timestamp -= 600n;
    network.blocks(1);
    const times = [1, 2].map(async height => (await network.get(`/api/v1/blocks/${height}`)).body.timestamp);
    expect(await Promise.all(times)).toEqual([START, START]);
  });

  test('names the escrows that the block expired', async () => {
    await network.fund(alice);
    const escrow = { approver: carol.account, commission: 1n, timeout: START + 10n };
    const signed = network.send(alice, bob.account, 1n, { escrow });
    await network.confirm(signed);
    network.timestamp += 11n;
    network.blocks(2);
    const expired = await Promise.all(
      [3, 4, 5].map(async height => (await network.get(`/api/v1/blocks/${height}`)).body.expired_escrows),
    );
    expect(expired).toEqual([[], [signed.hash], []]);
  });

  test.each([
    ['1', 404],
    ['9999999999999999999', 404],
    ['-1', 400],
    ['x', 400],
    ['1.0', 400],
  ])('answers the height %s with %s and a body', async (height, status) => {
    const reply = await network.get(`/api/v1/blocks/${height}`);
    expect([reply.status, reply.body.code]).toEqual([status, BigInt(status)]);
  });
});

describe('GET /api/v1/blocks', () => {
  test('lists at most 100 blocks, in ascending order', async () => {
    network.blocks(130);
    expect(await heights('from=0&limit=3')).toEqual([0n, 1n, 2n]);
    expect(await heights('from=129')).toEqual([129n, 130n]);
    expect(await heights('from=131')).toEqual([]);
    expect(await heights('from=5&limit=0')).toEqual([]);
    expect(await heights('from=1&limit=1000')).toHaveLength(100);
  });

  test('ends a list early when it has one full block of transactions', async () => {
    await network.fund(alice);
    const body = Buffer.concat([u64(1n), Buffer.alloc(20_000)]);
    for (let count = 0; count < 60; count++) {
      const message = Buffer.from(`${count}`);
      const signed = network.sign(alice, {
        type: 1n,
        recipient: bob.account,
        body,
        fee: 50_000_000n,
        message,
      });
      expect((await network.broadcast(signed.fields)).status).toBe(202);
    }
    network.blocks(3);
    const counts = await Promise.all(
      [3, 4].map(
        async height => (await network.get(`/api/v1/blocks/${height}`)).body.transaction_count as bigint,
      ),
    );
    // A block of 1 MiB holds 51 transactions of a little more than 20 kB. The others are in the next block.
    expect(counts).toEqual([51n, 9n]);
    expect(await heights('from=2')).toEqual([2n, 3n]);
    expect(await network.balances(bob)).toEqual([60n, 60n, 0n]);
  });

  test('waits for a block for less time than a gateway waits for an answer by default', () => {
    expect(BigInt(configOf().timeouts.answerMs)).toBeGreaterThan(MAX_WAIT_MS);
  });

  test.each(['', 'from=x', 'from=-1', 'from=1&limit=x', 'from=1&wait_ms=-1', 'from=1&from=2'])(
    'refuses the query "%s"',
    async query => {
      expect(await network.get(`/api/v1/blocks?${query}`)).toMatchObject({
        status: 400,
        body: { code: 400n },
      });
    },
  );

  test('waits for a future block', async () => {
    const waiting = heights('from=2&wait_ms=10000');
    network.blocks(1);
    await new Promise(resolve => setImmediate(resolve));
    await network.fund(alice);
    expect(await waiting).toEqual([2n]);
  });

  test('returns no blocks when no new block is made in time', async () => {
    expect(await heights('from=1&wait_ms=20')).toEqual([]);
  });

  test('a waiting request does not keep the node from stopping', async () => {
    await network.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = network.app.server.address() as AddressInfo;
    const waiting = fetch(`http://127.0.0.1:${port}/api/v1/blocks?from=1&wait_ms=10000`).catch(
      () => undefined,
    );
    await new Promise(resolve => network.app.server.once('request', resolve));
    await network.halt();
    await waiting;
    await network.start();
  });

  test('limits the number of waiting requests, and forgets cancelled requests', async () => {
    await network.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = network.app.server.address() as AddressInfo;
    const ask = (signal?: AbortSignal) =>
      fetch(`http://127.0.0.1:${port}/api/v1/blocks?from=1&wait_ms=10000`, { ...(signal && { signal }) });
    const untilWaiting = async (count: number) => {
      while (network.chain.watch.waiting !== count) await new Promise(resolve => setImmediate(resolve));
    };
    const leave = new AbortController();
    const crowd = Array.from({ length: MAX_WAITING }, () => ask(leave.signal));
    await untilWaiting(MAX_WAITING);
    expect((await ask()).status).toBe(503);
    leave.abort();
    await Promise.allSettled(crowd);
    await untilWaiting(0);
    const next = ask();
    await untilWaiting(1);
    network.blocks(1);
    expect((await next).status).toBe(200);
  });
});
