import type { FastifyInstance } from 'fastify';
import { createGatewayApp } from '#gateway/app.js';
import type { GatewayConfig } from '#gateway/config/config.js';
import { ChainRouter } from '#gateway/proxy/chain-router.js';
import { FixedReads } from '#gateway/proxy/fixed-reads.js';
import { NodeConnections } from '#gateway/upstream/node-connections.js';
import { sectionOf } from '../../../testkit/documents.js';
import { GatewayScene } from '../../../testkit/gateway/gateway-scene.js';

/** The routes in the tables under one heading of docs/gateway/routes.md. */
function listedUnder(heading: string): { method: string; url: string }[] {
  const rows = sectionOf('docs/gateway/routes.md', heading).matchAll(/^\| `(GET|POST) (\S+)` \|/gm);
  return [...rows].map(([, method, url]) => ({ method: method!, url: url! }));
}

function countRoutes(app: FastifyInstance): number {
  return app.printRoutes({ commonPrefix: false }).match(/\b(GET|POST)\b/g)?.length ?? 0;
}

it('docs/gateway/routes.md lists every route of the gateway itself, and no other', async () => {
  const changes: Partial<GatewayConfig> = { downloadsDir: '/', releasesDir: '/', faucet: true, wallet: true };
  const scene = await GatewayScene.open([], changes);
  const { context } = scene.gateway;
  const connections = new NodeConnections(context.config.timeouts);
  const router = new ChainRouter({ ...context, connections });
  const app = createGatewayApp(context, {
    router,
    fixedReads: new FixedReads({ ...context, router, connections }),
  });
  await app.ready();
  const listed = listedUnder('## Gateway routes');
  const passedOn = ['GET', 'POST'].map(method => ({ method, url: '/api/v1/*' }));
  const missing = [...listed, ...passedOn].filter(route => !app.hasRoute(route));
  const served = countRoutes(app);
  await app.close();
  await connections.close();
  await scene.close();
  expect(missing).toEqual([]);
  expect(listed).toHaveLength(served - passedOn.length);
});
