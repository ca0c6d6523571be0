import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { loadCertificate } from '#gateway/http/tls.js';
import { errorOf, GatewayScene } from '../../../testkit/gateway/gateway-scene.js';
import { GENESIS } from '../../../testkit/gateway/recording-node.js';
import { TestDirectory } from '../routes/test-directory.js';

let directory: TestDirectory;
let scene: GatewayScene | undefined;
let server: Server;
let port: number;
let caFile: string;
let otherCaFile: string;
let names: (string | false | undefined)[];

beforeEach(async () => {
  directory = new TestDirectory();
  names = [];
  const where = { gatewayHost: 'node.example', tls: { selfSigned: true } } as const;
  const [mine, other] = [(await loadCertificate(where))!, (await loadCertificate(where))!];
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
  await scene?.close();
  scene = undefined;
  server.closeAllConnections();
  server.close();
  directory.remove();
});

async function open(tls: { caFile: string; serverName?: string } | undefined): Promise<GatewayScene> {
  const node = { ip: '127.0.0.1', port, role: 'full' as const, ...(tls && { tls }) };
  scene = await GatewayScene.open([], { staticNodes: [node] });
  return scene;
}

it('asks a node over TLS with a certificate of its issuer, reads and writes alike', async () => {
  const opened = await open({ caFile });
  expect(opened.gateway.context.nodes.nodes()).toMatchObject([{ routed: true, health: { answers: true } }]);
  expect((await opened.get('/api/v1/x')).status).toBe(200);
  expect((await opened.post('/api/v1/transactions', '{}')).status).toBe(200);
  expect(names).toEqual([false, false, false]);
});

it('asks for the name that the certificate is for', async () => {
  await open({ caFile, serverName: 'node.example' });
  expect((await scene!.get('/api/v1/x')).status).toBe(200);
  expect(names).toEqual(['node.example', 'node.example']);
});

it.each([
  ['of another issuer', () => ({ caFile: otherCaFile })],
  ['for another name', () => ({ caFile, serverName: 'other.example' })],
])('sends nothing to a node with a certificate %s', async (_what, tls) => {
  await open(tls());
  expect(scene!.gateway.context.nodes.nodes()).toMatchObject([
    { routed: false, health: { fault: 'has no certificate from its issuer' } },
  ]);
  const reply = await scene!.get(`/api/v1/x`, { host: `ip-127-0-0-1-p${port}.gateway.test` });
  expect([reply.status, errorOf(reply).error]).toEqual([502, 'The node has no certificate from its issuer']);
  expect(names).toEqual([]);
});

it('does not fall back to plain HTTP, nor from it', async () => {
  await open(undefined);
  expect(scene!.gateway.context.nodes.nodes()).toMatchObject([{ routed: false }]);
  expect(names).toEqual([]);
});

it.each([
  ['is not there', () => '/nowhere/ca.pem'],
  ['is no certificate', () => directory.write('text.pem', 'hello')],
])('does not start with a ca_file that %s', async (_what, file) => {
  await expect(open({ caFile: file() })).rejects.toMatchObject({
    code: 'TLS_UNUSABLE',
    message: expect.stringContaining('static_nodes[0].tls.ca_file'),
  });
});
