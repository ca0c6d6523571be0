import type { FastifyInstance } from 'fastify';
import { createGatewayApp } from '../../../gateway/src/app.js';
import type { GatewayConfig } from '../../../gateway/src/config/config.js';
import { ChainRouter } from '../../../gateway/src/proxy/chain-router.js';
import { NodeConnections } from '../../../gateway/src/upstream/node-connections.js';
import { readText } from '../../support/repository.js';
import { GatewayScene } from '../gateway-scene.js';

/** The routes in the tables of one chapter of docs/GATEWAY.md. */
function listedIn(chapter: string): { method: string; url: string }[] {
  const section = readText('docs/GATEWAY.md').split(`\n## ${chapter}\n`)[1]!.split('\n## ')[0]!;
  const rows = section.matchAll(/^\| `(GET|POST) (\S+)` \|/gm);
  return [...rows].map(([, method, url]) => ({ method: method!, url: url! }));
}

function countRoutes(app: FastifyInstance): number {
  return app.printRoutes({ commonPrefix: false }).match(/\b(GET|POST)\b/g)?.length ?? 0;
}

it("docs/GATEWAY.md lists every route of the gateway's own, and no other", async () => {
  const changes: Partial<GatewayConfig> = { downloadsDir: '/', releasesDir: '/', faucet: true };
  const scene = await GatewayScene.open([], changes);
  const { context } = scene.gateway;
  const connections = new NodeConnections(context.config.timeouts);
  const router = new ChainRouter({ ...context, connections });
  const app = createGatewayApp(context, { router });
  await app.ready();
  const listed = listedIn("The gateway's own routes");
  const passedOn = ['GET', 'POST'].map(method => ({ method, url: '/api/v1/*' }));
  expect([...listed, ...passedOn].filter(route => !app.hasRoute(route))).toEqual([]);
  expect(listed).toHaveLength(countRoutes(app) - passedOn.length);
  await app.close();
  await connections.close();
  await scene.close();
});
