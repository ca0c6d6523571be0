import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ArchivalNode, type RunningNode, startArchivalNode, startFullNode } from '@zbc-signer/devnet';
import { Wallet } from '../../../testkit/chain/wallet.js';
import { GatewayFixture } from '../../../testkit/gateway/gateway-fixture.js';
import { httpRequest } from '../../../testkit/network/http.js';

const LONG_MS = 20_000;
const HEADERS = { 'content-type': 'application/json' };
const ALICE = Wallet.numbered(1).hex;

let directory: string;
let first: RunningNode;
let second: ArchivalNode;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'zbc-test.'));
  const quiet = { onError: () => undefined };
  first = await startFullNode({ dataDir: join(directory, 'first'), blockTimeMs: 100, ...quiet });
  const follow = first.url;
  second = await startArchivalNode({ follow, role: 'full', dataDir: join(directory, 'second'), ...quiet });
});
afterEach(async () => {
  await second.stop();
  await first.stop();
  rmSync(directory, { recursive: true });
});

async function get(url: string): Promise<[number, Record<string, unknown>]> {
  const { status, body } = await httpRequest('GET', url);
  return [status, body.length === 0 ? {} : JSON.parse(body.toString())];
}

const pay = (url: string) =>
  httpRequest('POST', `${url}/faucet`, { headers: HEADERS, body: JSON.stringify({ address: ALICE }) });

test('a second full node has the blocks and the unconfirmed transactions of the first, whose role it has', async () => {
  const reply = await pay(second.url);
  expect(reply.status).toBe(200);
  const { block_height: height, transaction_hash: hash } = JSON.parse(reply.body.toString());
  await second.inStep(LONG_MS);
  for (const path of [`accounts/${ALICE}`, `transactions/${hash}/status`, `blocks/${height}`]) {
    expect(await get(`${second.url}/api/v1/${path}`)).toEqual(await get(`${first.url}/api/v1/${path}`));
  }
  const broadcast = { headers: HEADERS, body: '{}' };
  const [one, other] = await Promise.all(
    [first, second].map(({ url }) => httpRequest('POST', `${url}/api/v1/transactions`, broadcast)),
  );
  expect([other!.status, other!.body.toString()]).toEqual([one!.status, one!.body.toString()]);
  expect((await get(`${second.url}/api/v1/accounts/${ALICE}?height=0`))[1]).toEqual({});
});

test('a second full node answers reads, but takes no transaction, while the first one is down', async () => {
  await pay(first.url);
  await second.inStep(LONG_MS);
  const known = (await get(`${first.url}/api/v1/accounts/${ALICE}`))[1];
  await first.stop();
  expect(await get(`${second.url}/api/v1/accounts/${ALICE}`)).toEqual([200, known]);
  expect((await pay(second.url)).status).toBe(503);
  expect((await get(`${second.url}/api/v1/blockchain/estimate-fee?type=1&body_length=1`))[0]).toBe(503);
});

test('a gateway routes to both full nodes', async () => {
  const staticNodes = [first, second].map(({ url }) => {
    return { ip: '127.0.0.1', port: Number(new URL(url).port), role: 'full' as const };
  });
  await second.inStep(LONG_MS);
  const fixture = await GatewayFixture.open([], { staticNodes, healthIntervalMs: 50 });
  const { nodes } = fixture.gateway.context;
  while ((nodes.bestHeight() ?? 0n) < 20n) await new Promise(resolve => setTimeout(resolve, 20));
  expect(nodes.nodes()).toMatchObject([{ routed: true }, { routed: true }]);
  expect(nodes.nodes().map(({ fork }) => fork)).toEqual([undefined, undefined]);
  await fixture.close();
});
