import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fromHex } from '@zbc-signer/chain';
import { GatewayClient } from '@zbc-signer/host';

const HASH = 'ab'.repeat(32);
const STATUS = `{"status":"mempool","transaction_hash":"${HASH}","block_height":12}`;

let server: Server;
let url: string;
let asked: { method: string | undefined; headers: IncomingHttpHeaders }[];
/** Height in the next responses. */
let height: string;

beforeEach(async () => {
  [asked, height] = [[], ''];
  server = createServer((request, response) => {
    asked.push({ method: request.method, headers: request.headers });
    response.writeHead(200, { 'content-type': 'application/json', 'zbc-height': height }).end(STATUS);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

test('every later read carries the greatest height of all earlier responses', async () => {
  const seen: unknown[] = [];
  const client = new GatewayClient(url);
  for (height of ['7', '9', '8', '1e3', '-1', '99999999999999999999', '', '12']) {
    await client.transactionStatus(fromHex(HASH));
    seen.push(asked.at(-1)!.headers['zbc-height']);
  }
  expect(seen).toEqual([undefined, '7', '9', '9', '9', '9', '9', '9']);
  await client.faucet('A').catch(() => undefined);
  expect([asked.at(-1)!.method, asked.at(-1)!.headers['zbc-height']]).toEqual(['POST', undefined]);
  await client.blockchainStatus().catch(() => undefined);
  expect(asked.at(-1)!.headers['zbc-height']).toBe('12');
  await new GatewayClient(url).blockchainStatus().catch(() => undefined);
  expect(asked.at(-1)!.headers).not.toHaveProperty('zbc-height');
});
