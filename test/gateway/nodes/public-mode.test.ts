import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpRequest } from '../../../testkit/network/http.js';
import {
  type RunningProcess,
  startArchivalNode,
  startFullNode,
  startGatewayProcess,
} from '../../../testkit/network/network-processes.js';
import { endProcess } from '../../../testkit/process/child.js';

const directory = mkdtempSync(join(tmpdir(), 'zbc-public-'));
let full: RunningProcess;
let archival: RunningProcess;
let gateways: RunningProcess[] = [];

beforeAll(async () => {
  full = await startFullNode({ dataDir: join(directory, 'full') });
  archival = await startArchivalNode({ dataDir: join(directory, 'archival'), follow: full.url });
});

afterEach(async () => {
  await Promise.all(gateways.map(gateway => endProcess(gateway)));
  gateways = [];
});

afterAll(async () => {
  await Promise.all([full, archival].map(node => endProcess(node)));
  rmSync(directory, { recursive: true });
});

/** Starts a gateway process in public mode. Its configuration lists only the archival node. */
async function startPublicGateway(name: string, fields: Record<string, unknown>): Promise<RunningProcess> {
  const own = join(directory, name);
  mkdirSync(own);
  const static_nodes = [{ ip: '127.0.0.1', port: archival.port, role: 'archival' }];
  const gateway = await startGatewayProcess(own, { mode: 'public', static_nodes, ...fields });
  gateways.push(gateway);
  return gateway;
}

async function allowlistOf({ url }: RunningProcess): Promise<unknown> {
  return JSON.parse((await httpRequest('GET', `${url}/gateway/allowlist`)).body.toString()).allowlist;
}

function broadcastTo({ url }: RunningProcess) {
  const headers = { 'content-type': 'application/json' };
  return httpRequest('POST', `${url}/api/v1/transactions`, { headers, body: '{}' });
}

const seed = () => ({
  ip: '127.0.0.1',
  port: archival.port,
  role: 'archival',
  source: 'static',
  answers: true,
  cordoned: false,
});

test("finds the full node in an archival node's registry and sends it writes", async () => {
  const gateway = await startPublicGateway('open', { allow_private_nodes: true });
  const found = { ...seed(), port: full.port, role: 'full', source: 'registry' };
  expect(await allowlistOf(gateway)).toEqual([seed(), found]);
  const reply = await broadcastTo(gateway);
  expect([reply.status, JSON.parse(reply.body.toString()).error]).toEqual([400, expect.any(String)]);
});

test('ignores registered nodes with private addresses', async () => {
  const gateway = await startPublicGateway('strict', {});
  expect(await allowlistOf(gateway)).toEqual([seed()]);
  expect((await broadcastTo(gateway)).status).toBe(503);
});
