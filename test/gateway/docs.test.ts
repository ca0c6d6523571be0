import type { FastifyInstance } from 'fastify';
import { Archive } from '../../testkit/devnet/archive.js';
import { Network } from '../../testkit/devnet/network.js';
import { sectionOf } from '../../testkit/repository/documents.js';

/** Returns routes such as `GET /path` from the table under one heading of docs/gateway/routes.md. */
function routesUnder(heading: string): string[] {
  const section = sectionOf('docs/gateway/routes.md', heading);
  return [...section.matchAll(/^\| `((?:GET|POST) \S+)` \|/gm)].map(match => match[1]!);
}

const shared = routesUnder('### Both kinds of node');
const full = routesUnder('### Full nodes only');
const archival = routesUnder('### Archival nodes only');

const opened: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

function expectServed(app: FastifyInstance, listed: readonly string[], others: readonly string[]): void {
  const has = (route: string) => {
    const [method, url] = route.split(' ');
    return app.hasRoute({ method: method as 'GET', url: url! });
  };
  expect(listed.filter(route => !has(route))).toEqual([]);
  expect(others.filter(has)).toEqual([]);
  const served = app.printRoutes({ commonPrefix: false }).match(/\b(GET|POST)\b/g) ?? [];
  expect(served).toHaveLength(listed.length);
}

test('docs/gateway/routes.md lists every route of a full node, and no other', async () => {
  const network = await Network.open();
  opened.push(() => network.close());
  await network.app.ready();
  expectServed(network.app, [...shared, ...full], archival);
});

test('docs/gateway/routes.md lists every route of an archival node, and no other', async () => {
  const archive = await Archive.open();
  opened.push(() => archive.close());
  await archive.app.ready();
  expectServed(archive.app, [...shared, ...archival], full);
});
