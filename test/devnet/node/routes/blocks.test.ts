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
  it('has every block, empty ones too, over a restart', async () => {
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

  it('names the escrows that the block expired', async () => {
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

  it.each([
    ['1', 404],
    ['9999999999999999999', 404],
    ['-1', 400],
    ['x', 400],
    ['1.0', 400],
  ])('answers for the height %s with %s and a body', async (height, status) => {
    const reply = await network.get(`/api/v1/blocks/${height}`);
    expect([reply.status, reply.body.code]).toEqual([status, BigInt(status)]);
  });
});

describe('GET /api/v1/blocks', () => {
  it('lists blocks upwards, at most 100', async () => {
    network.blocks(130);
    expect(await heights('from=0&limit=3')).toEqual([0n, 1n, 2n]);
    expect(await heights('from=129')).toEqual([129n, 130n]);
    expect(await heights('from=131')).toEqual([]);
    expect(await heights('from=5&limit=0')).toEqual([]);
    expect(await heights('from=1&limit=1000')).toHaveLength(100);
  });

  it('ends a list early when it has one full block of transactions', async () => {
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
    // 1 MiB holds 51 of 20 kB and a little; the rest follows in the next block.
    expect(counts).toEqual([51n, 9n]);
    expect(await heights('from=2')).toEqual([2n, 3n]);
    expect(await network.balances(bob)).toEqual([60n, 60n, 0n]);
  });

  it('waits for a block less long than a gateway waits for an answer by default', () => {
    expect(BigInt(configOf().timeouts.answerMs)).toBeGreaterThan(MAX_WAIT_MS);
  });

  it.each(['', 'from=x', 'from=-1', 'from=1&limit=x', 'from=1&wait_ms=-1', 'from=1&from=2'])(
    'refuses the query "%s"',
    async query => {
      expect(await network.get(`/api/v1/blocks?${query}`)).toMatchObject({
        status: 400,
        body: { code: 400n },
      });
    },
  );

  it('waits for a block that is to come', async () => {
    const waiting = heights('from=2&wait_ms=10000');
    network.blocks(1);
    await new Promise(resolve => setImmediate(resolve));
    await network.fund(alice);
    expect(await waiting).toEqual([2n]);
  });

  it('gives nothing when the block does not come in time', async () => {
    expect(await heights('from=1&wait_ms=20')).toEqual([]);
  });

  it('does not keep what waits from stopping', async () => {
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

  it('lets only so many wait, and forgets those that left', async () => {
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
