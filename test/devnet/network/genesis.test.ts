import { DEVNET_GENESIS_HASH, type Devnet, type DevnetOptions, startDevnet } from '@zbc-signer/devnet';
import { stringify } from 'lossless-json';
import { type Fields, signDraft, Wallet } from '../../../testkit/chain/wallet.js';
import { u64 } from '../../../testkit/crypto/little-endian.js';
import { readJson } from '../../../testkit/devnet/network.js';
import { httpRequest } from '../../../testkit/network/http.js';

const [alice, bob] = [Wallet.numbered(1), Wallet.numbered(2)];
const HEADERS = { 'content-type': 'application/json' };

const devnets: Devnet[] = [];
afterEach(async () => {
  await Promise.all(devnets.splice(0).map(devnet => devnet.stop()));
});

async function launch(options: DevnetOptions = {}): Promise<Devnet> {
  const devnet = await startDevnet({ blockTimeMs: 3_600_000, ...options });
  devnets.push(devnet);
  const body = JSON.stringify({ address: alice.hex });
  expect((await httpRequest('POST', `${devnet.url}/faucet`, { headers: HEADERS, body })).status).toBe(200);
  return devnet;
}

async function broadcast({ url }: Devnet, genesisHash: string): Promise<{ status: number; answer: Fields }> {
  const draft = {
    version: 1n,
    timestamp: BigInt(Math.floor(Date.now() / 1000)),
    type: 1n,
    fee: 2_500_000n,
    sender: alice.account,
    recipient: bob.account,
    body: u64(1n),
    message: Buffer.alloc(0),
  };
  const { fields } = signDraft(draft, alice, Buffer.from(genesisHash, 'hex'));
  const request = { headers: HEADERS, body: stringify(fields)! };
  const { status, body } = await httpRequest('POST', `${url}/api/v1/transactions`, request);
  return { status, answer: readJson(body.toString()) };
}

test('each launch has its own chain, which refuses transactions that were signed for another', async () => {
  const [first, second] = [await launch(), await launch()];
  expect(new Set([first.genesisHash, second.genesisHash, DEVNET_GENESIS_HASH]).size).toBe(3);
  expect(await broadcast(second, first.genesisHash)).toMatchObject({
    status: 400,
    answer: { error: expect.stringMatching(/Invalid transaction signature$/) },
  });
  expect(await broadcast(second, second.genesisHash)).toMatchObject({ status: 202 });
});

test('a devnet reports the genesis hash of its launch everywhere', async () => {
  const { url, nodeUrl, archivalUrl, genesisHash } = await launch();
  const read = async (at: string) => JSON.parse((await httpRequest('GET', at)).body.toString());
  expect(await read(`${nodeUrl}/api/v1/node/info`)).toMatchObject({ genesis_hash: genesisHash });
  expect(await read(`${archivalUrl}/api/v1/node/info`)).toMatchObject({
    genesis_hash: genesisHash.toUpperCase(),
  });
  expect(await read(`${url}/api/v1/blocks/0`)).toMatchObject({ block_hash: genesisHash });
  expect(await read(`${url}/relay/info`)).toMatchObject({ genesis_hash: genesisHash });
});

test('the named chain has the genesis hash that the firmware names', async () => {
  const devnet = await launch({ namedChain: true });
  expect(devnet.genesisHash).toBe(DEVNET_GENESIS_HASH);
  expect(await broadcast(devnet, DEVNET_GENESIS_HASH)).toMatchObject({ status: 202 });
});
