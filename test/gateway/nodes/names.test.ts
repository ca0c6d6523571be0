import type { LookupAddress } from 'node:dns';
import dns from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { mergeNodes } from '#gateway/nodes/admitted-nodes.js';
import { errorOf, GatewayFixture } from '../../../testkit/gateway/gateway-fixture.js';
import { GENESIS } from '../../../testkit/gateway/recording-node.js';

const KEY = { 'x-api-key': 'k'.repeat(43) };
const V4 = { address: '127.0.0.1', family: 4 };
const OTHER_V4 = { address: '127.0.0.2', family: 4 };
const V6 = { address: '::1', family: 6 };

/** The answers of the resolver, by name. A name that is not listed has no address. */
let answers: Record<string, LookupAddress[]>;
let servers: Server[];
let fixture: GatewayFixture;
let log: string[];

beforeEach(() => {
  answers = {};
  servers = [];
  log = [];
  jest.spyOn(dns, 'lookup').mockImplementation((async (name: string) => {
    if (answers[name] === undefined) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
    return [...answers[name]];
  }) as never);
});

afterEach(async () => {
  jest.restoreAllMocks();
  await fixture.close();
  for (const server of servers) server.close().closeAllConnections();
});

/** Starts a node whose answers name its address; `port` 0 chooses a free one. */
async function startNode(ip: string, port = 0): Promise<number> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ genesis_hash: GENESIS, height: 7, at: ip, host: request.headers.host }));
  }).listen(port, ip);
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function open(port: number, host = 'node.test'): Promise<void> {
  const node = { ip: '0.0.0.0', host, port, role: 'full' as const };
  return openWith([node]);
}

async function openWith(staticNodes: { ip: string; host?: string; port: number; role: 'full' }[]) {
  const logger = { level: 'info', stream: { write: (line: string) => void log.push(JSON.parse(line).msg) } };
  fixture = await GatewayFixture.open([], { staticNodes, genesisHash: GENESIS }, { logger });
}

const nodes = () => fixture.gateway.context.nodes;
const read = async () => JSON.parse((await fixture.get('/api/v1/x')).body.toString());
const listed = async () => JSON.parse((await fixture.get('/gateway/status')).body.toString()).nodes;

test('a node is found by its name, and asked with its name as Host', async () => {
  const port = await startNode('127.0.0.1');
  answers['node.test'] = [V4];
  await open(port);
  expect(await read()).toMatchObject({ at: '127.0.0.1', host: `node.test:${port}` });
  expect(await listed()).toMatchObject([{ ip: '127.0.0.1', host: 'node.test', port, routed: true }]);
  const host = `ip-127-0-0-1-p${port}.gateway.test`;
  expect((await fixture.get('/api/v1/x', { host })).status).toBe(200);
});

test('a node that moves is asked at its new address from the next check on, and the log says so once', async () => {
  const port = await startNode('127.0.0.1');
  await startNode('127.0.0.2', port);
  answers['node.test'] = [V4];
  await open(port);
  expect(await read()).toMatchObject({ at: '127.0.0.1' });
  answers['node.test'] = [OTHER_V4];
  await nodes().refresh();
  await nodes().refresh();
  expect(await read()).toMatchObject({ at: '127.0.0.2' });
  expect(await listed()).toMatchObject([{ ip: '127.0.0.2', host: 'node.test', routed: true }]);
  const moved = `node node.test:${port} moved from 127.0.0.1 to 127.0.0.2`;
  expect(log.filter(line => line.includes('moved'))).toEqual([moved]);
});

test('a name whose addresses only change places keeps its connections, and IPv4 comes first', async () => {
  const port = await startNode('127.0.0.1');
  answers['node.test'] = [V6, V4];
  await open(port);
  expect(await read()).toMatchObject({ at: '127.0.0.1' });
  answers['node.test'] = [V4, V6];
  await nodes().refresh();
  expect(await listed()).toMatchObject([{ ip: '127.0.0.1', routed: true }]);
  expect(log.filter(line => line.includes('moved'))).toEqual([]);
});

test('a change of the allowlist finds a node by its name alone', async () => {
  const port = await startNode('127.0.0.1');
  answers['node.test'] = [V4];
  await open(port);
  const change = (body: object) =>
    fixture.post('/gateway/allowlist/remove', JSON.stringify(body), { 'x-api-key': 'k'.repeat(43) });
  expect((await change({ host: 'node.test', port })).status).toBe(200);
  expect(await listed()).toEqual([]);
  const { status, body } = await change({ port });
  expect([status, body.toString()]).toEqual([400, expect.stringContaining('ip is missing')]);
});

test('a node stays in use while its name cannot be resolved', async () => {
  const port = await startNode('127.0.0.1');
  answers['node.test'] = [V4];
  await open(port);
  answers = {};
  await nodes().refresh();
  expect(await read()).toMatchObject({ at: '127.0.0.1' });
});

test('a node whose name has no address is down, and is used as soon as it has one', async () => {
  const port = await startNode('127.0.0.1');
  await open(port);
  expect(await listed()).toMatchObject([{ ip: '0.0.0.0', host: 'node.test', answers: false }]);
  expect(log).toContain(`node node.test:${port} (full) is down (has a name without an address)`);
  answers['node.test'] = [V4];
  await nodes().refresh();
  expect(await read()).toMatchObject({ at: '127.0.0.1' });
});

test('a node with an IPv6 address is asked, reported and removed under this address', async () => {
  const port = await startNode('::1');
  await openWith([{ ip: '::1', port, role: 'full' }]);
  expect(await read()).toMatchObject({ at: '::1', host: `[::1]:${port}` });
  const change = JSON.stringify({ ip: '0:0:0:0:0:0:0:1', port });
  expect(await listed()).toMatchObject([{ ip: '::1', port, routed: true }]);
  expect((await fixture.post('/gateway/allowlist/remove', change, KEY)).status).toBe(200);
  expect(await listed()).toEqual([]);
  expect(log).toContain(`node [::1]:${port} (full) is no longer admitted`);
});

test('a removal of a named node outlasts a change of its address', async () => {
  const port = await startNode('127.0.0.1');
  await startNode('127.0.0.2', port);
  answers['node.test'] = [V4];
  await open(port);
  const address = JSON.stringify({ ip: '127.0.0.1', port });
  expect((await fixture.post('/gateway/allowlist/remove', address, KEY)).status).toBe(200);
  answers['node.test'] = [OTHER_V4];
  await nodes().refresh();
  expect(await listed()).toEqual([]);
  const entry = JSON.stringify({ ip: '127.0.0.2', host: 'node.test', port });
  expect((await fixture.post('/gateway/allowlist/add', entry, KEY)).status).toBe(200);
  expect(await listed()).toMatchObject([{ ip: '127.0.0.2', host: 'node.test' }]);
});

test('the registry does not list a named node again, not even after its removal', async () => {
  const node = { ip: '192.0.2.1', host: 'node.test', port: 1, role: 'full' as const };
  const registered = { ip: '192.0.2.1', port: 1, role: 'full' as const, source: 'registry' as const };
  const other = { ...registered, port: 2 };
  const none = { added: [], removed: [] };
  expect(mergeNodes([node], none, [registered, other])).toEqual([{ ...node, source: 'static' }, other]);
  const unresolved = { ...node, ip: '0.0.0.0' };
  expect(mergeNodes([unresolved], { ...none, removed: [node] }, [registered, other])).toEqual([other]);
  await open(1);
});

test('an administrator cannot add a name that the configuration does not list', async () => {
  await open(1);
  const entry = JSON.stringify({ ip: '127.0.0.1', host: 'stranger.test', port: 1 });
  const reply = await fixture.post('/gateway/allowlist/add', entry, KEY);
  expect([reply.status, errorOf(reply).error]).toEqual([
    404,
    'static_nodes does not list this host and port',
  ]);
});
