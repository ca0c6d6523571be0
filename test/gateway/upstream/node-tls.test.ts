import dns from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { jest } from '@jest/globals';
import { selfSign } from '../../../testkit/gateway/certificate.js';
import { errorOf, GatewayFixture } from '../../../testkit/gateway/gateway-fixture.js';
import { GENESIS, RecordingNode } from '../../../testkit/gateway/recording-node.js';
import { TestDirectory } from '../routes/test-directory.js';

let directory: TestDirectory;
let fixture: GatewayFixture | undefined;
let server: Server;
let port: number;
let caFile: string;
let otherCaFile: string;
let names: (string | false | undefined)[];

beforeEach(async () => {
  jest.spyOn(dns, 'lookup').mockResolvedValue([{ address: '127.0.0.1', family: 4 }] as never);
  directory = new TestDirectory();
  names = [];
  const [mine, other] = [await selfSign('node.example'), await selfSign('node.example')];
  caFile = directory.write('ca.pem', mine.cert);
  otherCaFile = directory.write('other.pem', other.cert);
  server = createServer(mine, (request, response) => {
    names.push((request.socket as TLSSocket & { servername?: string | false }).servername);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ genesis_hash: GENESIS, height: 7 }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  jest.restoreAllMocks();
  await fixture?.close();
  fixture = undefined;
  server.closeAllConnections();
  server.close();
  directory.remove();
});

async function open(tls: { caFile?: string } | undefined, host?: string): Promise<GatewayFixture> {
  const node = { ip: '127.0.0.1', port, role: 'full' as const, ...(tls && { tls }), ...(host && { host }) };
  fixture = await GatewayFixture.open([], { staticNodes: [node] });
  return fixture;
}

test('sends reads and writes to a node over TLS if its certificate is from the configured issuer', async () => {
  const opened = await open({ caFile });
  expect(opened.gateway.context.nodes.nodes()).toMatchObject([{ routed: true, health: { answers: true } }]);
  expect((await opened.get('/api/v1/x')).status).toBe(200);
  expect((await opened.post('/api/v1/transactions', '{}')).status).toBe(200);
  expect(names).toEqual([false, false, false]);
});

test('sends the name of the node in the TLS handshake', async () => {
  await open({ caFile }, 'node.example');
  expect((await fixture!.get('/api/v1/x')).status).toBe(200);
  expect(names).toEqual(['node.example', 'node.example']);
});

test.each([
  ['of another issuer', () => otherCaFile, undefined],
  ['of no known issuer', () => undefined, undefined],
  ['for another name', () => caFile, 'other.example'],
])('sends nothing to a node with a certificate %s', async (_what, issuers, host) => {
  const file = issuers();
  await open(file === undefined ? {} : { caFile: file }, host);
  expect(fixture!.gateway.context.nodes.nodes()).toMatchObject([
    { routed: false, health: { fault: 'presented a certificate that is not accepted' } },
  ]);
  const reply = await fixture!.get(`/api/v1/x`, { host: `ip-127-0-0-1-p${port}.gateway.test` });
  expect([reply.status, errorOf(reply).error]).toEqual([
    502,
    'The node presented a certificate that is not accepted',
  ]);
  expect(names).toEqual([]);
});

test('sends nothing over plain HTTP if the TLS handshake with a node fails', async () => {
  const node = await RecordingNode.start('full');
  const { ip, role } = node;
  fixture = await GatewayFixture.open([node], {
    staticNodes: [{ ip, port: node.port, role, tls: { caFile } }],
  });
  expect(fixture.gateway.context.nodes.nodes()).toMatchObject([
    { routed: false, health: { fault: 'refuses connections' } },
  ]);
  const host = `ip-127-0-0-1-p${node.port}.gateway.test`;
  expect((await fixture.get('/api/v1/x', { host })).status).toBe(502);
  expect((await fixture.post('/api/v1/transactions', '{}', { host })).status).toBe(502);
  expect([node.checks, node.asked]).toEqual([0, []]);
});

test('does not use TLS for a node that is configured without it', async () => {
  await open(undefined);
  expect(fixture!.gateway.context.nodes.nodes()).toMatchObject([{ routed: false }]);
  expect(names).toEqual([]);
});

test.each([
  ['does not exist', () => '/nowhere/ca.pem'],
  ['is not a certificate', () => directory.write('text.pem', 'hello')],
])('does not start with a ca_file that %s', async (_what, file) => {
  await expect(open({ caFile: file() })).rejects.toMatchObject({
    code: 'TLS_UNUSABLE',
    message: expect.stringContaining('static_nodes[0].ca_file'),
  });
});
