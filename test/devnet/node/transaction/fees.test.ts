import { Wallet } from '../../../../testkit/chain/wallet.js';
import { Archive } from '../../../../testkit/devnet/archive.js';
import { Network } from '../../../../testkit/devnet/network.js';

const [alice, bob] = [Wallet.numbered(1), Wallet.numbered(2)];

let network: Network;
beforeEach(async () => {
  network = await Network.open({ feeScale: 4n });
});
afterEach(() => network.close());

const estimate = async (bodyLength: number) =>
  (await network.get(`/api/v1/blockchain/estimate-fee?type=1&body_length=${bodyLength}`)).body.minimum_fee;

test('the fee scale multiplies the base of the minimum fee, but not the rent', async () => {
  expect(await estimate(8)).toBe(10_000_000n);
  expect(await estimate(37)).toBe(10_001_000n);
});

test('a fee below the scaled minimum is refused, and the minimum accepted', async () => {
  await network.fund(alice);
  const low = network.send(alice, bob.account, 1n, { fee: 9_999_999n });
  expect(await network.broadcast(low.fields)).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/fee too low: 9999999 given, at least 10000000 needed$/) },
  });
  await network.confirm(network.send(alice, bob.account, 1n, { fee: 10_000_000n }));
});

test('an archival node follows a chain whose fee scale changes', async () => {
  const archive = await Archive.open();
  await network.fund(alice);
  await network.halt();
  await network.start({ feeScale: 2n });
  await network.confirm(network.send(alice, bob.account, 1n, { fee: 5_000_000n }));
  await archive.follow(network);
  expect((await archive.get(`/api/v1/accounts/${bob.hex}`)).body.balance).toBe(1n);
  expect(archive.errors).toEqual([]);
  await archive.close();
});
