import type { FastifyInstance } from 'fastify';
import { startGateway } from '#gateway/gateway.js';
import { Archive } from '../../../testkit/devnet/archive.js';
import { Network } from '../../../testkit/devnet/network.js';
import { gatewayConfig } from '../../../testkit/gateway/gateway-config.js';
import { readDocument } from '../../../testkit/gateway/openapi-document.js';
import { openTestDirectory } from '../../../testkit/process/temporary-directory.js';
import { sectionOf } from '../../../testkit/repository/documents.js';

const CHAIN = '/api/v1/';
const { paths, components } = await readDocument();
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    route: `${method.toUpperCase()} ${path}`,
    operation,
  })),
);

const directory = openTestDirectory();

/** Returns the app's routes in the format of the document, without the HEAD of each GET. */
function routesOf(app: FastifyInstance): string[] {
  const routes: string[] = [];
  const path: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', segment = '', methods = ''] =
      /^([│ ]*)[├└]── (\S*)(?: \((.*)\))?$/.exec(line) ?? [];
    path.splice(indent.length / 4, Number.POSITIVE_INFINITY, segment);
    const url = path.join('').replace(/:(\w+)/g, '{$1}');
    routes.push(
      ...methods.split(', ').flatMap(method => (['', 'HEAD'].includes(method) ? [] : [`${method} ${url}`])),
    );
  }
  return routes.sort();
}

const documented = (role: string) =>
  operations.flatMap(({ route, operation }) => (operation['x-nodes']?.includes(role) ? [route] : [])).sort();

const own = () =>
  operations
    .filter(({ operation }) => operation['x-nodes'] === undefined)
    .map(({ route }) => route)
    .sort();

test('every chain route of a full node is in the document, and no other', async () => {
  const network = await Network.open();
  await network.app.ready();
  expect(routesOf(network.app).filter(route => route.includes(CHAIN))).toEqual(documented('full'));
  await network.close();
});

test('every route of an archival node is in the document, and no other', async () => {
  const archive = await Archive.open();
  await archive.app.ready();
  expect(routesOf(archive.app)).toEqual(documented('archival'));
  await archive.close();
});

test('every route of the gateway itself is in the document, and no other', async () => {
  const routes = new Set<string>();
  const gateway = await startGateway(
    gatewayConfig({
      faucet: true,
      wallet: true,
      downloadsDir: directory,
      releasesDir: directory,
    }),
    {
      walletDirectory: new URL('file:///'),
      extend: app => {
        app.addHook('onRoute', ({ method, url }) => {
          for (const name of [method].flat()) {
            if (name !== 'HEAD' && ![`${CHAIN}*`, '/*'].includes(url)) {
              routes.add(`${name} ${url.replace(/:(\w+)/g, '{$1}')}`);
            }
          }
        });
      },
    },
  );
  expect([...routes].sort()).toEqual(own());
  await gateway.stop();
});

test.each([
  ['a full node', documented('full'), ['### Both kinds of node', '### Full nodes only']],
  ['an archival node', documented('archival'), ['### Both kinds of node', '### Archival nodes only']],
  ['the gateway itself', own(), ['## Gateway routes']],
])('docs/gateway/routes.md lists the same routes of %s as the document', (_whose, routes, headings) => {
  const listed = headings.flatMap(heading => {
    const rows = sectionOf('docs/gateway/routes.md', heading).matchAll(/^\| `((?:GET|POST) \S+)` \|/gm);
    return [...rows].map(([, route]) => route!.replace(/:(\w+)/g, '{$1}'));
  });
  // The document lists the faucet of a full node only as a route of the gateway.
  expect(listed.filter(route => headings.length === 1 || route.includes(CHAIN)).sort()).toEqual(routes);
});

test('every operation has a unique id and every parameter of its path', () => {
  const names = operations.map(({ operation }) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const { route, operation } of operations) {
    const inPath =
      operation.parameters?.filter(({ in: where }) => where === 'path').map(({ name }) => name) ?? [];
    expect([route, inPath]).toEqual([route, [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)]);
  }
});

test('every reference has a schema, and every schema is referenced', () => {
  const text = JSON.stringify({ paths, components });
  const references = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));
  expect([...references].sort()).toEqual(Object.keys(components.schemas).sort());
});

test('exactly the admin routes require the admin key', () => {
  const locked = operations
    .filter(({ operation }) => operation.security !== undefined)
    .map(({ route }) => route);
  expect(locked.sort()).toEqual([
    'GET /admin',
    'GET /admin/state',
    'POST /gateway/allowlist/add',
    'POST /gateway/allowlist/refresh',
    'POST /gateway/allowlist/remove',
  ]);
});
