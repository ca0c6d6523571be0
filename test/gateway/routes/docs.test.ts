import { createServer } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { createGatewayApp } from '#gateway/app.js';
import type { GatewayConfig } from '#gateway/config/config.js';
import { ChainRouter } from '#gateway/proxy/chain-router.js';
import { FixedReads } from '#gateway/proxy/fixed-reads.js';
import { BlockHistory } from '#gateway/push/block-history.js';
import { NodeConnections } from '#gateway/upstream/node-connections.js';
import { GatewayFixture } from '../../../testkit/gateway/gateway-fixture.js';
import { sectionOf } from '../../../testkit/repository/documents.js';

/** Returns the routes in the tables under one heading of docs/gateway/routes.md. */
function listedUnder(heading: string): { method: string; url: string }[] {
  const rows = sectionOf('docs/gateway/routes.md', heading).matchAll(/^\| `(GET|POST) (\S+)` \|/gm);
  return [...rows].map(([, method, url]) => ({ method: method!, url: url! }));
}

/** Collects routes as they are added, because `printRoutes` omits one wildcard below another. */
function collectRoutes(app: FastifyInstance, routes: Set<string>): void {
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) if (name !== 'HEAD') routes.add(`${name} ${url}`);
  });
}

test('docs/gateway/routes.md lists every route of the gateway itself, and no other', async () => {
  const directories = { downloadsDir: '/', releasesDir: '/' };
  const changes: Partial<GatewayConfig> = { ...directories, faucet: true, wallet: true };
  const fixture = await GatewayFixture.open([], changes);
  const { context } = fixture.gateway;
  const connections = new NodeConnections(context.config.timeouts);
  const router = new ChainRouter({ ...context, connections });
  const served = new Set<string>();
  const app = createGatewayApp(context, {
    router,
    extend: extended => collectRoutes(extended, served),
    server: createServer(),
    blocks: new BlockHistory(),
    fixedReads: new FixedReads({ ...context, router, connections }),
  });
  await app.ready();
  const listed = listedUnder('## Gateway routes');
  const passedOn = ['GET', 'POST'].map(method => ({ method, url: '/api/v1/*' }));
  const missing = [...listed, ...passedOn].filter(route => !app.hasRoute(route));
  await app.close();
  await connections.close();
  await fixture.close();
  expect(missing).toEqual([]);
  expect(listed).toHaveLength(served.size - passedOn.length);
});
